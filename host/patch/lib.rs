//! From the bytes of a reply to a candidate tree: repair, extract, sanitize, apply.

mod answer;
pub mod apply;
mod end_tokens;
pub mod extract;
mod fence;
pub mod formats;
mod html;
mod limits;
mod numbered;
pub mod propose;
mod quoted_printable;
pub mod repair;
pub mod sanitize;

pub use sanitize::CleanPatch;
