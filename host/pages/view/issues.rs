//! The issues of a run of `host fix`, each with what became of it.

use guardhost_core::issue::{IssueFact, IssueStatus};
use guardhost_report::journal::History;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueView {
    /// Its id in the list of the run.
    pub id: String,
    /// The same for the same issue in every list.
    pub fingerprint: String,
    pub title: String,
    pub path: Option<String>,
    pub status: IssueStatus,
    /// The batches that it was tried in, the first first.
    pub batches: Vec<String>,
    pub commit: Option<String>,
    /// Why it ended so.
    pub why: Option<String>,
    /// The issue that says the same.
    pub same_as: Option<String>,
}

/// In the order of the list.
pub fn issues(history: &History) -> Vec<IssueView> {
    let listed = history.issues().into_iter();
    listed
        .map(|(record, status)| {
            let mut view = IssueView {
                id: record.issue.clone(),
                fingerprint: record.fingerprint.clone(),
                title: String::new(),
                path: None,
                status,
                batches: Vec::new(),
                commit: None,
                why: None,
                same_as: None,
            };
            for record in history.issue_facts().filter(|other| other.issue == record.issue) {
                match &record.fact {
                    IssueFact::Listed { title, path } => (view.title, view.path) = (title.clone(), path.clone()),
                    IssueFact::Ignored { why } => view.why = why.clone(),
                    IssueFact::Duplicate { of } => view.same_as = Some(of.clone()),
                    IssueFact::Claimed { .. } => {}
                    IssueFact::Tried { batch, .. } => view.batches.push(batch.clone()),
                    IssueFact::Ended { commit, why, .. } => (view.commit, view.why) = (commit.clone(), why.clone()),
                }
            }
            view
        })
        .collect()
}
