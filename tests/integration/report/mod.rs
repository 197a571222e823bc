//! Reports as data and as JSON.

mod json;
mod quotes;
mod reference;
pub mod samples;
