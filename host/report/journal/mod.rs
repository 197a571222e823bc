//! The journal: what runs leave behind, for people, for `host log` and for guards that look at past runs.
//!
//! A run has a folder of its own, `runs/<run>/` (`run_folder.rs`):
//!
//! | path | what | file here |
//! |---|---|---|
//! | `records.jsonl` | immutable objects, one a line: Run, PatchSet, Evidence, Decision, Issue | `objects.rs` |
//! | `trace.jsonl` | every event, one a line | `trace.rs` |
//! | `summary.json`, … | what was derived from the records of a run that has ended | `derived.rs`, `listed_run.rs` |
//! | `<round>/…` | prompt, reply, patches, judgement | `artifact.rs` |
//!
//! `writer.rs` writes the folder, with secrets masked (`secrets.rs`), lines of records sealed (`seal.rs`) and patches as unified diffs (`unified_diff.rs`);
//! `patch_debug.rs` writes the same patches once more for older tools. `find.rs`, `history.rs` and `ancestry.rs` read it, `past_runs.rs` sums
//! it up for guards, and `retention.rs` removes it.
//!
//! Current state (the status of a PatchSet, the end of a run) follows from the objects: [`History`] derives it. A summary only remembers
//! what was derived, and counts for the record that it was derived from.
//!
//! Not a database, for these reasons: each run appends to a file that no other process writes, so nothing must be locked,
//! repaired or migrated; a killed run loses at most its last line; removing a run's folder removes its records. Opening SQLite
//! takes longer than writing all of this, and SQLite's own journal does not work on every shared drive.

mod ancestry;
mod artifact;
mod derived;
mod event;
mod find;
mod guard_events;
mod history;
mod listed_run;
mod objects;
mod past_runs;
mod patch_debug;
mod retention;
mod review;
mod run_command;
mod run_folder;
mod seal;
mod secrets;
mod trace;
mod unified_diff;
mod writer;

pub use ancestry::{ancestry, first_run};
pub use artifact::Artifact;
pub use derived::DerivedFile;
pub use find::{FoundRun, find, latest, latest_listed, newest_first, recorded_ids, recorded_runs};
pub use history::{ApplyStatus, ArtifactState, Depth, History, State};
pub use listed_run::{LatestPatch, ListedRun};
pub use objects::{
    Actor, ActorKind, ArtifactRef, Decision, DecisionType, DiffFormat, IssueRecord, Object, ObjectBody, Origin,
    PatchSet, RecordedPull, Run, StoredEvidence,
};
pub use past_runs::RecordedRuns;
pub use patch_debug::DebugFolder;
pub use retention::{ExpiredRun, Keep, expired};
pub use review::{EmbeddedCritic, ReviewRecord};
pub use run_command::RunCommand;
pub use run_folder::RECORDS;
pub(crate) use run_folder::{append_to, cannot_write, private_dir};
pub use seal::SealState;
pub use secrets::Secrets;
pub use trace::{Clock, Trace};
pub use unified_diff::{quoted_name, touched, unified};
pub use writer::{ANSWERS, FIXED_ANSWERS, FIXED_JUDGEMENT, JUDGEMENT, REVIEW, Records};
