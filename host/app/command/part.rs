//! `host check --part`: what of a rejected change the guards accept, as a patch.

use std::path::Path;

use guardhost_core::change::{Candidate, Event, NullObserver, Observer as _, RepoPath, Task};
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_gate::Gate;
use guardhost_gate::salvage::{JUDGED, Part, SEARCH, Salvaged, salvage};
use guardhost_git::{Repo, diff_text};

use crate::context::CommandContext;

/// Files that a notice names.
const NAMED: usize = 5;

/// Writes the patch, and says what is in it. Nothing is staged or committed.
///
/// # Errors
/// The repository cannot be read, the guards were stopped, or [`FaultKind::Usage`]: the file cannot be written.
pub(super) fn write_part(
    file: &Path,
    change: &Candidate,
    task: Option<&Task>,
    gate: &Gate,
    repo: &Repo,
    ctx: &CommandContext,
) -> Result<Vec<String>> {
    ctx.see(&Event::Notice { text: "looking for the largest part that the guards accept".to_owned() });
    // What guards say of parts is about nothing that exists.
    let Salvaged { part, is_complete } = salvage(repo, gate, change, task, &NullObserver)?;
    let mut notices = Vec::new();
    match part {
        None => notices.push("no part of the change is accepted by itself, and no patch was written".to_owned()),
        Some(part) => {
            let patch = diff_text(repo, change.base_tree, part.tree)?;
            std::fs::write(ctx.path(file), patch)
                .with_context(|| Fault::new(FaultKind::Usage, format!("cannot write the patch {}", file.display())))?;
            notices.push(summary(&part, change.files.len(), file));
        }
    }
    if !is_complete {
        notices.push(format!(
            "the search for the part ended early, by its bound of {} s or of {JUDGED} parts; more may be acceptable",
            SEARCH.as_secs()
        ));
    }
    Ok(notices)
}

fn summary(part: &Part, all: usize, file: &Path) -> String {
    let mut text = format!("the guards accept {} of {all} files; the patch is in {}", part.files.len(), file.display());
    for (what, paths) in [("in part", &part.partly), ("left out", &part.left_out)] {
        if !paths.is_empty() {
            text += &format!("; {what}: {}", list(paths));
        }
    }
    text
}

fn list(paths: &[RepoPath]) -> String {
    let named = paths.iter().take(NAMED).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
