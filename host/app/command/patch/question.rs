//! The part of the prompt beside the instruction: the change of the source, the source, and the difficulty of the task.

use guardhost_core::change::{FileMode, Objects, RepoPath};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::sensitive::hidden;
use guardhost_git::{Repo, Snapshot, diff_text_at};
use guardhost_provider::ChainHint;

/// The next commit changes the source.
pub fn is_staged(repo: &Repo, snapshot: &Snapshot, source: &RepoPath) -> Result<bool> {
    let store = repo.store();
    Ok(store.entry(snapshot.tree, source)? != store.entry(snapshot.head_tree, source)?)
}

/// The target is not in it: the prompt shows it with every task that names a file.
pub fn context(
    repo: &Repo,
    snapshot: &Snapshot,
    source: &RepoPath,
    target: &RepoPath,
    hint: Option<ChainHint>,
) -> Result<String> {
    let store = repo.store();
    let staged = store.entry(snapshot.tree, source)?;
    if staged.is_none() && store.entry(snapshot.head_tree, source)?.is_none() {
        return Err(Fault::new(FaultKind::Usage, format!("{source} is neither in the index nor in HEAD"))
            .hint(format!("name a file from the root of the repository, and stage it: git add {source}"))
            .into());
    }
    for entry in [staged, store.entry(snapshot.head_tree, source)?].into_iter().flatten() {
        if entry.mode != FileMode::Submodule
            && let Some(why) = hidden(source, &store.blob(entry.oid)?)
        {
            let fault = Fault::new(FaultKind::Usage, format!("{source} is not shown to a model: {why}"));
            return Err(fault.hint("describe its change with --instruction").into());
        }
    }
    let mut parts = Vec::new();
    parts.extend(hint.map(|hint| match hint {
        ChainHint::Fast => "TASK COMPLEXITY: FAST".to_owned(),
        ChainHint::Quality => "TASK COMPLEXITY: QUALITY".to_owned(),
    }));
    parts.push(match source == target {
        true => format!("`{target}` has changed and is to be completed. Only this file may be touched; any other is refused."),
        false => format!("`{source}` has changed, and `{target}` is to follow. Only `{target}` may be touched; any other file is refused."),
    });
    let diff = diff_text_at(repo, snapshot.head_tree, snapshot.tree, source)?;
    parts.push(match diff.is_empty() {
        true => format!("Nothing of `{source}` is staged for the next commit."),
        false => section(&format!("What is staged of `{source}`"), "diff", &diff),
    });
    if let Some(entry) = staged.filter(|_| source != target) {
        let bytes = store.blob(entry.oid)?;
        if bytes.contains(&0) {
            return Err(Fault::new(FaultKind::Usage, format!("{source} is not a text file")).into());
        }
        parts.push(section(&format!("`{source}` as it is staged"), "", &bytes));
    }
    Ok(parts.join("\n\n"))
}

/// In a fence that is longer than any in it.
fn section(title: &str, language: &str, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let fence = "`".repeat(3.max(1 + text.split(|c| c != '`').map(str::len).max().unwrap_or_default()));
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("### {title}\n\n{fence}{language}\n{text}{end}{fence}")
}
