//! Write a guard for Guardhost in Rust: one trait, one macro.
//!
//! ```
//! use guard_sdk::{About, Change, Finding, Guard, NoSettings, Rule, Stage, Verdict, guard};
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
//!         rules: &[Rule::new("no-owner", "a new TODO names no owner")],
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
//! A guard has what the contract (`wit`) gives it and nothing else: no files, no clock, no environment, no random numbers.
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
#[cfg(feature = "analysis")]
#[rustfmt::skip]
#[doc(hidden)]
#[allow(clippy::all, missing_docs)]
pub mod analyzer_bindings;
#[cfg(feature = "language")]
#[rustfmt::skip]
#[doc(hidden)]
#[allow(clippy::all, missing_docs)]
pub mod language_bindings;

mod about;
#[cfg(feature = "analysis")]
pub mod analysis;
mod change;
mod commit;
mod exports;
mod facts;
pub mod files;
mod finding;
mod guard;
mod history;
pub mod language;
pub mod log;
pub mod model;
pub mod modules;
mod net;
mod open;
pub mod path;
#[cfg(feature = "plan")]
pub mod plan;
mod refusal;
mod registry;
mod repo;
mod task;
pub mod text;
mod toolchain;

#[cfg(all(feature = "testing", target_arch = "wasm32"))]
compile_error!("the feature `testing` is for `[dev-dependencies]`: a guest has no files to read cases from");

/// Where a change comes from: the host's imports in a guest, folders of files in a test.
#[cfg(not(feature = "testing"))]
mod imports;
#[cfg(not(feature = "testing"))]
use imports::{Handle, Source};

#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "testing")]
use testing::{Handle, Source};

/// What the exports of a test's program answer.
#[cfg(feature = "testing")]
const NO_HOST: &str = "built with the feature `testing`: there is no host to ask";

pub use about::{About, Capability, Need, Rule, Stage};
pub use change::{Blob, Change, File, Hunk, Line, Mode, Side, Status, Version};
pub use commit::{Commit, EditedFile, Edits, Person, ReplacedLines, Trailer};
pub use facts::{Dependency, DependencyKind, Ecosystem, Facts, Language, Manifest};
pub use finding::{Edit, Finding, Fix, Related, Severity, Verdict};
pub use guard::{Guard, NoSettings};
pub use history::{History, Outcome, RunResult};
pub use model::Models;
pub use net::{Liveness, Net};
pub use refusal::{Denied, SizeLimit, Unreadable};
pub use registry::{PackageName, Publication, Registries, Standing};
pub use repo::{Hit, Repo};
pub use serde;
pub use task::Task;
pub use toolchain::{
    BuildReport, Coverage, Diagnostic, FileLines, Replaced, Replacement, Selection, Test, TestOutcome, TestReport,
    Toolchain,
};

#[doc(hidden)]
pub use guard::entry;

/// Makes a type that implements [`Guard`] the guard of this crate, which must be a `cdylib`. Once a crate.
#[macro_export]
macro_rules! guard {
    ($guard:ty) => {
        const _: () = {
            use $crate::bindings::exports::guardhost::guard::{judge, metadata};

            struct Component;

            impl metadata::Guest for Component {
                fn describe() -> metadata::Description {
                    $crate::entry::describe::<$guard>()
                }
            }

            impl judge::Guest for Component {
                fn check(
                    settings: ::std::string::String,
                ) -> ::std::result::Result<judge::Verdict, ::std::string::String> {
                    $crate::entry::check::<$guard>(&settings)
                }
            }

            // Only a guest has these exports: natively two guards may be linked into one program.
            #[cfg(target_arch = "wasm32")]
    $crate::bindings::export_guard!(Component with_types_in $crate::bindings);
        };
    };
}
