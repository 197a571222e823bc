//! `host log RUN`, `host show`, `host show --diff`, `host accept` and `host discard`: one recorded run, and what becomes of its result.

use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::serialized_names;
use guardhost_core::written::{Hex, OptionalHex};
use schemars::JsonSchema;
use serde::Serialize;

use super::{CheckReport, CommitTrace, ExplainedReply};
use crate::journal::{History, ListedRun};

/// A recorded run in full.
#[derive(Debug, Clone, Default)]
pub struct RunDetails {
    pub history: History,
    /// Of a plan, oldest first.
    pub steps: Vec<ListedRun>,
    /// What the run committed, as a git diff; None when it committed nothing, or the commit is gone.
    pub diff: Option<String>,
    /// Of a run that committed nothing, what of its newest attempt the guards accept.
    pub part: Option<PartDetails>,
    /// What each line of its replies was read as, if that was asked for.
    pub replies: Vec<ExplainedReply>,
    /// Who wrote the lines of its commits, if that was asked for. Only the format of Agent Trace shows it.
    pub traces: Vec<CommitTrace>,
}

/// The part of a rejected attempt that the guards accept by itself.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "partDetails")]
pub struct PartDetails {
    /// The round of the attempt.
    pub round: u32,
    /// The ref of the part.
    pub kept: String,
    /// On the base of the run.
    #[serde(with = "Hex")]
    pub commit: Oid,
    /// The files of the attempt.
    pub files: Vec<PartFile>,
    /// The part as a git diff.
    pub diff: String,
}

/// What of a file of the attempt is in the part.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "partFile")]
pub struct PartFile {
    pub path: RepoPath,
    pub share: PartShare,
    /// Added and removed.
    pub lines: u32,
    /// The same of the attempt.
    pub lines_of: u32,
}

/// How much of a file is in the part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "partShare")]
pub enum PartShare {
    Whole,
    /// Some of its hunks.
    Partly,
    LeftOut,
}

/// What a run committed.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "diff")]
pub struct ResultDiff {
    pub run: String,
    /// `null` in a repository without commits.
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    /// The branch of the run.
    pub branch: Option<String>,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// As a git diff.
    pub diff: String,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "taken")]
pub struct TakenReport {
    pub run: String,
    #[serde(skip)]
    pub task: String,
    pub action: TakenAction,
    /// That HEAD names; `null` if detached.
    pub onto: Option<String>,
    /// The run's own.
    pub branch: Option<String>,
    /// Whether it was deleted.
    pub branch_deleted: bool,
    /// The commit of the run.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// The commit of HEAD afterwards.
    #[serde(with = "OptionalHex")]
    pub head: Option<Oid>,
    pub attempts_deleted: usize,
    /// On the result as it is on HEAD; `null` if the run judged exactly that.
    pub check: Option<CheckReport>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "takenAction")]
pub enum TakenAction {
    /// HEAD is at the run's commit.
    FastForwarded,
    /// HEAD is a merge with the run's commit.
    Merged,
    /// A part is in index and work tree.
    Staged,
    /// HEAD held the commit already.
    AlreadyAccepted,
    /// The guards reject the result on HEAD: nothing was changed; the default.
    #[default]
    Rejected,
    /// The branch of the run is gone.
    Discarded,
}

serialized_names!(TakenAction);
