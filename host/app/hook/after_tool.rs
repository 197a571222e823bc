//! After a shell command: what it left in the work tree is judged. Edits were judged before they were made.

use std::fs;
use std::path::Path;

use super::answer::HookDecision;
use super::only_reads;
use super::safeguards;
use super::tool_call::ToolCall;
use super::uncommitted::{UnacceptedTree, unaccepted};
use crate::context::CommandContext;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_git::Repo;

/// In the folder of the host: the last work tree that was objected to.
const LAST: &str = "hook-objected";

pub(super) fn decide(call: &ToolCall, cwd: &Path, ctx: &CommandContext) -> Result<HookDecision> {
    let undone = match call {
        // The note may be of another command, which still runs.
        ToolCall::Shell { command, .. } if only_reads(command) => None,
        ToolCall::Shell { .. } => safeguards::after(cwd, ctx)?,
        ToolCall::File(_) | ToolCall::Files(_) | ToolCall::Patch { .. } | ToolCall::Other => {
            return Ok(HookDecision::Allow);
        }
    };
    let parts: Vec<String> = undone.into_iter().chain(objection(cwd, ctx)?).collect();
    Ok(match parts.is_empty() {
        true => HookDecision::Allow,
        false => HookDecision::Object(parts.join("\n")),
    })
}

fn objection(cwd: &Path, ctx: &CommandContext) -> Result<Option<String>> {
    let Some(UnacceptedTree { repo, tree, reason }) = unaccepted(cwd, ctx)? else { return Ok(None) };
    let is_new = is_new(&repo, &tree.to_string())?;
    let reason = format!("Guardhost rejects the work tree as it is now; it cannot be committed so:\n{reason}");
    Ok(is_new.then_some(reason))
}

/// A model that was told once is not told again after every command that changes nothing.
fn is_new(repo: &Repo, tree: &str) -> Result<bool> {
    let file = repo.state_dir()?.join(LAST);
    if fs::read_to_string(&file).is_ok_and(|last| last == tree) {
        return Ok(false);
    }
    fs::write(&file, tree).with_context(|| Fault::new(FaultKind::Git, format!("cannot write {}", file.display())))?;
    Ok(true)
}
