//! The agents whose hooks the host answers, and the moments at which they ask.

/// An agent with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    Claude,
    Codex,
    Gemini,
    Cursor,
}

/// When an agent asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A tool is about to run.
    BeforeTool,
    /// A tool has run.
    AfterTool,
    /// The agent wants to end its turn.
    Stop,
}

impl Agent {
    pub const ALL: [Agent; 4] = [Agent::Claude, Agent::Codex, Agent::Gemini, Agent::Cursor];

    /// The word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            Agent::Claude => "claude",
            Agent::Codex => "codex",
            Agent::Gemini => "gemini",
            Agent::Cursor => "cursor",
        }
    }

    /// The agent's own name of an event. Cursor has a second one for shell commands, `beforeShellExecution`.
    pub fn event(self, moment: Moment) -> &'static str {
        match (self, moment) {
            (Agent::Claude | Agent::Codex, Moment::BeforeTool) => "PreToolUse",
            (Agent::Claude | Agent::Codex, Moment::AfterTool) => "PostToolUse",
            (Agent::Claude | Agent::Codex, Moment::Stop) => "Stop",
            (Agent::Gemini, Moment::BeforeTool) => "BeforeTool",
            (Agent::Gemini, Moment::AfterTool) => "AfterTool",
            (Agent::Gemini, Moment::Stop) => "AfterAgent",
            (Agent::Cursor, Moment::BeforeTool) => "preToolUse",
            (Agent::Cursor, Moment::AfterTool) => "postToolUse",
            (Agent::Cursor, Moment::Stop) => "stop",
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
            Agent::Claude => "CLAUDECODE",
            Agent::Codex => "CODEX_CI",
            Agent::Gemini => "GEMINI_CLI",
            Agent::Cursor => "CURSOR_AGENT",
        }
    }

    /// None for an event that the host has no answer to.
    pub fn moment(self, event: &str) -> Option<Moment> {
        if self == Agent::Cursor && event == "beforeShellExecution" {
            return Some(Moment::BeforeTool);
        }
        [Moment::BeforeTool, Moment::AfterTool, Moment::Stop].into_iter().find(|moment| self.event(*moment) == event)
    }
}
