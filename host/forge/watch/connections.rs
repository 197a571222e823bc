//! Which connections a receiver keeps. Whoever connects and says nothing, or begins a delivery and does not end it, takes no place from a
//! forge.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Connections at a time.
const MOST: usize = 64;
/// Of one address. A proxy in front of the server has one for all forges.
const OF_ADDRESS: usize = 48;

/// After this time a delivery that has not come whole gives its place to another. A forge sends its deliveries, of some 20 KB, at once.
const SLOW: Duration = Duration::from_secs(2);

/// How far a connection's request has come.
#[derive(Clone, Copy)]
enum RequestProgress {
    /// Nothing came, or a part of the head.
    Silent,
    /// The head is there since then.
    Receiving(Instant),
    /// It is there as a whole, and is read.
    Complete,
}

/// The open connections, the oldest first.
#[derive(Default)]
pub(super) struct OpenConnections(Mutex<Vec<Arc<OpenConnection>>>);

pub(super) struct OpenConnection {
    address: IpAddr,
    progress: Mutex<RequestProgress>,
    /// It gives its place to another one.
    pub ends: Notify,
}

impl OpenConnection {
    /// The head of its request is there.
    pub fn begins(&self) {
        self.advance(RequestProgress::Receiving(Instant::now()));
    }

    /// All of its request is there.
    pub fn is_complete(&self) {
        self.advance(RequestProgress::Complete);
    }

    fn advance(&self, progress: RequestProgress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }

    /// The order in which connections give their places away; None for one that keeps it.
    fn dispensability(&self, now: Instant) -> Option<u8> {
        match *self.progress.lock().unwrap_or_else(PoisonError::into_inner) {
            RequestProgress::Silent => Some(0),
            RequestProgress::Receiving(since) if now.saturating_duration_since(since) >= SLOW => Some(1),
            RequestProgress::Receiving(_) | RequestProgress::Complete => None,
        }
    }
}

impl OpenConnections {
    fn all(&self) -> MutexGuard<'_, Vec<Arc<OpenConnection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection: a free one, or that of the oldest that has asked nothing yet, or else of the oldest whose delivery does
    /// not come to its end. None where all are at work.
    pub fn admit(&self, address: IpAddr, now: Instant) -> Option<Arc<OpenConnection>> {
        let mut all = self.all();
        let of_address = all.iter().filter(|one| one.address == address).count();
        let is_full = all.len() >= MOST;
        if is_full || of_address >= OF_ADDRESS {
            let is_concerned = |one: &OpenConnection| of_address < OF_ADDRESS || one.address == address;
            let candidates = all.iter().enumerate().filter(|(_, one)| is_concerned(one));
            let ranked = candidates.filter_map(|(at, one)| Some((one.dispensability(now)?, at)));
            let (_, oldest) = ranked.min()?;
            all.remove(oldest).ends.notify_one();
        }
        let new =
            Arc::new(OpenConnection { address, progress: Mutex::new(RequestProgress::Silent), ends: Notify::new() });
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
        let address = |last: u8| IpAddr::from([10, 0, 0, last]);
        let now = Instant::now();
        let first: Vec<_> = (0..OF_ADDRESS).map(|_| open.admit(address(1), now).unwrap()).collect();
        first[0].begins();
        // One address does not take the places of others.
        open.admit(address(1), now).unwrap();
        assert!(open.all().iter().any(|one| Arc::ptr_eq(one, &first[0])), "it is at work");
        assert!(!open.all().iter().any(|one| Arc::ptr_eq(one, &first[1])));
        assert_eq!(open.all().len(), OF_ADDRESS);
        for last in 2..100 {
            assert!(open.admit(address(last), now).is_some());
        }
        assert_eq!(open.all().len(), MOST);
        open.all().iter().for_each(|one| one.begins());
        let soon = Instant::now();
        assert!(open.admit(address(200), soon).is_none(), "all are at work");
        open.remove(&first[0]);
        assert!(open.admit(address(200), soon).is_some());
        open.all().iter().for_each(|one| one.begins());
        open.all()[0].is_complete();
        let whole = Arc::clone(&open.all()[0]);
        let slow = Arc::clone(&open.all()[1]);
        let later = Instant::now() + SLOW;
        assert!(open.admit(address(201), later).is_some(), "a delivery that does not end gives way");
        assert!(open.all().iter().any(|one| Arc::ptr_eq(one, &whole)));
        assert!(!open.all().iter().any(|one| Arc::ptr_eq(one, &slow)));
    }
}
