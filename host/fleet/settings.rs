//! The times and limits of a queue.

use std::time::Duration;

use crate::keys::KnownKeys;

/// What all machines of one fleet have in common. Those of the machine that came last hold for the whole queue.
#[derive(Debug, Clone)]
pub struct FleetSettings {
    /// Names everything that the queue keeps at its server, so that several fleets can share one: lower-case letters, digits and hyphens.
    pub name: String,
    /// A worker that says nothing for so long has lost its job.
    pub lease: Duration,
    /// How often a worker says that it works.
    pub renew: Duration,
    /// A job during whose judging so many workers died is put aside.
    pub deliveries: u32,
    /// Jobs of one class that wait at most; more are refused.
    pub most_waiting: u64,
    /// Results, objects and shared verdicts are kept for so long. A job that is submitted later is judged again.
    pub keep: Duration,
    /// Bytes of objects that are kept at most, and the same of shared verdicts. Servers set so much aside.
    pub most_bytes: u64,
    /// How long an operation is tried again while the server cannot be reached.
    pub patience: Duration,
    /// A worker whose word was not confirmed for so long ends.
    pub unheard: Duration,
    /// How long the pack of a job is kept after its end: for second judgements.
    pub keep_spent: Duration,
    /// Of this machine alone: whose beats it believes; those of anyone, if its operator lists no keys.
    pub believed: Option<KnownKeys>,
}

impl Default for FleetSettings {
    fn default() -> Self {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        FleetSettings {
            name: "guardhost".to_owned(),
            lease: Duration::from_secs(10),
            renew: Duration::from_secs(3),
            deliveries: 5,
            most_waiting: 100_000,
            keep: DAY * 7,
            most_bytes: 256 << 20,
            patience: Duration::from_secs(60),
            unheard: Duration::from_secs(60),
            keep_spent: Duration::from_secs(60 * 60),
            believed: None,
        }
    }
}

impl FleetSettings {
    /// How long a job that failed for a passing reason waits, after it was handed out so often: 1 s, 2 s, 4 s, at most 30 s.
    pub fn delay(&self, attempt: u32) -> Duration {
        let seconds = 1_u64.checked_shl(attempt.saturating_sub(1)).unwrap_or(30).min(30);
        // Tests shorten the lease, and with it everything.
        Duration::from_secs(seconds).min(self.lease * 3)
    }

    /// Whether a second judgement was handed out often enough.
    pub fn is_last(&self, attempt: u32) -> bool {
        attempt >= self.deliveries
    }
}
