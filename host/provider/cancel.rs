//! Ending a question from outside.

use tokio::sync::watch;

/// A switch that ends a running [`super::provide`]: its child's whole process group gets SIGTERM, and SIGKILL two seconds later.
///
/// Clones share the switch, and any thread may use it. It stays on. The library installs no signal handler; a program that wants Ctrl-C
/// to end a run keeps a clone in a thread that waits for the signal:
///
/// ```no_run
/// let cancel = guardhost_provider::Cancel::default();
/// let switch = cancel.clone();
/// std::thread::spawn(move || {
///     let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
///     runtime.block_on(tokio::signal::ctrl_c())?;
///     switch.cancel();
///     std::io::Result::Ok(())
/// });
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(watch::Sender<u8>);

impl Cancel {
    /// Ends what is running; a second time without waiting until it has ended by itself.
    pub fn cancel(&self) {
        self.0.send_modify(|times| *times = times.saturating_add(1));
    }

    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow() > 0
    }

    /// Returns once the switch is on.
    pub(super) async fn cancelled(&self) {
        self.reached(1).await;
    }

    /// Returns once it was used twice.
    pub(super) async fn insisted(&self) {
        self.reached(2).await;
    }

    async fn reached(&self, times: u8) {
        // The channel cannot close while `self` holds a sender, so an error is impossible.
        let _ = self.0.subscribe().wait_for(|seen| *seen >= times).await;
    }
}
