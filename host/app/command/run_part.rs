//! The part of a rejected run that the guards accept.

use guardhost_core::change::{Candidate, Oid, RepoPath};
use guardhost_core::error::Result;
use guardhost_git::{Repo, candidate, diff_text};
use guardhost_report::journal::History;
use guardhost_report::{PartDetails, PartFile, PartShare};

use super::run_result::{RunResult, base_of};

/// A part that was kept of a run.
pub struct RunPart {
    pub round: u32,
    pub reference: String,
    pub result: RunResult,
}

/// The newest part of a run that committed nothing; None where none was kept, or it was discarded.
///
/// # Errors
/// The repository cannot be read.
pub fn part_of(repo: &Repo, history: &History) -> Result<Option<RunPart>> {
    if history.commit().is_some() {
        return Ok(None);
    }
    for round in (1..=history.rounds()).rev() {
        if let Some((reference, commit)) = repo.part(&history.run, round)? {
            let (base, base_tree) = base_of(repo, history)?;
            let result = RunResult { base, base_tree, commit, tree: repo.tree_of(commit)? };
            return Ok(Some(RunPart { round, reference, result }));
        }
    }
    Ok(None)
}

/// What is in the part, beside what was rejected.
///
/// # Errors
/// The repository cannot be read.
pub fn described(repo: &Repo, run: &str, RunPart { round, reference, result }: RunPart) -> Result<Option<PartDetails>> {
    let RunResult { base, base_tree, commit, tree } = result;
    let Some(attempt) = repo.rejected_attempt(run, round)? else { return Ok(None) };
    let whole = candidate(repo, base, base_tree, repo.tree_of(attempt)?)?;
    let part = candidate(repo, base, base_tree, tree)?;
    let entry = |tree: Oid, path: &RepoPath| part.objects.entry(tree, path);
    let mut files = Vec::new();
    for touched in whole.touched()? {
        let path = touched.path;
        let share = match (entry(tree, &path)?, entry(whole.tree, &path)?, entry(base_tree, &path)?) {
            (kept, changed, _) if kept == changed => PartShare::Whole,
            (kept, _, before) if kept == before => PartShare::LeftOut,
            _ => PartShare::Partly,
        };
        let lines = lines(&part, &path)?;
        files.push(PartFile { path, share, lines, lines_of: touched.lines_added + touched.lines_deleted });
    }
    let diff = String::from_utf8_lossy(&diff_text(repo, base_tree, tree)?).into_owned();
    Ok(Some(PartDetails { round, kept: reference, commit, files, diff }))
}

fn lines(part: &Candidate, path: &RepoPath) -> Result<u32> {
    let touched = part.touched()?.into_iter().find(|touched| touched.path == *path);
    Ok(touched.map_or(0, |touched| touched.lines_added + touched.lines_deleted))
}
