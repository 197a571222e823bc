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

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "partDetails")]
pub struct PartDetails {
    pub round: u32,
    /// Its ref.
    pub kept: String,
    /// On the base of the run.
    #[serde(with = "Hex")]
    pub commit: Oid,
    /// Of the attempt.
    pub files: Vec<PartFile>,
    pub diff: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "partFile")]
pub struct PartFile {
    pub path: RepoPath,
    pub share: PartShare,
    /// Added and removed in the part.
    pub lines: u32,
    /// In the attempt.
    pub lines_of: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "partShare")]
pub enum PartShare {
    Whole,
    Partly,
    LeftOut,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "diff")]
pub struct ResultDiff {
    pub run: String,
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    pub branch: Option<String>,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    pub diff: String,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "taken")]
pub struct TakenReport {
    pub run: String,
    #[serde(skip)]
    pub task: String,
    pub action: TakenAction,
    /// `null` if HEAD is detached.
    pub onto: Option<String>,
    pub branch: Option<String>,
    pub branch_deleted: bool,
    /// The commit of the run.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// The commit of HEAD afterwards.
    #[serde(with = "OptionalHex")]
    pub head: Option<Oid>,
    pub attempts_deleted: usize,
    /// Of the result; `null` if the run judged exactly that.
    pub check: Option<CheckReport>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "takenAction")]
pub enum TakenAction {
    FastForwarded,
    Merged,
    /// A part of it.
    Staged,
    AlreadyAccepted,
    /// The guards reject the result: nothing was changed.
    #[default]
    Rejected,
    Discarded,
}

serialized_names!(TakenAction);
