//! What the trace has of guards beside their verdicts, under the names that they give.

use guardhost_core::change::{Event, GuardVerdict, Observer, Severity};
use guardhost_report::journal::{Secrets, Trace};
use serde_json::Value;

use super::trace::{Shared, clock};
use crate::integration::report::samples::check::{evidence, finding};

/// The events beside `judged` of a guard that says these things, each in the round before it.
fn names(event: &str, said: &[(u32, GuardVerdict)]) -> Vec<String> {
    let out = Shared::default();
    let trace = Trace::new(out.clone(), "r1", Secrets::default(), clock());
    for (round, verdict) in said {
        trace.see(&Event::RoundStarted { round: *round, rounds: 9 });
        let mut guard = evidence("g", "", verdict.clone());
        event.clone_into(&mut guard.event);
        if event.contains("psi") {
            guard.metrics.insert("psi".to_owned(), 0.5);
        } else {
            guard.metrics.clear();
        }
        trace.see(&Event::Judged { evidence: Box::new(guard) });
    }
    let text = out.text();
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let names = events.map(|event| event["event"].as_str().expect("a name").to_owned());
    names.filter(|name| name.contains('.')).collect()
}

fn reject() -> GuardVerdict {
    GuardVerdict::Reject(vec![finding("r", Severity::Error, None, "m")])
}

fn pass() -> GuardVerdict {
    GuardVerdict::Pass(Vec::new())
}

#[test]
fn a_retry_succeeds_once_or_fails_again() {
    let build = "critic_build.fail";
    let twice = [(1, reject()), (1, reject()), (2, reject()), (3, pass()), (4, pass())];
    // Twice in the first round: a fix was tried.
    let expected = [build, build, build, "critic_build_retry.fail", "critic_build_retry.success"];
    assert_eq!(names(build, &twice), expected);
    assert!(names(build, &[(1, pass())]).is_empty());
    assert_eq!(names(build, &[(1, reject()), (1, pass())]), [build], "a fix is no retry");
}

#[test]
fn critics_and_measures_are_heard_when_they_accept() {
    assert_eq!(names("critic_psi_lite.fail", &[(1, pass())]), ["psi_lite.scored"]);
    assert_eq!(names("critic_devil.findings", &[(1, pass())]), ["critic_devil.review.end"]);
    let both = ["critic_panel.findings", "critic_panel.review.end"];
    assert_eq!(names("critic_panel.findings", &[(1, reject())]), both);
}

#[test]
fn no_guard_says_what_only_the_host_says() {
    for name in
        ["plan.occam_filter", "worker.subtask.failed", "critic_refiner.kept", "critic_refiner.findings", "nodot", "A.b"]
    {
        assert!(names(name, &[(1, reject()), (2, pass())]).is_empty(), "{name}");
    }
    // Without its first word it would be one of a plan.
    assert_eq!(names("critic_plan.fail", &[(1, reject())]), ["critic_plan.fail"]);
}
