//! Pull requests.

use guardhost_core::change::RunOutcome;
use guardhost_report::{
    BuildRow, BuildsOutcome, CiFix, CommentCounts, OpenedPull, PullReport, PushDone, StepDone, WatchReport,
};

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

pub fn watched() -> WatchReport {
    let build = |name: &str, conclusion| BuildRow {
        name: name.to_owned(),
        conclusion,
        url: "https://forge.example.org/team/tally/actions/runs/7".to_owned(),
    };
    let fix =
        |outcome, commit| CiFix { run: "v2".to_owned(), outcome, commit, signature: "0123456789abcdef".to_owned() };
    WatchReport {
        run: "v1".to_owned(),
        of: "v0".to_owned(),
        number: 12,
        url: "https://forge.example.org/team/tally/pull/12".to_owned(),
        commit: run::run().commit,
        outcome: BuildsOutcome::Failure,
        builds: vec![build("ci", Some("failure")), build("lint", Some("success")), build("docs", None)],
        reran: true,
        fixes: vec![fix(RunOutcome::Committed, run::run().commit), fix(RunOutcome::Rejected, None)],
        stopped: Some("the run v2 ended with `rejected`".to_owned()),
        notices: vec!["the branch has another commit".to_owned()],
        micros: 90_000_000,
    }
}

pub fn built() -> WatchReport {
    WatchReport {
        outcome: BuildsOutcome::Success,
        reran: false,
        fixes: Vec::new(),
        stopped: None,
        notices: Vec::new(),
        ..watched()
    }
}
