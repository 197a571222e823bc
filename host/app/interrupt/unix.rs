//! SIGINT and SIGTERM.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

pub(super) struct Signals {
    interrupted: Signal,
    terminated: Signal,
    /// A write beyond the limit of a file's size is an error then. To ignore the signal would do the same to other programs that are
    /// started; this is undone when one is.
    _too_large: Signal,
}

impl Signals {
    /// Inside of a runtime.
    pub(super) fn listen() -> io::Result<Self> {
        let (interrupted, terminated) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let _too_large = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))?;
        Ok(Signals { interrupted, terminated, _too_large })
    }

    /// Returns when one arrives.
    pub(super) async fn next(&mut self) {
        tokio::select! { _ = self.interrupted.recv() => {}, _ = self.terminated.recv() => {} }
    }
}
