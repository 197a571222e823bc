//! What the hooks of an agent say to a bad change.

use std::path::Path;
use std::time::Duration;

use guardhost_core::error::Result;
use guardhost_report::{DoctorRow, Health};
use serde_json::{Value, json};

use super::planted::{BAD, FILE, GOOD, Planted};
use super::{judged, row};
use crate::hook::{HookAgent, HookMoment};
use crate::install::{InstalledHook, installed_hooks};

/// The hooks of an agent in one file.
pub(super) struct AgentHooks<'a> {
    pub agent: HookAgent,
    pub text: &'a str,
    /// Which of its files it is, for the names of rows.
    pub place: &'static str,
    /// Why the agent does not load the file, and what to do.
    pub not_loaded: Option<(&'a str, &'a str)>,
}

impl AgentHooks<'_> {
    pub fn rows(&self, planted: &Planted) -> Result<Vec<DoctorRow>> {
        let moments = [HookMoment::BeforeTool, HookMoment::AfterTool, HookMoment::Stop];
        moments.into_iter().map(|moment| self.row(moment, planted)).collect()
    }

    fn row(&self, moment: HookMoment, planted: &Planted) -> Result<DoctorRow> {
        let AgentHooks { agent, text, place, not_loaded } = *self;
        let name = format!("canary {} {}{place}", agent.as_str(), agent.event(moment));
        if let Some((why, hint)) = not_loaded {
            return Ok(row(&name, Health::Fail, why.to_owned(), Some(hint)));
        }
        let hooks = installed_hooks(agent, text, moment).unwrap_or_default();
        let Some(InstalledHook { command, timeout }) = hooks.first() else {
            let detail = "the settings start no hook for it".to_owned();
            return Ok(row(&name, Health::Fail, detail, Some(&format!("host install {}", agent.as_str()))));
        };
        // Before a tool nothing is written yet.
        // A model is told once of a work tree, so each has one of its own.
        let bad = format!("{BAD}# {name}\n");
        planted.write(if moment == HookMoment::BeforeTool { GOOD } else { &bad })?;
        let input = question(agent, moment, &planted.root()).to_string();
        let limit = Duration::try_from_secs_f64(*timeout).unwrap_or_default();
        let ended = planted.shell(command, input.as_bytes(), limit)?;
        let denies = |code: i32, said: &str| match moment {
            HookMoment::BeforeTool => code == 2,
            HookMoment::AfterTool | HookMoment::Stop => code == 0 && said.trim_start().starts_with('{'),
        };
        Ok(judged(&name, ended, denies, "the agent goes on"))
    }
}

/// What the agent would send.
fn question(agent: HookAgent, moment: HookMoment, root: &Path) -> Value {
    let file = root.join(FILE);
    let write = match agent {
        HookAgent::Claude => ("Write", json!({ "file_path": file, "content": BAD })),
        HookAgent::Gemini | HookAgent::Qwen => ("write_file", json!({ "file_path": file, "content": BAD })),
        HookAgent::Cursor => ("Write", json!({ "path": file, "contents": BAD })),
        HookAgent::Copilot => ("create", json!({ "path": file, "file_text": BAD })),
        HookAgent::Opencode => ("write", json!({ "filePath": file, "content": BAD })),
        HookAgent::Codex => {
            let patch = format!(
                "*** Begin Patch\n*** Update File: {FILE}\n@@\n-def canary():\n+def canary(:\n     return 1\n*** End Patch"
            );
            ("apply_patch", json!({ "command": patch }))
        }
    };
    let shell = match agent {
        HookAgent::Claude | HookAgent::Codex => "Bash",
        HookAgent::Gemini | HookAgent::Qwen => "run_shell_command",
        HookAgent::Cursor => "Shell",
        HookAgent::Copilot | HookAgent::Opencode => "bash",
    };
    let (tool, input) = match moment {
        HookMoment::BeforeTool => write,
        HookMoment::AfterTool => (shell, json!({ "command": "true" })),
        HookMoment::Stop => ("", Value::Null),
    };
    let mut question = json!({ "hook_event_name": agent.event(moment), "cwd": root, "stop_hook_active": false });
    if !tool.is_empty() {
        question["tool_name"] = json!(tool);
        question["tool_input"] = input;
    }
    question
}
