//! `host serve` as a process, and runs that it observes.

mod absent;
mod answers;
#[path = "../../../host/pages/tests/support/browser.rs"]
#[allow(dead_code)]
mod browser;
mod contract;
mod encrypted;
mod identity;
mod issues;
mod kill;
mod metrics;
mod records;
mod runs;
mod served;
mod shared;
mod tabs;
mod traces;
