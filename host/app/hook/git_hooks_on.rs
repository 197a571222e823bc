//! Gemini CLI starts shells with a setting that turns every hook of git off. Where the hooks of the repository are the host's, a command
//! gets them back.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::answer::HookDecision;
use super::{GitHook, only_reads, real_path};
use guardhost_core::error::Result;
use guardhost_git::{Repo, hooks_dir};

pub(super) fn decide(command: &str, input: &Map<String, Value>, cwd: &Path) -> Result<HookDecision> {
    let folder = match input.get("dir_path").or_else(|| input.get("directory")).and_then(Value::as_str) {
        Some(folder) => cwd.join(folder),
        None => cwd.to_path_buf(),
    };
    let folder = real_path(&folder);
    let is_inside = folder.ancestors().any(|above| above.join(".git").symlink_metadata().is_ok());
    if only_reads(command) || !is_inside {
        return Ok(HookDecision::Allow);
    }
    let hooks = hooks_dir(&Repo::open(&folder)?)?;
    let gate = std::fs::read_to_string(hooks.join(GitHook::ReferenceTransaction.word())).unwrap_or_default();
    let Some(hooks) = hooks.to_str().filter(|_| gate.contains("hook git reference-transaction")) else {
        return Ok(HookDecision::Allow);
    };
    // What `git -c` passes on; it counts more than the variables in which Gemini CLI has its own.
    let setting = format!("'core.hooksPath={}'", hooks.replace('\'', "'\\''"));
    let quoted = setting.replace('\'', "'\\''");
    let mut input = input.clone();
    input.insert("command".to_owned(), json!(format!("export GIT_CONFIG_PARAMETERS='{quoted}'; {command}")));
    let note = "Guardhost turned the hooks of git on for this command".to_owned();
    Ok(HookDecision::Mend { input: Value::Object(input), note })
}
