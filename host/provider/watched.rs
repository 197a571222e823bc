//! Notices what a program did to the repository while it answered.

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::Error;

use super::runtime::{ProviderRuntime, RepositoryChanges};
use super::{FailureClass, OnChange, Provider, ProviderFailure, Transport};

/// Paths that a message names.
const NAMED: usize = 8;

/// One answer of a program.
pub(super) struct WatchedAnswer {
    changes: RepositoryChanges,
    on_change: OnChange,
}

impl WatchedAnswer {
    /// None for what cannot touch the repository, and where there is none.
    pub(super) fn begin(provider: &Provider, runtime: &ProviderRuntime) -> Result<Option<Self>, ProviderFailure> {
        let (Transport::Cli { on_change, .. }, Some(watch)) = (&provider.transport, &runtime.repository) else {
            return Ok(None);
        };
        Ok(Some(WatchedAnswer { changes: watch().map_err(cannot_look)?, on_change: *on_change }))
    }

    /// An error unless the answer may be used.
    pub(super) fn end(self, provider: &Provider, observer: &dyn Observer) -> Result<(), ProviderFailure> {
        let changes = (self.changes)().map_err(cannot_look)?;
        if changes.is_empty() {
            return Ok(());
        }
        let more = match changes.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let named: Vec<_> = changes.iter().take(NAMED).map(|path| path.escape_debug().to_string()).collect();
        let what = format!("the repository changed while {} answered: {}{more}", provider.name, named.join(", "));
        match self.on_change {
            OnChange::Refuse => Err(ProviderFailure::new(FailureClass::RepositoryChanged, what)),
            OnChange::Report => {
                observer.see(&Event::Notice { text: what });
                Ok(())
            }
        }
    }
}

fn cannot_look(error: Error) -> ProviderFailure {
    let what = format!("what the program does to the repository cannot be seen: {error:#}");
    ProviderFailure::new(FailureClass::RepositoryChanged, what)
}
