//! The rules and guards that judge a change, resolved from `guards.toml` and `guards.lock` of the base commit.

mod cached_pins;
mod candidate_lock;
mod components;
pub mod config;
pub mod fetch;
mod guard_files;
mod policy;
mod protected;
mod recorded;
mod resolve;
mod resolve_pins;
mod schema;
mod toolchain;
mod unlocked;
mod work_tree_path;

pub use candidate_lock::check_candidate_lock;
pub use guard_files::{GuardFiles, RulesOrigin};
pub use policy::{Disclosure, Policy};
pub use recorded::{RecordedGuards, RecordedPolicy};
pub use resolve::{PolicySource, Remember, embedded, files_of_rules};
pub use resolve_pins::{check, component, embedded_language, language, limits, spec, vendored};
pub use schema::{SCHEMA, SCHEMA_FILE, SCHEMA_LINE, uses_schema_copy};
pub use toolchain::{ConfiguredTools, toolchain};
pub use work_tree_path::work_tree_paths;
