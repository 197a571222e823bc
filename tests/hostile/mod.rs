//! Hostile and badly broken guards, and hostile tests of a repository. Each guard becomes evidence of its own, within its limits, and does not disturb the guard that runs
//! beside it.

mod cache;
mod claims;
mod damaged;
mod deadlines;
mod exit;
mod first_seen;
mod fixes;
mod fuzzed;
pub mod host_calls;
mod lies;
mod load;
mod machine;
mod mended;
mod models;
mod modules;
mod no_files;
mod odd_bytes;
mod parents;
mod placing;
mod probes;
mod reuse;
mod run;
mod sizes;
mod toolchain;
mod unreadable;

use guardhost_core::change::{Candidate, Evidence, Failed, GuardVerdict};
use guardhost_engine::GuardSpec;

use crate::support::candidate::candidate;
use crate::support::guest::{Guest, ID};
use crate::support::judging::{component, judge};

fn change() -> Candidate {
    candidate(&[("a.md", b"one\n"), ("b.py", b"x = 1\n")], &[("a.md", b"one\ntwo\n"), ("b.py", b"x = 1\n")])
}

fn spec(guest: &Guest) -> GuardSpec {
    component(ID, guest.component())
}

/// Judges with this guard and an embedded one, which must pass undisturbed.
fn beside(spec: GuardSpec) -> Evidence {
    let mut evidence = judge(&change(), vec![spec, GuardSpec::builtin("docs-kept")]).evidence;
    assert_eq!(evidence[1].verdict.as_str(), "pass", "the guard beside it: {:?}", evidence[1].verdict);
    evidence.remove(0)
}

/// The code, whether it failed to load, and the message.
fn error(evidence: &Evidence) -> (&'static str, bool, &str) {
    match &evidence.verdict {
        GuardVerdict::Error { code, message, failed } => (code, *failed == Failed::Load, message),
        other => panic!("no error: {other:?}"),
    }
}
