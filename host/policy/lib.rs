//! From `guards.toml` and `guards.lock`, read from the base commit, to the rules and guards that judge a change.

pub mod config;
pub mod fetch;
mod guard_files;
mod resolve;
mod resolve_pins;
mod rule_files;
mod tools;

pub use guard_files::GuardFiles;
pub use resolve::{Policy, PolicySource, embedded};
pub use resolve_pins::{check, component, limits, spec, vendored};
pub use rule_files::check_rules_untouched;
pub use tools::toolchain;
