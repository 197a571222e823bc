//! What a forge knows, in the words that forges share.

use jiff::Timestamp;

/// Which account a credential is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Viewer {
    /// A person or a machine account.
    User(String),
    /// An installation of an app, whose name the forge does not say. Its comments are those of bots.
    App,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullState {
    Open,
    Closed,
    Merged,
}

/// Whether a pull request can be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeState {
    /// The forge has not computed it yet, or says something unknown.
    Unknown,
    Clean,
    Conflicts,
    /// Checks or reviews are missing, or the branch is behind its base.
    Blocked,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    pub number: u64,
    /// The page for people.
    pub url: String,
    pub title: String,
    pub body: String,
    pub state: PullState,
    pub draft: bool,
    /// Short name of the branch with the change.
    pub head: String,
    pub head_sha: String,
    /// Short name of the branch that it is to be merged into.
    pub base: String,
    pub base_sha: String,
    /// The change is in another repository, so its builds get no secrets.
    pub from_fork: bool,
    pub merge: MergeState,
    pub labels: Vec<String>,
}

/// A pull request of whatever state, as a list of many shows it. All of its words are a stranger's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastPull {
    pub number: u64,
    pub title: String,
    pub state: PullState,
    /// The commit by which a merged one came into its base, as far as the forge names it.
    pub merge_commit: Option<String>,
    /// Short name of the branch with the change; empty where its repository is gone.
    pub head: String,
    /// The last commit of the change; empty where the forge does not say.
    pub head_sha: String,
    /// The account that opened it; empty where that is gone.
    pub author: String,
    /// The forge says that no person signs in with this account.
    pub is_by_bot: bool,
}

/// One page of a list of pull requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastPullPage {
    pub pulls: Vec<PastPull>,
    pub is_last: bool,
}

/// An issue of the tracker. All of its words are a stranger's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedIssue {
    pub number: u64,
    /// The page for people.
    pub url: String,
    pub title: String,
    /// Empty when it has none.
    pub body: String,
    pub is_open: bool,
}

/// A pull request to be opened.
#[derive(Debug, Clone)]
pub struct NewPull {
    pub head: String,
    pub base: String,
    pub title: String,
    pub body: String,
    pub draft: bool,
}

/// A comment on the whole pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub id: u64,
    pub body: String,
    /// The credential's own account wrote it.
    pub is_own: bool,
}

/// The side of a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiffSide {
    /// A deleted line, by its number before the change.
    Left,
    /// An added or an unchanged line, by its number after the change.
    Right,
}

/// A comment on lines of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineComment {
    pub id: u64,
    pub path: String,
    /// None when the lines are no longer in the diff.
    pub line: Option<u32>,
    pub body: String,
    pub is_own: bool,
}

#[derive(Debug, Clone)]
pub struct NewInline {
    /// The commit that the lines are counted in.
    pub sha: String,
    pub path: String,
    pub side: DiffSide,
    /// The first of several lines; always less than `line`.
    pub start_line: Option<u32>,
    pub line: u32,
    /// The number before the change of a line that it leaves as it is.
    pub old_line: Option<u32>,
    pub body: String,
    /// What the body holds and no other comment does: it is searched after a lost answer.
    pub marker: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusState {
    Pending,
    Success,
    Failure,
    /// The verdict is not known.
    Error,
}

/// A status of a commit. The newest of a context counts.
#[derive(Debug, Clone)]
pub struct CommitStatus {
    pub state: StatusState,
    pub context: String,
    /// At most 140 characters.
    pub description: String,
}

/// A check run of a commit: only apps can write one.
#[derive(Debug, Clone)]
pub struct CheckRun {
    pub name: String,
    /// Known to be this host's by it: a second one is not made.
    pub external_id: String,
    pub passed: bool,
    pub title: String,
    pub summary: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: String,
    pub additions: u64,
    pub deletions: u64,
}

/// How a build ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiConclusion {
    Success,
    Failure,
    Cancelled,
    TimedOut,
    /// A person has to allow it first.
    ActionRequired,
    /// It did not run, and that is no objection.
    Skipped,
    /// A word that this version does not know. Never a success.
    Unknown,
}

/// A run of a workflow, or what another service said of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CiRun {
    pub id: u64,
    pub name: String,
    pub head_sha: String,
    /// None while it is queued or at work.
    pub conclusion: Option<CiConclusion>,
    /// From 1.
    pub attempt: u32,
    pub url: String,
    /// Of the forge's own builder: it has jobs and logs, and can be started again.
    pub is_workflow: bool,
}

/// A job of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CiJob {
    pub id: u64,
    pub name: String,
    pub conclusion: Option<CiConclusion>,
    /// The first step that failed.
    pub failed_step: Option<String>,
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    Made,
    Changed,
    Unchanged,
}

impl WriteOutcome {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            WriteOutcome::Made => "made",
            WriteOutcome::Changed => "changed",
            WriteOutcome::Unchanged => "unchanged",
        }
    }
}

/// The repository itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryInfo {
    /// The branch that pull requests go to by default.
    pub default_branch: String,
    pub push: PushAccess,
}

/// Whether the credential's account may push to a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushAccess {
    Allowed,
    Denied,
    /// The forge does not say so, as for tokens of apps.
    Unknown,
}

impl From<Option<bool>> for PushAccess {
    fn from(allowed: Option<bool>) -> Self {
        match allowed {
            Some(true) => PushAccess::Allowed,
            Some(false) => PushAccess::Denied,
            None => PushAccess::Unknown,
        }
    }
}

/// What is left of the requests that a credential may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub limit: u64,
    pub remaining: u64,
    pub resets: Timestamp,
}
