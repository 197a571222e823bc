//! The agents whose hooks the host answers, and the moments at which they ask.

use std::path::PathBuf;

use guardhost_core::process_env::ProcessEnv;

/// An agent with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookAgent {
    Claude,
    Codex,
    Gemini,
    Cursor,
    Copilot,
    /// It starts no program as a hook; a plugin asks for it (`host/app/install/opencode.js`).
    Opencode,
    Qwen,
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
    pub const ALL: [HookAgent; 7] = [
        HookAgent::Claude,
        HookAgent::Codex,
        HookAgent::Gemini,
        HookAgent::Cursor,
        HookAgent::Copilot,
        HookAgent::Opencode,
        HookAgent::Qwen,
    ];

    /// The word of the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            HookAgent::Claude => "claude",
            HookAgent::Codex => "codex",
            HookAgent::Gemini => "gemini",
            HookAgent::Cursor => "cursor",
            HookAgent::Copilot => "copilot",
            HookAgent::Opencode => "opencode",
            HookAgent::Qwen => "qwen",
        }
    }

    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            HookAgent::Claude => "Claude Code",
            HookAgent::Codex => "Codex CLI",
            HookAgent::Gemini => "Gemini CLI",
            HookAgent::Cursor => "Cursor",
            HookAgent::Copilot => "GitHub Copilot: its command line, and its agent in VS Code",
            HookAgent::Opencode => "opencode",
            HookAgent::Qwen => "Qwen Code",
        }
    }

    /// The agent's own name of an event. Cursor has a second one for shell commands, `beforeShellExecution`.
    pub fn event(self, moment: HookMoment) -> &'static str {
        match (self, moment) {
            (HookAgent::Claude | HookAgent::Codex | HookAgent::Qwen, HookMoment::BeforeTool) => "PreToolUse",
            (HookAgent::Claude | HookAgent::Codex | HookAgent::Qwen, HookMoment::AfterTool) => "PostToolUse",
            (HookAgent::Claude | HookAgent::Codex | HookAgent::Qwen, HookMoment::Stop) => "Stop",
            (HookAgent::Gemini, HookMoment::BeforeTool) => "BeforeTool",
            (HookAgent::Gemini, HookMoment::AfterTool) => "AfterTool",
            (HookAgent::Gemini, HookMoment::Stop) => "AfterAgent",
            (HookAgent::Cursor | HookAgent::Copilot, HookMoment::BeforeTool) => "preToolUse",
            (HookAgent::Cursor | HookAgent::Copilot, HookMoment::AfterTool) => "postToolUse",
            (HookAgent::Cursor, HookMoment::Stop) => "stop",
            (HookAgent::Copilot, HookMoment::Stop) => "agentStop",
            (HookAgent::Opencode, HookMoment::BeforeTool) => "tool.execute.before",
            (HookAgent::Opencode, HookMoment::AfterTool) => "tool.execute.after",
            (HookAgent::Opencode, HookMoment::Stop) => "session.idle",
        }
    }

    /// The agent whose shell started this process: each sets a variable of its own for the commands that it runs. `is_set` says whether a
    /// variable is there. Read in the programs themselves: Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0,
    /// Copilot CLI 1.0.102, opencode 1.18.33, Qwen Code 0.24.4; Cursor's is documented.
    pub fn from_shell(is_set: impl Fn(&str) -> bool) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| is_set(agent.mark()))
    }

    /// The variable by which a process knows that this agent started it.
    pub(super) fn mark(self) -> &'static str {
        match self {
            HookAgent::Claude => "CLAUDECODE",
            HookAgent::Codex => "CODEX_CI",
            HookAgent::Gemini => "GEMINI_CLI",
            HookAgent::Cursor => "CURSOR_AGENT",
            HookAgent::Copilot => "COPILOT_CLI",
            HookAgent::Opencode => "OPENCODE",
            HookAgent::Qwen => "QWEN_CODE",
        }
    }

    /// The folder of the user's own settings, below the home folder.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            HookAgent::Claude => ".claude",
            HookAgent::Codex => ".codex",
            HookAgent::Gemini => ".gemini",
            HookAgent::Cursor => ".cursor",
            HookAgent::Copilot => ".copilot",
            HookAgent::Opencode => ".config/opencode",
            HookAgent::Qwen => ".qwen",
        }
    }

    /// In the repository. Claude Code has a file for settings of one person there, which is not committed. The others have none.
    pub(crate) fn repo_settings(self) -> &'static str {
        match self {
            HookAgent::Claude => ".claude/settings.local.json",
            HookAgent::Codex => ".codex/hooks.json",
            HookAgent::Gemini => ".gemini/settings.json",
            HookAgent::Cursor => ".cursor/hooks.json",
            HookAgent::Copilot => ".github/hooks/guardhost.json",
            HookAgent::Opencode => ".opencode/plugins/guardhost.js",
            HookAgent::Qwen => ".qwen/settings.json",
        }
    }

    /// In the user's own folder of the agent.
    pub(crate) fn user_settings(self) -> &'static str {
        match self {
            HookAgent::Claude | HookAgent::Gemini | HookAgent::Qwen => "settings.json",
            HookAgent::Codex | HookAgent::Cursor => "hooks.json",
            HookAgent::Copilot => "hooks/guardhost.json",
            HookAgent::Opencode => "plugins/guardhost.js",
        }
    }

    /// The folder that the environment names instead. None where it names none; where it is relative, which the repository would choose; and
    /// for Cursor, of which none is documented. Read in the programs themselves, of the versions in [`HookAgent::from_shell`].
    pub(crate) fn moved_folder(self, process: &ProcessEnv) -> Option<PathBuf> {
        let (variable, below) = match self {
            HookAgent::Claude => ("CLAUDE_CONFIG_DIR", ""),
            HookAgent::Codex => ("CODEX_HOME", ""),
            HookAgent::Gemini => ("GEMINI_CLI_HOME", ".gemini"),
            HookAgent::Cursor => return None,
            HookAgent::Copilot => ("COPILOT_HOME", ""),
            HookAgent::Opencode => ("XDG_CONFIG_HOME", "opencode"),
            HookAgent::Qwen => ("QWEN_HOME", ""),
        };
        process.var(variable).map(PathBuf::from).filter(|folder| folder.is_absolute()).map(|folder| folder.join(below))
    }

    /// Whether a tool can be run with other arguments than the model gave. Qwen Code 0.24.4 reads none in the answer to `PreToolUse`.
    pub(super) fn takes_fixed_edits(self) -> bool {
        match self {
            HookAgent::Claude
            | HookAgent::Codex
            | HookAgent::Gemini
            | HookAgent::Cursor
            | HookAgent::Copilot
            | HookAgent::Opencode => true,
            HookAgent::Qwen => false,
        }
    }

    /// None for an event that the host has no answer to.
    pub fn moment(self, event: &str) -> Option<HookMoment> {
        if self == HookAgent::Cursor && event == "beforeShellExecution" {
            return Some(HookMoment::BeforeTool);
        }
        // VS Code reads the same settings, and asks by the names of Claude Code.
        let agent = match self {
            HookAgent::Copilot if event.starts_with(|c: char| c.is_ascii_uppercase()) => HookAgent::Claude,
            agent => agent,
        };
        [HookMoment::BeforeTool, HookMoment::AfterTool, HookMoment::Stop]
            .into_iter()
            .find(|moment| agent.event(*moment) == event)
    }
}
