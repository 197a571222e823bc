//! The types that the stages hand on: provide → repair → extract → sanitize → apply → guard → settle.
//!
//! Stages do not know one another; they know these types.

mod account;
mod answers;
mod autofix;
mod candidate;
mod commit;
mod event;
mod evidence;
mod finding;
mod host_rule;
mod inapplicable;
mod judgement;
mod layer;
mod missing_object;
mod outcome;
mod patch;
mod path;
mod plan;
mod quotes;
mod rejection;
mod remembered;
mod replacement;
mod reply;
mod verdict;

pub use account::{Account, AccountPart, LineRole};
pub use answers::{Answer, Answers, Basis, RecordedAnswers, Service};
pub use autofix::{AppliedFix, Autofix, FixedCandidate};
pub use candidate::{
    Blob, Candidate, ChangeType, FileChange, FileMode, Objects, Oid, Strategy, Touched, Tree, TreeEntry,
};
pub use commit::{CommitEdits, CommitInfo, CommitLog, EditedFile, RecentCommits, ReplacedLines};
pub use event::{DiskStep, Event, NullObserver, Observer, observe};
pub use evidence::{Allowance, AllowedFinding, Evidence, EvidenceSource, LogLine};
pub use finding::{Edit, Finding, Fix, Related, Severity};
pub use host_rule::HostRule;
pub use inapplicable::Inapplicable;
pub use judgement::{Judgement, Verdict};
pub use layer::{DroppedStep, LayerEdits, LayerGuard, LayerReport, PlanEdit, PlanLayer, RewrittenHints};
pub use missing_object::MissingObject;
pub use outcome::{AttemptOutcome, RecordedEnd, RoundFailure, RunEnd, RunOutcome, Settled, StepOutcome};
pub use patch::{
    Author, Existence, FileOp, FilePatch, HeaderCounts, Hunk, Line, Misfit, MisfitAt, NoPatch, NoPatchKind, Patch,
    PatchFormat, Refused, RefusedKind, Sections, Tail,
};
pub use path::RepoPath;
pub use plan::{PastRun, PlanStep, RunEnding, RunHistory, StepAction, step_digest};
pub use quotes::Quotes;
pub use rejection::{RejectedLines, RejectedPlace, Rejection};
pub use remembered::{
    AllowedBy, RememberedAllowance, RememberedFinding, RememberedRuling, RememberedVerdict, RulingMemory,
};
pub use replacement::{Replacement, TextPlace};
pub use reply::{Budget, Feedback, Note, RepairedReply, Reply, Task, TaskMode, Usage};
pub use verdict::{COULD_NOT_LOOK, Failed, GuardVerdict, Mode, VerdictKind};
