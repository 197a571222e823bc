//! Write a guard for Guardhost in Rust: one trait, one macro.
//!
//! ```
//! use guard_sdk::{About, Change, Finding, Guard, NoSettings, Stage, Verdict, guard};
//!
//! struct OwnedTodos;
//!
//! impl Guard for OwnedTodos {
//!     type Settings = NoSettings;
//!     const ABOUT: About = About {
//!         id: "owned-todos",
//!         version: "0.1.0",
//!         promise: "No TODO comes in without an owner.",
//!         stages: &[Stage::Content],
//!         settings_schema: NoSettings::SCHEMA,
//!         event: "owned_todos.fail",
//!         ..About::NONE
//!     };
//!
//!     fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
//!         let mut findings = Vec::new();
//!         for file in change.files() {
//!             for line in file.added_lines().unwrap_or_default() {
//!                 if line.text.contains("TODO") && !line.text.contains("TODO(") {
//!                     findings.push(
//!                         Finding::error("no-owner", "this TODO has no owner")
//!                             .at(file.path(), line.number)
//!                             .help("Write TODO(name), or leave it out."),
//!                     );
//!                 }
//!             }
//!         }
//!         Ok(Verdict::from_findings(findings))
//!     }
//! }
//!
//! guard!(OwnedTodos);
//! ```
//!
//! A guard has what the contract (`wit/guard`) gives it and nothing else: no files, no clock, no environment, no random numbers.
//! With the feature `testing` the same guard runs natively on folders of files: see [`testing`].

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[rustfmt::skip]
#[doc(hidden)]
#[allow(clippy::all, missing_docs)]
pub mod bindings;
#[cfg(feature = "plan")]
#[rustfmt::skip]
#[doc(hidden)]
#[allow(clippy::all, missing_docs)]
pub mod planner_bindings;

mod change;
mod facts;
mod finding;
mod guard;
pub mod log;
mod net;
#[cfg(feature = "plan")]
pub mod plan;
mod repo;
mod toolchain;

#[cfg(all(feature = "testing", target_arch = "wasm32"))]
compile_error!("the feature `testing` is for `[dev-dependencies]`: a guest has no files to read cases from");

/// Where a change comes from: the host's imports in a guest, folders of files in a test.
#[cfg(not(feature = "testing"))]
mod imports;
#[cfg(not(feature = "testing"))]
use imports::Source;

#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "testing")]
use testing::Source;

pub use bindings::guardhost::guard::change::{Blob, Hunk, Mode, Side, Status, Task, TaskMode, Unreadable};
pub use bindings::guardhost::guard::types::{Description, Edit, Finding, Fix, Need, Severity, Stage, Verdict};
pub use change::{Change, File, Line, Version};
pub use facts::{Dependency, DependencyKind, Ecosystem, Facts, Language, Manifest};
pub use guard::{About, Guard, NoSettings};
pub use net::{Denied, Liveness, Net};
pub use repo::{Entry, Hit, Repo};
pub use serde;
pub use toolchain::{BuildReport, Diagnostic, Test, TestOutcome, TestReport, Toolchain};

#[doc(hidden)]
pub use guard::entry;

/// Makes a type that implements [`Guard`] the guard of this crate, which must be a `cdylib`. Once a crate.
#[macro_export]
macro_rules! guard {
    ($guard:ty) => {
        const _: () = {
            struct Component;

            impl $crate::bindings::Guest for Component {
                fn describe() -> $crate::Description {
                    $crate::entry::describe::<$guard>()
                }

                fn check(
                    settings: ::std::string::String,
                ) -> ::std::result::Result<$crate::Verdict, ::std::string::String> {
                    $crate::entry::check::<$guard>(&settings)
                }
            }

            // Only a guest has these exports: natively two guards may be linked into one program.
            #[cfg(target_arch = "wasm32")]
    $crate::bindings::export_guard!(Component with_types_in $crate::bindings);
        };
    };
}
