//! Pull requests.

use guardhost_core::change::RunOutcome;
use guardhost_report::{
    BuildRow, BuildsOutcome, CiFix, CommentCounts, FindingCounts, Mergeability, OpenedPull, PullBreak, PullReport,
    PullStanding, PullStatusReport, PushDone, QueuePlace, QueueReport, QueuedPull, StepDone, WatchReport,
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
            sarif: true,
        }),
        review: Some(Box::new(super::review::refused())),
        notices: vec!["10 new comments were made, the most at one time; the others are in the summary".to_owned()],
        micros: 2_000_000,
    }
}

pub fn rejected() -> PullReport {
    PullReport { check: check(), pull: None, review: None, notices: Vec::new(), ..opened() }
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

pub fn standing() -> PullStatusReport {
    PullStatusReport {
        of: "v0".to_owned(),
        branch: "guardhost/let-x-return-2-1f3a9c2e".to_owned(),
        commit: run::run().commit,
        pull: Some(PullStanding {
            number: 12,
            url: "https://forge.example.org/team/tally/pull/12".to_owned(),
            title: "Let x return 2".to_owned(),
            base: "main".to_owned(),
            draft: true,
            commit: "1f3a9c2e".repeat(5),
            merge: Mergeability::Blocked,
            outcome: None,
            builds: watched().builds,
            findings: FindingCounts { open: 2, resolved: 1 },
        }),
        notices: vec!["a notice".to_owned()],
    }
}

pub fn not_open() -> PullStatusReport {
    PullStatusReport { pull: None, notices: Vec::new(), ..standing() }
}

pub fn queue() -> QueueReport {
    let judgement = || check().judgement;
    let pull = |number: u64, title: &str, place| QueuedPull {
        number,
        title: title.to_owned(),
        url: format!("https://forge.example.org/team/tally/pull/{number}"),
        draft: number == 9,
        commit: run::run().commit,
        place,
    };
    QueueReport {
        run: "v1".to_owned(),
        base: "main".to_owned(),
        commit: run::run().commit,
        pulls: vec![
            pull(3, "Rename total to sum", QueuePlace::Fits { prefix: run::run().commit.expect("a commit") }),
            pull(4, "Print the total", QueuePlace::Breaks),
            pull(5, "Add a table", QueuePlace::Breaks),
            pull(7, "Merged by hand", QueuePlace::Nothing),
            pull(8, "Reformat", QueuePlace::Conflicts(vec!["a.py".to_owned(), "b.py".to_owned()])),
            pull(9, "Break it", QueuePlace::Rejected(judgement())),
        ],
        breaks: vec![
            PullBreak { pulls: vec![3, 4], conflicts: Vec::new(), judgement: Some(judgement()) },
            PullBreak { pulls: vec![3, 5], conflicts: vec!["tally.py".to_owned()], judgement: None },
        ],
        judged: 9,
        notices: vec!["2 pull requests go to other branches than main".to_owned()],
        micros: 90_000,
    }
}
