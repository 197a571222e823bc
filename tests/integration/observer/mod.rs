//! `host serve` as a process, and runs that it observes.

mod absent;
mod answers;
mod identity;
mod kill;
mod metrics;
mod runs;
mod served;
