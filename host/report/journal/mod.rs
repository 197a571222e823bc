//! What happened in runs, as immutable objects: Run, PatchSet, Evidence, Decision.
//!
//! A run has one file of its own, `runs/<run>/records.jsonl`: an object a line, appended and never changed. What is current (the
//! status of a PatchSet, the end of a run) is stored nowhere; [`History`] derives it from the objects whenever it is asked.
//!
//! Not a database, though one was planned: a run appends to a file that nobody else writes, so there is nothing to lock, to wait for, to
//! repair or to migrate; a killed run leaves all but its last line; removing a run's folder removes its records with it.
//! Opening SQLite takes longer than everything that is written here, and its journal does not work on every shared drive.

mod artifact;
mod debug;
mod find;
mod history;
mod object;
mod outcomes;
mod retention;
mod secrets;
mod trace;
mod unified;
mod writer;

pub use artifact::Artifact;
pub use debug::DebugFolder;
pub use find::{FoundRun, find, latest};
pub use history::{ApplyStatus, History, State};
pub use object::{
    Actor, ActorKind, ArtifactRef, Body, Decision, DecisionType, DiffFormat, Evidence, Object, Origin, PatchSet, Run,
};
pub use outcomes::RecordedRuns;
pub use retention::{Keep, prune};
pub use secrets::Secrets;
pub use trace::{Clock, Trace};
pub use unified::{touched, unified};

pub use writer::Records;

use std::path::{Path, PathBuf};

/// The objects of one run, in its folder.
pub const FILE: &str = "records.jsonl";

/// Where the folders of runs lie; each is named by its run's id.
pub fn runs_dir(state_dir: &Path) -> PathBuf {
    state_dir.join("runs")
}
