//! The reports of all commands as plain data. Commands fill them in; `json` and the `guardhost-display` crate render them.

mod apply;
mod audit;
mod author;
mod check;
mod doctor;
mod explain;
mod failure;
mod fix;
mod fleet;
mod guard_info;
mod guards;
mod hook;
mod improve;
mod init;
mod install;
mod made_plan;
mod past_run;
mod patch;
mod pins;
mod plan;
mod pull;
mod pull_status;
mod queue;
mod refusal;
mod replay;
mod review;
mod run;
mod shared_run;
mod verdict;
mod watch;

pub use apply::ApplyReport;
pub use audit::AuditReport;
pub use author::{
    AuthorReport, BenchResult, BuiltReport, CaseFigures, CaseResult, CaseResults, Certificate, CertificateCheck,
    CheckOutcome, Growth, GuardFigures, JudgedChange, NewGuard, Point, RangeReport, RangeVerdicts,
};
pub use check::{CheckReport, FixReport};
pub use doctor::{DoctorRow, Health};
pub use explain::{Example, ExplainReport, ExplainRow, Explained, ExplainedRule, Judges, Setting};
pub use failure::{FailureReport, Mistake};
pub use fix::{BatchReport, FixReview, IssueReport, IssuesReport};
pub use fleet::{FleetAlarm, FleetDead, FleetLane, FleetReport, FleetWorker, SubmitOutcome, SubmitReport};
pub use guard_info::{GuardInfo, GuardRight};
pub use guards::{GuardList, GuardRow};
pub use hook::{HookOutcome, HookReport};
pub use improve::{ImproveReport, Voted};
pub use init::{InitReport, PastFinding, PastOfGuard};
pub use install::{FileState, InstallReport, InstalledFile};
pub use made_plan::{MadePlanReport, PlannedStep};
pub use past_run::{ResultDiff, RunDetails, TakenAction, TakenReport};
pub use patch::{NamedError, PatchReport};
pub use pins::{Backtest, Flip, PinAction, PinChange, PinCommand, PinSide, PinsReport};
pub use plan::{PlanReport, StepReport};
pub use pull::{CommentCounts, OpenedPull, PullReport, PushDone, StepDone};
pub use pull_status::{FindingCounts, Mergeability, PullStanding, PullStatusReport};
pub use queue::{PullBreak, QueuePlace, QueueReport, QueuedPull};
pub use refusal::{Refusal, RefusalKind};
pub use replay::{
    ChangeReplay, CommitGuard, CommitReplay, ExportedRuns, GuardOutcome, GuardReplay, GuardSide, ProblemKind, Rebuilt,
    ReceiptReplay, ReceiptSignature, RecordProblem, ReplayReport, RunReplay, SignedReceipt,
};
pub use review::{PostedReview, Refined, Refinement, ReviewReport};
pub use run::{RoundReport, RunReport};
pub use shared_run::{LogReport, LogRow, SharedEnding, SharedLog, SharedRun, SharedRunReport};
pub use verdict::VerdictKind;
pub use watch::{BuildRow, BuildsOutcome, CiFix, WatchReport};

/// What a command reports. `main` renders it in the format that the user chose.
pub enum Report {
    Check(CheckReport),
    Apply(ApplyReport),
    Run(Box<RunReport>),
    /// `host run --plan`.
    Plan(Box<PlanReport>),
    /// `host plan`.
    MadePlan(Box<MadePlanReport>),
    /// `host improve`.
    Improve(Box<ImproveReport>),
    /// `host review`.
    Review(Box<ReviewReport>),
    /// `host replay`.
    Replay(Box<ReplayReport>),
    /// `host fix`.
    Fix(Box<IssuesReport>),
    /// `host pr open`.
    Pull(Box<PullReport>),
    /// `host pr status`.
    PullStatus(Box<PullStatusReport>),
    /// `host pr queue`.
    Queue(Box<QueueReport>),
    /// `host pr watch`.
    Watch(Box<WatchReport>),
    Patch(Box<PatchReport>),
    /// `host log`.
    Log(LogReport),
    /// `host log RUN` and `host show`.
    LogRun(Box<RunDetails>),
    /// The same of a run that another machine made.
    SharedRun(Box<SharedRunReport>),
    /// `host show --diff`.
    Diff(Box<ResultDiff>),
    /// `host accept` and `host discard`.
    Taken(Box<TakenReport>),
    /// `host init`.
    Init(Box<InitReport>),
    /// `host guard list`.
    Guards(GuardList),
    /// `host guard info`.
    GuardInfo(Box<GuardInfo>),
    Explain(ExplainReport),
    /// `host guard lock`, `add`, `remove`, `update`, `verify`, `vendor` and `publish`.
    Pins(Box<PinsReport>),
    /// `host guard new`, `build`, `test`, `run`, `bench` and `certify`.
    Author(Box<AuthorReport>),
    Doctor(Vec<DoctorRow>),
    Install(InstallReport),
    Audit(AuditReport),
    /// `host submit`.
    Submit(Box<SubmitReport>),
    /// `host fleet status`.
    Fleet(Box<FleetReport>),
    /// Any command that ended in an error.
    Failure(FailureReport),
}
