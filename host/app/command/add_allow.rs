//! `host check --add-allow`: writes comments that allow what the work tree has now.

use std::path::Path;

use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_engine::exceptions::writing::{CommentedText, write_comments};
use guardhost_gate::{ChangeAuthor, Gate, Judged};
use guardhost_git::Repo;

use crate::context::CommandContext;
use crate::install::write_file;

/// How many findings without a comment are told by name.
const NAMED: usize = 10;

/// # Errors
/// [`FaultKind::Usage`]: a model asks, or the policy counts no such comments.
pub fn may_add(gate: &Gate, ctx: &CommandContext) -> Result<()> {
    match ctx.author() {
        ChangeAuthor::Person => {}
        ChangeAuthor::Model => {
            return Err(Fault::new(FaultKind::Usage, "an agent's shell runs this: only people allow findings")
                .hint("fix what the guards find")
                .into());
        }
    }
    match gate.counts_new_comments() {
        true => Ok(()),
        false => Err(Fault::new(FaultKind::Usage, "a comment of this change would not count: [policy] allow_comments")
            .hint("docs/exceptions.md; a baseline is another way: host check --write-baseline FILE")
            .into()),
    }
}

/// Writes the comments into the files of the work tree. Returns what was done, and what was not, a sentence each.
///
/// # Errors
/// A file cannot be written; those before it are.
pub fn add_allow(reason: &str, gate: &Gate, judged: &Judged, repo: &Repo) -> Result<Vec<String>> {
    let (candidate, judgement) = judged.proposed();
    let written = write_comments(gate.guards(), candidate, judgement, reason)?;
    let root = repo.workdir().ok_or_else(|| Fault::new(FaultKind::Usage, "a bare repository has no work tree"))?;
    let (mut findings, mut files, mut left) = (0, 0, written.left);
    for text in &written.files {
        if write(root, text)? {
            findings += text.findings;
            files += 1;
        } else {
            left.push((text.path.clone(), "its file is not what was judged"));
        }
    }
    let mut said = Vec::new();
    if findings > 0 {
        said.push(format!("comments allow {} in {}", counted(findings, "finding"), counted(files, "file")));
    } else {
        said.push("no comment was written".to_owned());
    }
    said.extend(left.iter().take(NAMED).map(|(what, why)| format!("{what} is not allowed: {why}")));
    if let Some(more) = left.len().checked_sub(NAMED).filter(|more| *more > 0) {
        said.push(format!("{} are not allowed either", counted(more, "finding")));
    }
    Ok(said)
}

/// Whether the file holds the lines that were judged, and has the comments now. Its line endings are kept: git may store others.
fn write(root: &Path, text: &CommentedText) -> Result<bool> {
    let path = root.join(&text.path);
    if !path.symlink_metadata().is_ok_and(|data| data.is_file()) {
        return Ok(false);
    }
    let now = std::fs::read_to_string(&path)
        .with_context(|| Fault::new(FaultKind::Git, format!("cannot read {}", path.display())))?;
    let has_returns = now.contains("\r\n");
    let stored = if has_returns && !text.before.contains("\r\n") { now.replace("\r\n", "\n") } else { now.clone() };
    if stored != *text.before {
        return Ok(false);
    }
    let after = if stored == now { text.after.clone() } else { text.after.replace('\n', "\r\n") };
    write_file(&path, after.as_bytes(), false)?;
    Ok(true)
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
