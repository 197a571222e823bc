//! What the builds of one commit come to.

use crate::model::{CiConclusion, CiRun};

/// How watching ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CiOutcome {
    /// At least one succeeded, and none did anything else but be skipped.
    Success,
    /// At least one failed, was cancelled, took too long, or ended in a way that this version does not know.
    Failure,
    /// They had not all ended in time.
    Timeout,
    /// None began in time.
    NoRuns,
    /// A person has to allow one at the forge.
    ActionRequired,
    /// All were skipped.
    Skipped,
    /// The branch has another commit now.
    Superseded(String),
    /// The pull request was closed or merged meanwhile.
    Closed,
}

impl CiOutcome {
    /// The word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            CiOutcome::Success => "success",
            CiOutcome::Failure => "failure",
            CiOutcome::Timeout => "timeout",
            CiOutcome::NoRuns => "no-runs",
            CiOutcome::ActionRequired => "action-required",
            CiOutcome::Skipped => "skipped",
            CiOutcome::Superseded(_) => "superseded",
            CiOutcome::Closed => "closed",
        }
    }
}

/// None while one is at work, and where there is none: one may begin still.
pub fn progress(runs: &[CiRun]) -> Option<CiOutcome> {
    let mut succeeded = false;
    let mut failed = false;
    let mut waits = false;
    for run in runs {
        match run.conclusion? {
            CiConclusion::Success => succeeded = true,
            CiConclusion::Skipped => {}
            CiConclusion::ActionRequired => waits = true,
            CiConclusion::Failure | CiConclusion::Cancelled | CiConclusion::TimedOut | CiConclusion::Unknown => {
                failed = true
            }
        }
    }
    match (failed, waits, succeeded) {
        _ if runs.is_empty() => None,
        (true, ..) => Some(CiOutcome::Failure),
        (_, true, _) => Some(CiOutcome::ActionRequired),
        (_, _, true) => Some(CiOutcome::Success),
        (false, false, false) => Some(CiOutcome::Skipped),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_is_no_success() {
        use CiConclusion::*;
        let of = |conclusions: &[Option<CiConclusion>]| {
            let run = |conclusion: &Option<CiConclusion>| CiRun {
                id: 1,
                name: "ci".into(),
                head_sha: String::new(),
                conclusion: *conclusion,
                attempt: 1,
                url: String::new(),
                is_workflow: true,
            };
            progress(&conclusions.iter().map(run).collect::<Vec<_>>())
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[Some(Failure), None]), None);
        assert_eq!(of(&[Some(Success), Some(Skipped)]), Some(CiOutcome::Success));
        assert_eq!(of(&[Some(Skipped)]), Some(CiOutcome::Skipped));
        assert_eq!(of(&[Some(Success), Some(ActionRequired)]), Some(CiOutcome::ActionRequired));
        for bad in [Failure, Cancelled, TimedOut, Unknown] {
            assert_eq!(of(&[Some(Success), Some(ActionRequired), Some(bad)]), Some(CiOutcome::Failure));
        }
    }
}
