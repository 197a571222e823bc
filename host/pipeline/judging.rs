//! How a change is judged, and what for.

use guardhost_policy::Policy;

/// What follows when a change is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The host commits or stages what a provider wrote: `run`, a step of a plan, `patch`.
    Commit,
    /// The host reports, or places what somebody hands in: `check`, `apply`, the sessions of agents.
    Report,
}

/// How a change is judged.
pub struct Judging<'a> {
    pub policy: &'a Policy,
    pub purpose: Purpose,
    /// Whether the guards' own fixes are tried.
    pub fixes: bool,
}
