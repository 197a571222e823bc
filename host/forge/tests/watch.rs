//! What the builds of a pull request come to: one story for each end.

mod forge;
mod support;

use std::cell::{Cell, RefCell};
use std::time::Duration;

use guardhost_core::stop::{StopToken, Stopped};
use guardhost_forge::watch::{CiOutcome, CiState, WatchSettings, WatchTarget, watch};
use guardhost_forge::{Forge, ForgeFailure, Pause, StopPause, open_or_update};
use jiff::Timestamp;
use serde_json::json;

use forge::{FaultKind, RunState, State, TOKEN};
use support::Place;

const SETTINGS: WatchSettings = WatchSettings {
    interval: Duration::from_secs(30),
    timeout: Duration::from_secs(1200),
    grace: Duration::from_secs(120),
};

/// What happens at the forge during one pause.
type Happens<'a> = Box<dyn FnOnce(&Place) + 'a>;

/// A clock that pauses move, and at which things happen.
struct Clock<'a> {
    place: &'a Place,
    now: Cell<i64>,
    pauses: RefCell<Vec<u64>>,
    happens: RefCell<Vec<Happens<'a>>>,
}

impl Pause for Clock<'_> {
    fn pause(&self, pause: Duration, _: &str) -> Result<(), Stopped> {
        self.now.set(self.now.get() + i64::try_from(pause.as_secs()).expect("a short pause").max(1));
        self.pauses.borrow_mut().push(pause.as_secs());
        let mut happens = self.happens.borrow_mut();
        if !happens.is_empty() {
            happens.remove(0)(self.place);
        }
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.now.get()).expect("a time")
    }
}

fn place() -> Place {
    let place = Place::with_branch();
    open_or_update(&place.github(TOKEN), &place.new_pull("text")).unwrap();
    place
}

/// Watches the head of the pull request; the pauses beside what was seen.
fn watched(place: &Place, happens: Vec<Happens<'_>>) -> (CiState, Vec<u64>) {
    let (seen, pauses) = try_watch(place, happens);
    place.loopback.check();
    (seen.unwrap(), pauses)
}

fn try_watch(place: &Place, happens: Vec<Happens<'_>>) -> (guardhost_forge::Result<CiState>, Vec<u64>) {
    let clock =
        Clock { place, now: Cell::new(1_790_000_000), pauses: RefCell::default(), happens: RefCell::new(happens) };
    let github = place.github(TOKEN);
    let seen = watch(&github, &WatchTarget { number: 1, sha: &place.head(), again: &[] }, &SETTINGS, &clock);
    (seen, clock.pauses.take())
}

fn build(place: &Place, id: u64, conclusion: Option<&'static str>) -> RunState {
    RunState {
        id,
        workflow: id,
        name: format!("build {id}"),
        sha: place.head(),
        status: if conclusion.is_some() { "completed" } else { "in_progress" },
        conclusion,
        attempt: 1,
        jobs: Vec::new(),
        on_rerun: None,
    }
}

fn with(place: &Place, change: impl FnOnce(&mut State)) {
    change(&mut place.loopback.state());
}

#[test]
fn builds_that_begin_late_and_succeed() {
    let place = place();
    let (seen, pauses) = watched(
        &place,
        vec![
            Box::new(|place| with(place, |state| state.runs.push(build(place, 1, None)))),
            Box::new(|place| with(place, |state| state.runs.push(build(place, 2, Some("skipped"))))),
            Box::new(|place| {
                with(place, |state| (state.runs[0].status, state.runs[0].conclusion) = ("completed", Some("success")));
            }),
        ],
    );
    assert_eq!((seen.outcome, seen.runs.len(), pauses.len()), (CiOutcome::Success, 2, 3));
    assert!(pauses.iter().all(|pause| (27..=33).contains(pause)), "{pauses:?}");
    assert!(place.loopback.state().unchanged > 3, "what did not change is not sent again");
}

#[test]
fn every_other_end_is_no_success() {
    let place = place();
    let (seen, pauses) = watched(&place, Vec::new());
    assert_eq!(seen.outcome, CiOutcome::NoRuns);
    assert!((120..200).contains(&pauses.iter().sum::<u64>()), "{pauses:?}");

    for (conclusion, expected) in [
        ("failure", CiOutcome::Failure),
        ("cancelled", CiOutcome::Failure),
        ("timed_out", CiOutcome::Failure),
        ("action_required", CiOutcome::ActionRequired),
        ("skipped", CiOutcome::Skipped),
    ] {
        with(&place, |state| state.runs = vec![build(&place, 1, Some(conclusion))]);
        assert_eq!(watched(&place, Vec::new()).0.outcome, expected, "{conclusion}");
    }

    with(&place, |state| state.runs = vec![build(&place, 1, None)]);
    let (seen, pauses) = watched(&place, Vec::new());
    assert_eq!((seen.outcome, pauses.iter().sum::<u64>() >= 1200), (CiOutcome::Timeout, true));

    let (seen, _) = watched(&place, vec![Box::new(|place| with(place, |state| state.pulls[0].is_open = false))]);
    assert_eq!(seen.outcome, CiOutcome::Closed);
}

#[test]
fn a_new_commit_supersedes_what_is_watched() {
    let place = place();
    with(&place, |state| state.runs = vec![build(&place, 1, None)]);
    let (seen, _) = watched(&place, vec![Box::new(|place| place.push_file("a.py", "other\n"))]);
    assert_eq!(seen.outcome, CiOutcome::Superseded(place.head()));
}

#[test]
fn what_another_service_says_counts_and_what_the_host_says_does_not() {
    let place = place();
    let status = |state: &str, context: &str| (place.head(), json!({ "state": state, "context": context }));
    with(&place, |state| {
        state.runs = vec![build(&place, 1, Some("success"))];
        state.statuses = vec![status("pending", "guardhost"), status("failure", "other"), status("success", "other")];
    });
    assert_eq!(watched(&place, Vec::new()).0.outcome, CiOutcome::Success, "the newest of a context counts");
    with(&place, |state| state.statuses.push(status("failure", "other")));
    assert_eq!(watched(&place, Vec::new()).0.outcome, CiOutcome::Failure);
}

#[test]
fn a_forge_that_fails_for_a_while_is_asked_again() {
    let place = place();
    with(&place, |state| state.runs = vec![build(&place, 1, Some("success"))]);
    place.loopback.fault("GET", "/pulls/1", FaultKind::Dropped, 9);
    let hour = FaultKind::Status(429, vec![("retry-after", "400".to_owned())], "");
    place.loopback.fault("GET", "/actions/runs", hour, 1);
    let (seen, pauses) = watched(&place, Vec::new());
    assert_eq!((seen.outcome, pauses.len()), (CiOutcome::Success, 3));
    assert_eq!(pauses[2], 400, "as long as the forge asks");

    let (wrong, head) = (place.github("ghp_wrong"), place.head());
    let target = WatchTarget { number: 1, sha: &head, again: &[] };
    let error = watch(&wrong, &target, &SETTINGS, &StopPause(StopToken::default()));
    assert_eq!(error.unwrap_err().class, ForgeFailure::Unauthorized, "what does not pass is no reason to wait");
    assert!(place.github(TOKEN).pull(1).is_ok());
}

#[test]
fn a_forge_that_cannot_be_asked_says_nothing_of_builds() {
    let place = place();
    with(&place, |state| state.runs = vec![build(&place, 1, Some("success"))]);
    place.loopback.fault("GET", "/pulls/1", FaultKind::Dropped, 100_000);
    let (seen, pauses) = try_watch(&place, Vec::new());
    assert_eq!((seen.unwrap_err().class, pauses.iter().sum::<u64>() >= 1200), (ForgeFailure::Server, true));
}
