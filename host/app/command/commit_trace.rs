//! Which lines of what a run committed a model wrote.

use guardhost_core::canonical;
use guardhost_core::change::{Blob, Candidate, FileChange, FileMode};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_git::{Repo, candidate, hunks};
use guardhost_report::journal::{Actor, ActorKind, History, Object, PatchSet};
use guardhost_report::{CommitTrace, TracedFile, TracedRange, TracedWriter};

use super::run_result::{RunResult, result_of};

/// Of the run, and of its steps if it has any: a trace for each commit.
///
/// # Errors
/// [`FaultKind::Nothing`]: there is none; [`FaultKind::Git`]: a commit is gone, or is another than the recorded one.
pub fn traces(repo: &Repo, history: &History, steps: &[History]) -> Result<Vec<CommitTrace>> {
    let mut found = Vec::new();
    for run in std::iter::once(history).chain(steps) {
        // The commits of a plan are those of its steps.
        if run.commit().is_some() && run.patch_sets().next().is_some() {
            found.push(trace(repo, run)?);
        }
    }
    if found.is_empty() {
        let what = format!("the run {} committed nothing that a provider wrote", history.run);
        return Err(Fault::new(FaultKind::Nothing, what).hint("`host log` lists the runs").into());
    }
    Ok(found)
}

fn trace(repo: &Repo, history: &History) -> Result<CommitTrace> {
    let RunResult { base, base_tree, commit, tree } = result_of(repo, history)?;
    let recorded = tree.to_string();
    let made = history.patch_sets().filter(|(_, set)| set.tree.as_deref() == Some(recorded.as_str())).last();
    let Some((object, set)) = made else {
        let what = format!("the commit {commit} has no change that the run {} recorded", history.run);
        return Err(Fault::new(FaultKind::Git, what).into());
    };
    let change = candidate(repo, base, base_tree, tree)?;
    let mut files = Vec::new();
    for file in &change.files {
        let path = file.path.to_string();
        let ranges = new_lines(&change, file)?;
        if !ranges.is_empty() {
            // A fix without a path may have edited any file.
            let is_fixed = set.fixes.iter().any(|fix| fix.path.as_ref().is_none_or(|fixed| *fixed == path));
            files.push(TracedFile { path: file.path.clone(), is_fixed, ranges });
        }
    }
    Ok(CommitTrace {
        id: object.object_id.clone(),
        recorded_at: object.created_at.clone(),
        commit: commit.to_string(),
        writer: writer(history, (object, set)),
        files,
    })
}

/// Who wrote it before guards fixed it.
fn writer(history: &History, (object, set): (&Object, &PatchSet)) -> TracedWriter {
    let Actor { kind, id, display_name } = match &set.mends {
        None => &object.created_by,
        Some(mended) => match history.patch_sets().find(|(object, _)| object.object_id == *mended) {
            Some((object, _)) => &object.created_by,
            None => return TracedWriter::Unknown,
        },
    };
    match kind {
        ActorKind::Agent => TracedWriter::Model { provider: id.clone(), model: display_name.clone() },
        ActorKind::Human | ActorKind::System | ActorKind::McpClient => TracedWriter::Unknown,
    }
}

/// None of a file without lines: a deleted one, a link, a submodule, or a binary.
fn new_lines(change: &Candidate, file: &FileChange) -> Result<Vec<TracedRange>> {
    let has_lines = |blob: &Blob| matches!(blob.mode, FileMode::File | FileMode::Executable);
    let Some(after) = file.after.filter(has_lines) else { return Ok(Vec::new()) };
    let after = change.objects.blob(after.oid)?;
    let before = match file.before.filter(has_lines) {
        Some(before) => change.objects.blob(before.oid)?,
        None => [].into(),
    };
    let lines: Vec<&[u8]> = after.split_inclusive(|byte| *byte == b'\n').collect();
    let added = hunks(&before, &after)?.into_iter().map(|hunk| hunk.new).filter(|new| !new.is_empty());
    Ok(added
        .map(|new| TracedRange { first: new.start + 1, last: new.end, digest: canonical::sha256(&lines[new].concat()) })
        .collect())
}
