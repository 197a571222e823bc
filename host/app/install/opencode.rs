//! The plugin by which opencode asks the host: it has no hooks that start a program. The file is ours alone.

use serde_json::json;

use super::agents::tools;
use super::sealed::{Authorship, SealedFile};
use crate::hook::{AGENT_TIMEOUT, HookAgent, HookMoment};

const TEMPLATE: &str = include_str!("opencode.js");

const FILE: SealedFile = SealedFile { comment: "//", target: "opencode" };

/// What stands before the path of the program in a plugin that was written.
const VARIABLE: &str = "const program = ";

/// The plugin; `before` is None where there is no file.
///
/// # Errors
/// A sentence: somebody else wrote or edited the file.
pub(super) fn install(before: Option<&str>, program: &str) -> Result<String, String> {
    before.map_or(Ok(()), |text| FILE.authorship(text).may_be_written())?;
    Ok(plugin(program))
}

/// The file as it was before; None when there was none.
///
/// # Errors
/// A sentence: somebody edited the file.
pub(super) fn remove(text: &str) -> Result<Option<String>, String> {
    FILE.removed(text)
}

/// The program that the plugin starts. None where the plugin is not as it was written: then nobody knows what it does.
pub(super) fn program(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(VARIABLE))?;
    match FILE.authorship(text) {
        Authorship::Ours => serde_json::from_str(line).ok(),
        Authorship::Edited | Authorship::Other => None,
    }
}

fn plugin(program: &str) -> String {
    let named = |moment: HookMoment| {
        let tools = tools(HookAgent::Opencode, moment).unwrap_or_default();
        json!(tools.split('|').collect::<Vec<_>>()).to_string()
    };
    let text = TEMPLATE
        .replace("BEFORE", &named(HookMoment::BeforeTool))
        .replace("AFTER", &named(HookMoment::AfterTool))
        .replace("LIMIT", &(AGENT_TIMEOUT * 1000).to_string())
        // Last, since nobody knows which words are in a path.
        .replacen("PROGRAM", &json!(program).to_string(), 1);
    FILE.sealed(&text)
}
