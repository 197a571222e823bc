//! What a server removes, and what it never does: decided once, for every storage.
//!
//! A row goes when it is older than [`Retention::days`], or when more than the kept number of rows are newer than it. Whatever the number
//! says, no row younger than [`FLOOR_DAYS`] goes: plans look back as far. Claims stay, since their fences must never be used again; so do
//! tokens. Facts of trees go by age alone: clients send them again.

use std::time::Duration;

use super::{Micros, Result, Storage};

/// Days for which everything that was acknowledged is kept, however much it is.
pub const FLOOR_DAYS: u32 = 7;
/// Rows of one transaction: what else is to be written waits for no more than this.
const BATCH: u32 = 500;
/// Between two transactions, so that a large clean-up leaves the disk to others.
const PAUSE: Duration = Duration::from_millis(20);

/// What can be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Observations,
    Events,
    /// Rows of the list of runs, which go with the events that they are made of.
    Runs,
    Fingerprints,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Observations, Kind::Events, Kind::Runs, Kind::Fingerprints];

    /// The name of its table.
    pub fn table(self) -> &'static str {
        match self {
            Kind::Observations => "observation",
            Kind::Events => "event",
            Kind::Runs => "run",
            Kind::Fingerprints => "fingerprint",
        }
    }
}

/// How much a server keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Rows older than this are removed. Below [`FLOOR_DAYS`] it counts as those.
    pub days: u32,
    /// The newest observations that are kept.
    pub observations: u64,
    /// The newest events that are kept.
    pub events: u64,
    /// How long after its start a server looks for the first time: a start is for those who wait for it.
    pub first: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Retention { days: 90, observations: 1_000_000, events: 2_000_000, first: Duration::from_secs(30) }
    }
}

impl Retention {
    /// The newest rows that are kept; None: the number does not count.
    fn number(&self, kind: Kind) -> Option<u64> {
        match kind {
            Kind::Observations => Some(self.observations),
            Kind::Events => Some(self.events),
            Kind::Runs | Kind::Fingerprints => None,
        }
    }

    /// The time before which rows are removed. `oldest_kept`: when the oldest of the kept number was written, if there are as many.
    fn before(&self, now: Micros, oldest_kept: Option<Micros>) -> Micros {
        let by_age = now.minus_days(self.days);
        by_age.max(oldest_kept.unwrap_or(by_age)).min(now.minus_days(FLOOR_DAYS))
    }
}

/// Removes what need not be kept, a little at a time. `removed` hears of each part.
///
/// # Errors
/// Of the storage. What was removed before stays removed.
pub async fn prune(
    storage: &dyn Storage,
    keep: &Retention,
    now: Micros,
    mut removed: impl FnMut(Kind, u64) + Send,
) -> Result<()> {
    let mut events = None;
    for kind in Kind::ALL {
        let oldest_kept = match keep.number(kind) {
            Some(number) => storage.nth_newest(kind, number.max(1)).await?,
            None => None,
        };
        let before = keep.before(now, oldest_kept);
        let before = match kind {
            Kind::Events => *events.insert(before),
            Kind::Runs => events.unwrap_or(before),
            Kind::Observations | Kind::Fingerprints => before,
        };
        loop {
            let rows = storage.remove_before(kind, before, BATCH).await?;
            if rows > 0 {
                removed(kind, rows);
            }
            if rows < u64::from(BATCH) {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000_000;

    #[test]
    fn age_and_number_remove_and_the_floor_holds_both_back() {
        let now = Micros(1_000 * DAY);
        let ago = |days: i64| Micros(now.0 - days * DAY);
        let keep = Retention { days: 90, ..Retention::default() };
        for (oldest_kept, days, why) in [
            (None, 90, "fewer rows than the number: age alone"),
            (Some(ago(200)), 90, "the number would keep older ones: age removes them"),
            (Some(ago(30)), 30, "the number removes younger ones"),
            (Some(ago(1)), 7, "but none below the floor"),
        ] {
            assert_eq!(keep.before(now, oldest_kept), ago(days), "{why}");
        }
        assert_eq!(Retention { days: 0, ..keep }.before(now, None), ago(7));
    }
}
