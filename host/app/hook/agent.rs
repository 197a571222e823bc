//! The agents whose hooks the host answers, and the moments at which they ask.

/// An agent with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookAgent {
    Claude,
    Codex,
    Gemini,
    Cursor,
}

/// When an agent asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookMoment {
    /// A tool is about to run.
    BeforeTool,
    /// A tool has run.
    AfterTool,
    /// The agent wants to end its turn.
    Stop,
}

impl HookAgent {
    pub const ALL: [HookAgent; 4] = [HookAgent::Claude, HookAgent::Codex, HookAgent::Gemini, HookAgent::Cursor];

    /// The word of the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            HookAgent::Claude => "claude",
            HookAgent::Codex => "codex",
            HookAgent::Gemini => "gemini",
            HookAgent::Cursor => "cursor",
        }
    }

    /// The agent's own name of an event. Cursor has a second one for shell commands, `beforeShellExecution`.
    pub fn event(self, moment: HookMoment) -> &'static str {
        match (self, moment) {
            (HookAgent::Claude | HookAgent::Codex, HookMoment::BeforeTool) => "PreToolUse",
            (HookAgent::Claude | HookAgent::Codex, HookMoment::AfterTool) => "PostToolUse",
            (HookAgent::Claude | HookAgent::Codex, HookMoment::Stop) => "Stop",
            (HookAgent::Gemini, HookMoment::BeforeTool) => "BeforeTool",
            (HookAgent::Gemini, HookMoment::AfterTool) => "AfterTool",
            (HookAgent::Gemini, HookMoment::Stop) => "AfterAgent",
            (HookAgent::Cursor, HookMoment::BeforeTool) => "preToolUse",
            (HookAgent::Cursor, HookMoment::AfterTool) => "postToolUse",
            (HookAgent::Cursor, HookMoment::Stop) => "stop",
        }
    }

    /// The agent whose shell started this process: each sets a variable of its own for the commands that it runs. `is_set` says whether a
    /// variable is there. Read in the programs themselves: Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0; Cursor's is documented.
    pub fn of_shell(is_set: impl Fn(&str) -> bool) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| is_set(agent.mark()))
    }

    /// The variable by which a process knows that this agent started it.
    pub(super) fn mark(self) -> &'static str {
        match self {
            HookAgent::Claude => "CLAUDECODE",
            HookAgent::Codex => "CODEX_CI",
            HookAgent::Gemini => "GEMINI_CLI",
            HookAgent::Cursor => "CURSOR_AGENT",
        }
    }

    /// None for an event that the host has no answer to.
    pub fn moment(self, event: &str) -> Option<HookMoment> {
        if self == HookAgent::Cursor && event == "beforeShellExecution" {
            return Some(HookMoment::BeforeTool);
        }
        [HookMoment::BeforeTool, HookMoment::AfterTool, HookMoment::Stop]
            .into_iter()
            .find(|moment| self.event(*moment) == event)
    }
}
