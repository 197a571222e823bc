//! What guards of documents share.

pub mod front_matter;
mod not_judged;

pub use not_judged::not_judged;
