//! Which connections a receiver keeps. Whoever connects and says nothing takes no place from a forge.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Connections at a time.
const MOST: usize = 64;
/// Of one address. A proxy in front of the server has one for all forges.
const OF_ADDRESS: usize = 48;

/// The open connections, the oldest first.
#[derive(Default)]
pub(super) struct OpenConnections(Mutex<Vec<Arc<OpenConnection>>>);

pub(super) struct OpenConnection {
    address: IpAddr,
    asked: std::sync::atomic::AtomicBool,
    /// It gives its place to another one.
    pub ends: Notify,
}

impl OpenConnection {
    /// The head of its request is there: it is no idle one any more.
    pub fn mark_active(&self) {
        self.asked.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

impl OpenConnections {
    fn all(&self) -> MutexGuard<'_, Vec<Arc<OpenConnection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection: a free one, or that of the oldest that has asked nothing yet. None where all are at work.
    pub fn admit(&self, address: IpAddr) -> Option<Arc<OpenConnection>> {
        let mut all = self.all();
        let of_address = all.iter().filter(|one| one.address == address).count();
        let is_full = all.len() >= MOST;
        if is_full || of_address >= OF_ADDRESS {
            let is_idle = |one: &Arc<OpenConnection>| !one.asked.load(std::sync::atomic::Ordering::Relaxed);
            let may_go =
                |one: &Arc<OpenConnection>| is_idle(one) && (of_address < OF_ADDRESS || one.address == address);
            let oldest = all.iter().position(may_go)?;
            all.remove(oldest).ends.notify_one();
        }
        let new = Arc::new(OpenConnection { address, asked: false.into(), ends: Notify::new() });
        all.push(Arc::clone(&new));
        Some(new)
    }

    pub fn remove(&self, closed: &Arc<OpenConnection>) {
        self.all().retain(|one| !Arc::ptr_eq(one, closed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_that_says_nothing_goes_first() {
        let open = OpenConnections::default();
        let of = |last: u8| IpAddr::from([10, 0, 0, last]);
        let first: Vec<_> = (0..OF_ADDRESS).map(|_| open.admit(of(1)).unwrap()).collect();
        first[0].mark_active();
        // One address does not take the places of others.
        open.admit(of(1)).unwrap();
        assert!(open.all().iter().any(|one| Arc::ptr_eq(one, &first[0])), "it is at work");
        assert!(!open.all().iter().any(|one| Arc::ptr_eq(one, &first[1])));
        assert_eq!(open.all().len(), OF_ADDRESS);
        for last in 2..100 {
            assert!(open.admit(of(last)).is_some());
        }
        assert_eq!(open.all().len(), MOST);
        open.all().iter().for_each(|one| one.mark_active());
        assert!(open.admit(of(200)).is_none(), "all are at work");
        open.remove(&first[0]);
        assert!(open.admit(of(200)).is_some());
    }
}
