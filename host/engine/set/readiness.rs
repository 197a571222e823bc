//! Whether a set can judge at all, found out before anybody is paid for a change.

use guardhost_core::change::Mode;
use guardhost_core::error::{Fault, FaultKind, Result};

use crate::grant::Capability;
use crate::set::{Guard, GuardSet};

impl GuardSet {
    /// Loads every guard that can reject, and looks for the sandbox if one of them builds or runs tests: without either, no change could
    /// be accepted, whatever a model answers. Guards that only monitor stop nothing, so they are not looked at.
    ///
    /// # Errors
    /// All guards that cannot judge, in the kind and with the code that a judgement would give: [`FaultKind::GuardLoad`], [`FaultKind::Git`] where
    /// the machine lacks something, [`FaultKind::GuardRun`] where it has no sandbox.
    pub fn check_ready(&self) -> Result<()> {
        let enforced = || self.guards.iter().filter(|guard| guard.spec.mode == Mode::Enforce);
        let unloadable = enforced().filter_map(|guard| {
            let failure = guard.load(self).err()?;
            Some(failure.into_fault(format_args!("the guard `{}` cannot judge", guard.spec.id)))
        });
        let unloadable = Fault::all(unloadable);
        // What was ended while it was loaded is no guard that cannot be loaded.
        if let (Some(_), Err(stopped)) = (&unloadable, self.machine.stop.check()) {
            return Err(stopped.into_error("loading the guards, before any provider was asked"));
        }
        match unloadable.or_else(|| self.lacks_sandbox(enforced())) {
            Some(fault) => Err(fault.hint("no provider was asked, since nothing could be accepted").into()),
            None => Ok(()),
        }
    }

    fn lacks_sandbox<'a>(&self, mut enforced: impl Iterator<Item = &'a Guard>) -> Option<Fault> {
        let guard = enforced.find(|guard| guard.grants.has(Capability::Toolchain))?;
        let why = self.machine.services.toolchain.as_ref()?.sandbox_here().err()?;
        Some(Fault::new(FaultKind::GuardRun, format!("the guard `{}` cannot judge: {why}", guard.spec.id)))
    }
}
