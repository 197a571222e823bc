//! Cancelling a question from another thread.

use tokio::sync::watch;

use guardhost_core::stop::StopToken;

/// Cancels a running [`super::provide`]: the agent's process group gets SIGTERM, and SIGKILL two seconds later.
///
/// Clones cancel the same run, from any thread. A cancelled run cannot be resumed. The library installs no signal handler; a program in which Ctrl-C
/// is to cancel a run keeps a clone in a thread that waits for the signal:
///
/// ```no_run
/// let cancel = guardhost_provider::Cancel::default();
/// let trigger = cancel.clone();
/// std::thread::spawn(move || {
///     let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
///     runtime.block_on(tokio::signal::ctrl_c())?;
///     trigger.cancel();
///     std::io::Result::Ok(())
/// });
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    times: watch::Sender<u8>,
    stop: StopToken,
}

impl Cancel {
    /// One that interrupts the holders of `stop` too.
    pub fn with(stop: StopToken) -> Self {
        Cancel { times: watch::Sender::default(), stop }
    }

    /// What the other stages of the run look at.
    pub fn stop(&self) -> &StopToken {
        &self.stop
    }

    /// Cancels the run. A second call kills the agent without waiting for it to end by itself.
    pub fn cancel(&self) {
        self.stop.interrupt();
        self.times.send_modify(|times| *times = times.saturating_add(1));
    }

    pub fn is_cancelled(&self) -> bool {
        *self.times.borrow() > 0
    }

    /// Returns once the run is cancelled.
    pub async fn cancelled(&self) {
        self.reached(1).await;
    }

    /// Returns once the run was cancelled twice.
    pub(super) async fn cancelled_twice(&self) {
        self.reached(2).await;
    }

    async fn reached(&self, times: u8) {
        // The channel cannot close while `self` holds a sender, so an error is impossible.
        let _ = self.times.subscribe().wait_for(|count| *count >= times).await;
    }
}
