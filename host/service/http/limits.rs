//! Limits on connections and rates.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a server takes on.
#[derive(Debug, Clone)]
pub struct ServerLimits {
    /// Open connections.
    pub connections: usize,
    /// Requests a second of one address. Addresses of this machine have no such limit.
    pub rate: u32,
    /// Requests of one address that may come at once, after a pause.
    pub burst: u32,
    /// Clients that listen to events.
    pub streams: usize,
    /// For a request's head to come.
    pub head: Duration,
    /// For an answer.
    pub answer: Duration,
    /// For open requests when the server ends.
    pub shutdown: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        ServerLimits {
            connections: 512,
            rate: 500,
            burst: 1_000,
            streams: 128,
            head: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            shutdown: Duration::from_secs(10),
        }
    }
}

/// Addresses whose rate is known. With more of them the oldest are forgotten.
const ADDRESSES: usize = 4_096;

/// How much each address may still ask.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<IpAddr, Bucket>>);

struct Bucket {
    left: f64,
    at: Instant,
}

impl Rates {
    /// Takes one request of an address, if it has one left.
    pub fn take(&self, address: IpAddr, limits: &ServerLimits, now: Instant) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= ADDRESSES && !buckets.contains_key(&address) {
            let full = Duration::from_secs_f64(f64::from(limits.burst) / f64::from(limits.rate.max(1)));
            buckets.retain(|_, bucket| now.saturating_duration_since(bucket.at) < full);
            if buckets.len() >= ADDRESSES {
                return false;
            }
        }
        let bucket = buckets.entry(address).or_insert(Bucket { left: f64::from(limits.burst), at: now });
        let gained = now.saturating_duration_since(bucket.at).as_secs_f64() * f64::from(limits.rate);
        bucket.left = (bucket.left + gained).min(f64::from(limits.burst));
        bucket.at = now;
        let allowed = bucket.left >= 1.0;
        if allowed {
            bucket.left -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_asks_too_often_waits_and_others_do_not() {
        let limits = ServerLimits { rate: 10, burst: 5, ..ServerLimits::default() };
        let (rates, now) = (Rates::default(), Instant::now());
        let (one, two) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        assert!((0..5).all(|_| rates.take(one, &limits, now)));
        assert!(!rates.take(one, &limits, now));
        assert!(rates.take(two, &limits, now));
        let later = now + Duration::from_millis(200);
        assert!(rates.take(one, &limits, later) && rates.take(one, &limits, later));
        assert!(!rates.take(one, &limits, later));
    }

    #[test]
    fn what_is_remembered_of_addresses_is_bounded() {
        let limits = ServerLimits { rate: 1, burst: 1, ..ServerLimits::default() };
        let (rates, now) = (Rates::default(), Instant::now());
        for number in 0..10_000u32 {
            rates.take(IpAddr::from(number.to_be_bytes()), &limits, now);
        }
        assert!(rates.0.lock().unwrap().len() <= ADDRESSES);
        assert!(rates.take(IpAddr::from([10, 0, 0, 1]), &limits, now + Duration::from_secs(2)));
    }
}
