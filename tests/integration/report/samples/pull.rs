//! Pull requests.

use guardhost_report::{CommentCounts, OpenedPull, PullReport, PushDone, StepDone};

use super::check::{accepted, check};
use super::run;

pub fn opened() -> PullReport {
    PullReport {
        run: "v1".to_owned(),
        of: "v0".to_owned(),
        branch: "guardhost/let-x-return-2-1f3a9c2e".to_owned(),
        commit: run::run().commit,
        check: accepted(),
        pull: Some(OpenedPull {
            number: 12,
            url: "https://forge.example.org/team/tally/pull/12".to_owned(),
            base: "main".to_owned(),
            action: StepDone::Changed,
            push: PushDone::Updated,
            comments: CommentCounts { new: 3, kept: 2, reopened: 1, resolved: 4, summarised: 2, refused: 1 },
            summary: StepDone::Changed,
            check_run: true,
        }),
        notices: vec!["10 new comments were made, the most at one time; the others are in the summary".to_owned()],
        micros: 2_000_000,
    }
}

pub fn rejected() -> PullReport {
    PullReport { check: check(), pull: None, notices: Vec::new(), ..opened() }
}
