//! Runs every guard in a fresh sandbox and gathers the evidence.
//!
//! A guard that the change does not concern is not loaded. One that cannot be loaded is evidence, and does not stop the others. The
//! guards of one change run in parallel; the evidence keeps their order.
//!
//! A guard that does not load is an error, and never consent:
//!
//! ```
//! use guardhost_core::change::{GuardVerdict, NullObserver};
//! use guardhost_engine::link_check::LinkChecker;
//! use guardhost_engine::{EmbeddedGuards, EngineContext, GuardSet, GuardSource, GuardSpec, HostServices, JudgeContext, guard};
//! use guardhost_git::{Repo, staged};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let git = |line: &str| assert!(std::process::Command::new("git").args(line.split(' ')).current_dir(&folder).status().unwrap().success());
//! # git("init -q");
//! # std::fs::write(folder.path().join("greet.py"), "def greet():\n    return 'hi'\n")?;
//! # git("add .");
//! // A program with guards of its own names them here: `guards::EMBEDDED`.
//! static NONE: EmbeddedGuards = EmbeddedGuards {
//!     guards: &[], analyzers: &[], readers: &[], missing_readers: &[], target: "", fingerprint: "",
//! };
//! let context = EngineContext {
//!     // Compiles guards, as the child that `SUBCOMMAND` names.
//!     exe: std::env::current_exe()?,
//!     cache_dir: None,
//!     modules_dir: None,
//!     measured_dir: None,
//!     verdicts: None,
//!     threads: 1,
//!     services: HostServices::only(LinkChecker::offline()),
//!     embedded: &NONE,
//!     stop: Default::default(),
//! };
//! let bytes = b"no component".to_vec().into();
//! let broken = GuardSpec {
//!     source: GuardSource::Bytes { bytes, origin: "guards/broken.wasm".to_owned() },
//!     ..GuardSpec::builtin("broken")
//! };
//! let set = GuardSet::new(vec![broken], &context)?;
//! let candidate = staged(&Repo::open(folder.path())?)?;
//! let judgement = guard(&candidate, &set, &JudgeContext { task: None, observer: &NullObserver });
//! assert!(matches!(judgement.evidence[0].verdict, GuardVerdict::Error { .. }));
//! # Ok(())
//! # }
//! ```

pub mod analysis;
pub mod code_text;
pub mod embedded;
pub mod exceptions;
pub mod facts;
pub mod link_check;
pub mod model;
pub mod outlines;
pub mod registries;

mod asking;
mod bindings;
mod call;
mod capability;
mod config;
mod describe;
mod drafts;
mod failure;
mod grant;
mod handles;
mod judge;
mod limits;
mod load;
mod readers;
mod reuse;
mod seal;
mod services;
mod set;
mod text;

pub use call::verdict::{NO_SUCH_LINE, StepObjection};
pub use describe::identity::Identity;
pub use describe::inspect::{Inspection, inspect, inspect_embedded};
pub use describe::language::{LanguageInspection, inspect_embedded_language, inspect_language};
pub use describe::metadata::GuardMetadata;
pub use describe::outline::DescribedOutline;
pub use describe::settings::check_named as check_schema;
pub use describe::{Description, Need, RuleDoc, Stage};
pub use embedded::EmbeddedGuards;
pub use failure::GuardFailure;
pub use guard_files::{Globs, Kind, Kinds, PathGlobs};
pub use judge::parallel::map as in_parallel;
pub use judge::plan_stage::{GuardObjections, PlanJudgement, plan};
pub use judge::single_guard::{GuardInput, GuardOutput, SingleGuard};
pub use judge::{JudgeContext, guard};
pub use limits::{HostWork, Limits};
pub use load::code_cache::{Cache as CodeCache, check_folder as check_code_cache};
pub use load::compile::{SUBCOMMAND, compile_exit_code, compile_here};
pub use load::component_interface::{ComponentInterface, ComponentKind, language_version};
pub use load::component_record::CachedComponent;
pub use load::contract::packages as contract_packages;
pub use readers::{LanguageOutput, LanguageSource, LanguageSpec, SingleLanguage, TextOutcome};
pub use reuse::{CachedVerdicts, SharedEntry, SharedVerdicts, VerdictCache};
pub use seal::SealedText;
pub use services::HostServices;
pub use set::default_set::{analyzers, default_set};
pub use set::{EngineContext, Folder, GuardSet, GuardSource, GuardSpec, JudgedFolders, ReadComponent};
pub use text::escape::is_kebab;
pub use text::similar::{did_you_mean, nearest};
