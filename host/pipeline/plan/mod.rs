//! A plan: tasks with subtasks, each of which becomes a change of its own.
//!
//! - `model`: a plan, and its steps as providers are asked for them; `file` is the JSON, which `read` reads and `write` writes.
//! - `context`: what a plan was made from. `layers`, `layered`: what the host does to every plan before its first step. `ask`: how a plan is
//!   made.
//! - `migration`: plans that follow from the tree alone.
//! - `tree_files`, `cited` and `sources` answer the layers' questions about the tree.

pub mod ask;
mod cited;
pub mod context;
mod file;
mod layered;
pub mod layers;
pub mod migration;
mod model;
mod read;
mod sources;
mod tree_files;
mod write;

pub use layered::{EarlierRuns, Layered, layered, past_runs};
pub use model::{Plan, PlanTask, PlannedStep};
pub use read::plan;
pub use tree_files::files_named_in;
pub use write::{json, written};
