//! Reports as data and as JSON.

mod json;
mod quotes;
pub mod samples;
