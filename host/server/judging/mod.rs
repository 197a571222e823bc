//! What a fleet needs of the application: how a job is made of a change, and how it is judged.

mod change;
mod judge;
mod policies;
mod shared;

pub use change::{Submission, job_of};
pub use judge::{Bench, HostJudge, Repositories};
pub use shared::FleetVerdicts;

use guardhost_engine::EmbeddedGuards;
use guardhost_fleet::hex;
use guardhost_policy::Policy;

/// 64 hex digits over all that judges beside the base commit: the guards with their settings, and the version of the host, which has rules
/// of its own.
fn policy_digest(policy: &Policy, embedded: &EmbeddedGuards) -> String {
    let (version, target) = (env!("CARGO_PKG_VERSION"), embedded.fingerprint);
    hex::sha256(format!("{version}\n{target}\n{:?}\n{}\n", policy.unjudged, policy.guards.digest_of_all()).as_bytes())
}
