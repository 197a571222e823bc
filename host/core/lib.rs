//! The types that every crate of Guardhost shares, and errors that a person can act on.
//!
//! An error says what kind it is, which decides the exit code of the command, and what to do next:
//!
//! ```
//! use guardhost_core::error::{Context as _, Fault, FaultKind, fault};
//!
//! let read = std::fs::read_to_string("guards.toml.missing");
//! let error = read
//!     .context(Fault::new(FaultKind::Usage, "there are no rules").hint("write some with host init"))
//!     .expect_err("there is no such file");
//! let found = fault(&error).expect("the fault is found through the causes");
//! assert_eq!(found.kind, FaultKind::Usage);
//! assert_eq!(found.hint.as_deref(), Some("write some with host init"));
//! assert!(format!("{error:#}").starts_with("there are no rules: "));
//! ```

pub mod audit;
pub mod cache;
pub mod canonical;
pub mod change;
pub mod component;
pub mod error;
pub mod issue;
pub mod limits;
pub mod machine;
pub mod masked;
pub mod process_env;
pub mod renamed_guards;
pub mod sensitive;
pub mod setting;
pub mod stop;
pub mod syntax;
pub mod vote;
pub mod written;
