//! What earlier runs made of an issue: nothing that is done is done again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_core::issue::{IssueEnd, IssueFact, IssueStatus};
use guardhost_core::stop::StopToken;
use guardhost_git::Repo;
use guardhost_report::journal::{History, RecordedPull, latest};

/// An issue that an earlier run committed a fix for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierFix {
    /// Resolved, touched or merged.
    pub status: IssueStatus,
    pub run: String,
    pub commit: String,
}

/// Of the issues with these fingerprints, the newest run first to say so. A fix whose branch is gone was discarded, and does not count, unless its patch is
/// in HEAD, or its pull request was merged: `is_merged` is asked where the clone cannot tell.
///
/// # Errors
/// Of the repository and the records; when it was stopped.
pub fn earlier(
    repo: &Repo,
    state_dir: &Path,
    wanted: &BTreeSet<&str>,
    is_merged: &mut dyn FnMut(&RecordedPull) -> bool,
    stop: &StopToken,
) -> Result<BTreeMap<String, EarlierFix>> {
    let head = repo.head()?.commit;
    let past = latest(state_dir, usize::MAX)?;
    let mut all = Vec::new();
    for history in &past {
        for record in history.issue_facts().filter(|record| wanted.contains(record.fingerprint.as_str())) {
            let IssueFact::Ended { end: end @ (IssueEnd::Resolved | IssueEnd::Touched), commit: Some(commit), .. } =
                &record.fact
            else {
                continue;
            };
            let fix = (record.fingerprint.clone(), history.run.clone(), commit.clone());
            // Git has removed it, with its branch.
            let Ok(oid) = repo.resolve(commit) else {
                all.push((fix, None, Vec::new()));
                continue;
            };
            let status = standing(repo, head, history, *end, oid)?;
            let landings = match status {
                Some(IssueStatus::Merged) => Vec::new(),
                Some(_) | None => changes(repo, history, oid)?,
            };
            all.push((fix, status, landings));
        }
    }
    // One walk for all of them.
    let asked: Vec<(Oid, Oid)> = all.iter().flat_map(|(_, _, landings)| landings.iter().copied()).collect();
    let mut landed = repo.landings(&asked, stop)?.into_iter();
    let mut found = BTreeMap::new();
    for ((fingerprint, run, commit), status, landings) in all {
        let has_landed = landed.by_ref().take(landings.len()).flatten().count() > 0;
        if found.contains_key(&fingerprint) {
            continue;
        }
        let is_known = has_landed || status == Some(IssueStatus::Merged);
        let mut pulls = past.iter().filter_map(|past| past.end()?.pull_request.as_ref()).filter(|pull| pull.run == run);
        let status = if is_known || pulls.any(&mut *is_merged) { Some(IssueStatus::Merged) } else { status };
        if let Some(status) = status {
            found.insert(fingerprint, EarlierFix { status, run, commit });
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
    commit: Oid,
) -> Result<Option<IssueStatus>> {
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

/// What forges make one commit of, or one for each of its commits: all that the run committed, and the fix alone. Bases and tips.
fn changes(repo: &Repo, history: &History, commit: Oid) -> Result<Vec<(Oid, Oid)>> {
    let mut found = Vec::new();
    let base = history.run().and_then(|(_, run)| repo.resolve(run.commit.as_deref()?).ok());
    let tip = history.commit().and_then(|tip| repo.resolve(tip).ok());
    found.extend(base.zip(tip));
    found.extend(repo.parents_and_message(commit)?.0.first().map(|parent| (*parent, commit)));
    Ok(found)
}
