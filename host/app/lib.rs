//! The application: command line, commands, sessions of agents, MCP, ACP, the language server. `main` hands in what the process was given.
//!
//! A program of its own judges what a model sent without the command line:
//!
//! ```
//! use guardhost_core::change::{NullObserver, Reply};
//! use guardhost_core::process_env::ProcessEnv;
//! use guardhost_engine::JudgeContext;
//! use guardhost_git::Repo;
//! use guardhost_pipeline::many::PatchJudge;
//! use guardhost_policy::PolicySource;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("greet.py"), "def greet():\n    return 'hi'\n")?;
//! # for line in ["init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm first"] {
//! #     assert!(std::process::Command::new("git").args(line.split(' ')).current_dir(folder.path()).status()?.success());
//! # }
//! // Nothing below reads the environment: what this process was given is named here.
//! let process = ProcessEnv { cwd: folder.path().to_owned(), threads: 1, ..ProcessEnv::default() };
//! let source = PolicySource {
//!     process: &process,
//!     embedded: &guards::EMBEDDED,
//!     config: None,
//!     offline: true,
//!     demands_lock: false,
//!     fresh: true,
//!     shared: None,
//!     remember: None,
//! };
//! let repo = Repo::open(folder.path())?;
//! let head = repo.head()?;
//! let judge = PatchJudge::new(repo, head, &source)?;
//! let accepts = |new: &str| -> Result<bool, Box<dyn std::error::Error>> {
//!     let diff = format!("--- a/greet.py\n+++ b/greet.py\n@@ -1,2 +1,2 @@\n def greet():\n-    return 'hi'\n+{new}\n");
//!     let reply = Reply { bytes: diff.into_bytes(), ..Reply::default() };
//!     let ruling = judge.judge(&reply, &JudgeContext { task: None, observer: &NullObserver })?;
//!     Ok(ruling.is_ok_and(|ruling| ruling.is_accepted()))
//! };
//! assert!(accepts("    return 'hello'")?);
//! assert!(!accepts("    return (")?, "Python does not parse it");
//! # Ok(())
//! # }
//! ```

pub mod acp;
mod canary;
pub mod cli;
pub mod command;
mod context;
pub mod exit_code;
#[cfg(any(feature = "lsp", feature = "mcp"))]
mod file_address;
pub mod hook;
pub mod install;
pub mod interrupt;
mod json_rpc;
#[cfg(feature = "lsp")]
pub mod lsp;
#[cfg(feature = "mcp")]
pub mod mcp;
mod missing_objects;
pub mod observing;
pub mod program;
pub mod session;
