//! Fuzzing with a budget: every stage, on inputs that repeat themselves, ends within a time and an amount of memory that only a blow-up
//! reaches. Inputs are made from a seed, the same on every machine.
//!
//! More of them: `GUARD_FUZZ_ROUNDS=100000 cargo test -p guardhost-patch --test all budget`. One of them again: `GUARD_FUZZ_SEED=…`.

mod patches;
mod replies;

use std::time::{Duration, Instant};

use guardhost_core::change::{FileMode, RepairedReply, Reply};
use guardhost_core::error::{FaultKind, kind};
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_patch::apply::{ApplyBase, apply};
use guardhost_patch::extract::{Surroundings, extract};
use guardhost_patch::repair::repair;
use guardhost_patch::sanitize::{Rules, sanitize};

use crate::support::allocations::peak;
use crate::support::objects::tree;
use crate::support::random::Random;

/// Of one stage on one input of at most 200 KB: a hundred times what it takes without optimisation on a quiet machine. What is not
/// linear takes hours.
const TIME: Duration = Duration::from_secs(300);

/// What a stage may hold: so much, and so many bytes for each of the input's. A parsed line takes about a hundred bytes.
const MEMORY: usize = 32 << 20;
const MEMORY_PER_BYTE: usize = 600;

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs `one` with a generator for each round.
fn rounds(few: u64, one: impl Fn(&mut Random, u64)) {
    if let Some(seed) = variable("GUARD_FUZZ_SEED") {
        return one(&mut Random::new(seed), seed);
    }
    for seed in 0..variable("GUARD_FUZZ_ROUNDS").unwrap_or(few) {
        one(&mut Random::new(seed), seed);
    }
}

/// The result of a stage that stays within its budget. `size`: bytes of its input.
#[track_caller]
fn within_budget<T>(what: &str, seed: u64, size: usize, stage: impl FnOnce(&StopToken) -> Result<T, Stopped>) -> T {
    let stop = StopToken::default();
    stop.limit_run(Instant::now(), Some(TIME));
    let (result, held) = peak(|| stage(&stop));
    assert!(held <= MEMORY + MEMORY_PER_BYTE * size, "{what}, seed {seed}: {size} bytes took {held} bytes of memory");
    result.unwrap_or_else(|stopped| panic!("{what}, seed {seed}: {size} bytes, and {stopped}"))
}

#[test]
fn repair_and_extract() {
    rounds(16, |random, seed| {
        let bytes = replies::reply(random);
        let size = bytes.len();
        let reply = Reply { bytes, ..Reply::default() };
        let repaired: RepairedReply = within_budget("repair", seed, size, |stop| repair(&reply, stop));
        let hints = replies::hints(random);
        let _ = within_budget("extract", seed, size, |stop| extract(repaired, &hints, &Surroundings::unknown(), stop));
    });
}

#[test]
fn sanitize_of_odd_paths() {
    let base = tree(&[("a/a/a", FileMode::File, "x\n")]);
    rounds(16, |random, seed| {
        let patch = patches::with_odd_paths(random);
        let size = patches::size(&patch);
        let _ = within_budget("sanitize", seed, size, |stop| sanitize(patch, &Rules::default(), &base, stop));
    });
}

#[test]
fn apply_to_files_that_repeat_themselves() {
    rounds(12, |random, seed| {
        let (patch, text) = patches::with_repeated_lines(random);
        let size = patches::size(&patch) + text.len();
        let base = tree(&[("a.txt", FileMode::File, &text)]);
        let clean = sanitize(patch, &Rules::default(), &base, &StopToken::default()).unwrap();
        let Ok(clean) = clean else { return };
        let base = ApplyBase::new(None, base);
        let _ = within_budget("apply", seed, size, |stop| match apply(&clean, &base, stop) {
            Ok(applied) => Ok(applied),
            Err(error) => match error.downcast_ref::<Stopped>() {
                Some(stopped) => Err(*stopped),
                None => panic!("seed {seed}: {error:#}"),
            },
        });
    });
}

/// A stage that is ended says so: never that there is no patch, that it is refused, or that it does not fit.
#[test]
fn a_stage_that_is_ended_says_so() {
    let (open, stop) = (StopToken::default(), StopToken::default());
    stop.interrupt();
    let reply = Reply { bytes: b"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n".to_vec(), ..Reply::default() };
    let base = tree(&[("a.txt", FileMode::File, "x\n")]);
    let repaired = repair(&reply, &open).unwrap();
    let patch = extract(repaired.clone(), &[], &Surroundings::unknown(), &open).unwrap().unwrap();
    let clean = sanitize(patch.clone(), &Rules::default(), &base, &open).unwrap().unwrap();
    assert_eq!(repair(&reply, &stop).err(), Some(Stopped::Interrupted));
    assert_eq!(extract(repaired, &[], &Surroundings::unknown(), &stop).err(), Some(Stopped::Interrupted));
    assert_eq!(sanitize(patch, &Rules::default(), &base, &stop).err(), Some(Stopped::Interrupted));
    let error = apply(&clean, &ApplyBase::new(None, base), &stop).err().expect("it is ended");
    assert_eq!((kind(&error), error.downcast_ref()), (FaultKind::Interrupted, Some(&Stopped::Interrupted)));
}

/// Each takes seconds without optimisation, and is ended long before.
#[test]
fn a_stage_looks_at_its_token_while_it_works() {
    let limit = Duration::from_millis(5);
    let soon = || {
        let stop = StopToken::default();
        stop.limit_run(Instant::now(), Some(limit));
        stop
    };
    let text = "+x\n".repeat(1_500_000);
    let reply = Reply { bytes: format!("\u{1b}[1m\n{text}").into_bytes(), ..Reply::default() };
    assert_eq!(repair(&reply, &soon()).err(), Some(Stopped::OverBudget(limit)));
    let repaired = RepairedReply { bytes: text.into_bytes(), notes: Vec::new() };
    assert_eq!(extract(repaired, &[], &Surroundings::unknown(), &soon()).err(), Some(Stopped::OverBudget(limit)));
    let (patch, text) = patches::with_unlike_hunks(8_000);
    let base = tree(&[("a.txt", FileMode::File, &text)]);
    let rules = Rules { max_patch_bytes: u64::MAX, max_file_bytes: u64::MAX, ..Rules::default() };
    let clean = sanitize(patch, &rules, &base, &StopToken::default()).unwrap().unwrap();
    let error = apply(&clean, &ApplyBase::new(None, base), &soon()).err().expect("it is ended");
    assert_eq!(error.downcast_ref(), Some(&Stopped::OverBudget(limit)));
}
