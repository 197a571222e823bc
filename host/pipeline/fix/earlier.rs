//! What earlier runs made of an issue: nothing that is done is done again.

use std::collections::BTreeMap;
use std::path::Path;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_core::issue::{IssueEnd, IssueFact, IssueStatus};
use guardhost_git::Repo;
use guardhost_report::journal::{History, IssueRecord, latest};

/// An issue that an earlier run committed a fix for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierFix {
    /// Resolved, touched or merged.
    pub status: IssueStatus,
    pub run: String,
    pub commit: String,
}

/// By fingerprint, the newest run first to say so. A fix whose branch is gone was discarded, and does not count. Runs of `lineage` are the
/// one that is resumed.
///
/// # Errors
/// Of the repository and the records.
pub fn earlier(repo: &Repo, state_dir: &Path, lineage: &[String]) -> Result<BTreeMap<String, EarlierFix>> {
    let head = repo.head()?.commit;
    let mut found = BTreeMap::new();
    for history in latest(state_dir, usize::MAX)? {
        if lineage.contains(&history.run) {
            continue;
        }
        for record in history.issue_facts() {
            let IssueFact::Ended { end: end @ (IssueEnd::Resolved | IssueEnd::Touched), commit: Some(commit), .. } =
                &record.fact
            else {
                continue;
            };
            if let Some(status) = standing(repo, head, &history, *end, commit)? {
                let made = || EarlierFix { status, run: history.run.clone(), commit: commit.clone() };
                let IssueRecord { fingerprint, .. } = record;
                found.entry(fingerprint.clone()).or_insert_with(made);
            }
        }
    }
    Ok(found)
}

/// None when the commit is on no branch any more.
fn standing(
    repo: &Repo,
    head: Option<Oid>,
    history: &History,
    end: IssueEnd,
    commit: &str,
) -> Result<Option<IssueStatus>> {
    let Ok(commit) = repo.resolve(commit) else { return Ok(None) };
    if let Some(head) = head
        && repo.contains(head, commit)?
    {
        return Ok(Some(IssueStatus::Merged));
    }
    let tip = history.branch().map(|branch| repo.branch(&branch)).transpose()?.flatten();
    Ok(match tip {
        Some(tip) if repo.contains(tip, commit)? => Some(end.into()),
        Some(_) | None => None,
    })
}
