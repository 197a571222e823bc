//! The one test binary of this crate. Every file beside it and under `support` is a module.

mod bundle;
mod diffs;
mod hostile;
mod issues;
mod large;
mod live;
mod pages;
mod reading;
mod style;
mod support;
