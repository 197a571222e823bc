//! Watching the builds of a pull request: what they came to, and what follows a failure.
//!
//! - `outcome` says what the builds of one commit come to.
//! - `poll` asks until they have ended.
//! - `log` takes from a log what is worth reading, and what a failure is known by.
//! - `next` decides what follows one.
//! - `webhook` reads what a forge sends on its own account, and `listen` receives it: `connections` says which of them stay, and `seen`
//!   what was read before.

mod connections;
mod listen;
mod log;
mod next;
mod outcome;
mod poll;
mod seen;
mod webhook;

pub use listen::{Keep, Receiver};
pub use log::{cut, signature};
pub use next::{Attempts, FailedBuild, MAX_FIXES, NextStep, StopReason};
pub use outcome::{CiOutcome, progress};
pub use poll::{CiState, WatchSettings, WatchTarget, watch};
pub use webhook::{Delivery, News, PullNews, RefusedDelivery, Webhook};
