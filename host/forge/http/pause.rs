//! Waiting, which tests do without.

use std::time::{Duration, Instant};

use guardhost_core::stop::{StopToken, Stopped};
use jiff::Timestamp;

/// The clock that requests wait by.
pub trait Pause {
    /// Waits. `why` is for people.
    ///
    /// # Errors
    /// The command was stopped meanwhile.
    fn pause(&self, pause: Duration, why: &str) -> Result<(), Stopped>;

    fn now(&self) -> Timestamp;
}

/// Waits in fact, and looks at the token all the time.
pub struct StopPause(pub StopToken);

impl Pause for StopPause {
    fn pause(&self, pause: Duration, _: &str) -> Result<(), Stopped> {
        let end = Instant::now() + pause;
        loop {
            self.0.check()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(100)));
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
