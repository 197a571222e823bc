//! Reports as data and as JSON.

mod json;
mod quotes;
mod reference;
mod reference_page;
mod reference_type;
pub mod samples;
