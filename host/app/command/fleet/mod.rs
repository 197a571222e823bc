//! `host submit`, `host worker` and `host fleet`: one change judged by many machines, and many changes by one.

mod connection;
mod state;
mod submit;
mod worker;

pub use state::{Shown, fleet};
pub use submit::submit;
pub use worker::worker;
