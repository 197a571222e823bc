//! A gate that could accept a change. Whoever asks a model needs one, so that nobody pays for answers that cannot be accepted.

use std::ops::Deref;

use guardhost_core::error::{Fault, FaultKind, Result};

use crate::gate::Gate;

/// A [`Gate`] whose set is not empty, whose guards load, and whose machine has the sandbox that its guards need.
#[derive(Clone, Copy)]
pub struct ReadyGate<'a>(&'a Gate);

impl Gate {
    /// # Errors
    /// [`FaultKind::Config`]: no guard judges, so that no change would be accepted; of
    /// [`GuardSet::check_ready`](guardhost_engine::GuardSet::check_ready).
    pub fn ready(&self) -> Result<ReadyGate<'_>> {
        if self.guards().ids().is_empty() {
            return Err(Fault::new(FaultKind::Config, "no guard judges here, so no change could be accepted")
                .hint("no provider was asked; add a guard to guards.toml: host guard add")
                .into());
        }
        self.guards().check_ready()?;
        Ok(ReadyGate(self))
    }
}

impl Deref for ReadyGate<'_> {
    type Target = Gate;

    fn deref(&self) -> &Gate {
        self.0
    }
}
