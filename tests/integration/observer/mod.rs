//! `host serve` as a process, and runs that it observes.

mod absent;
mod answers;
mod kill;
mod runs;
mod served;
