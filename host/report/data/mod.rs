//! The reports of all commands as plain data. Commands fill them in, and the `guardhost-display` crate renders them.
//! Their JSON is derived: what a doc comment says of a report or a field is the reference in `docs/json.md`. Scripts rely on it: fields are
//! added, never renamed (`schema_version` 1).

mod account;
mod apply;
mod audit;
mod author;
mod backtest;
mod check;
mod commit_trace;
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
mod log;
mod made_plan;
mod past_run;
mod patch;
mod pins;
mod plan;
mod proofs;
mod pull;
mod pull_status;
mod queue;
mod refusal;
mod replay;
mod replay_keys;
mod review;
mod run;
mod shared_run;
mod stats;
mod suggest;
mod triage;
mod watch;

use schemars::JsonSchema;
use serde::Serialize;

pub use account::{ExplainedLines, ExplainedReply, ReadLines};
pub use apply::ApplyReport;
pub use audit::AuditReport;
pub use author::{
    AuthorReport, BenchFigures, BenchResult, BuiltReport, CaseFigures, CaseResult, CaseResults, Certificate,
    CertificateCheck, CheckOutcome, FuelPoint, Growth, JudgedChange, NewGuard, RangeReport, RangeVerdicts,
};
pub use backtest::{
    BacktestClass, BacktestForge, BacktestKind, BacktestMaker, BacktestReport, BacktestRule, BacktestTriage, BadEnd,
    ChangeOutcome, ForgeDifference, OutcomeCounts, OutcomeOdds, PullEndAtForge, StoppedChange, StoppedFinding,
};
pub use check::{CheckReport, FixReport};
pub use commit_trace::{CommitTrace, TracedFile, TracedRange, TracedWriter};
pub use doctor::{DoctorReport, DoctorRow, Health};
pub use explain::{
    Example, ExplainReport, ExplainRow, Explained, ExplainedRule, Judges, RuleMeaning, Setting, TitledFinding,
};
pub use failure::{FailureReport, Mistake};
pub use fix::{BatchReport, FixReview, IssueReport, IssuesReport};
pub use fleet::{FleetAlarm, FleetDead, FleetLane, FleetReport, FleetWorker, SubmitOutcome, SubmitReport};
pub use guard_info::{ClaimedLanguage, GuardInfo, GuardRight, LanguageInfo};
pub use guardhost_core::change::VerdictKind;
pub use guards::{GuardList, GuardRow, LanguageRow};
pub use hook::{HookOutcome, HookReport};
pub use improve::{ImproveReport, Voted};
pub use init::{FilesOfLanguage, InitEvidence, InitLinter, InitReport, InitTests, PastFinding, PastOfGuard};
pub use install::{FileState, InstallReport, InstalledFile};
pub use made_plan::{MadePlanReport, PlanStepReport, WrittenPlan, WrittenStep, WrittenTask};
pub use past_run::{PartDetails, PartFile, PartShare, ResultDiff, RunDetails, TakenAction, TakenReport};
pub use patch::{NamedError, PatchReport};
pub use pins::{Backtest, Flip, PinAction, PinChange, PinCommand, PinSide, PinsReport};
pub use plan::{PlanReport, StepReport};
pub use proofs::{ChangeProof, ProofState, Said, proofs, proofs_of};
pub use pull::{CommentCounts, OpenedPull, PullReport, PushDone, StepDone};
pub use pull_status::{FindingCounts, Mergeability, PullStanding, PullStatusReport};
pub use queue::{PullBreak, QueuePlace, QueueReport, QueuedPull};
pub use refusal::{RefusalKind, RefusalReport};
pub use replay::{
    AttestationReplay, ChangeReplay, CommitGuard, CommitReplay, ExportedRuns, GuardOutcome, GuardReplay, GuardSide,
    ProblemKind, Rebuilt, ReceiptReplay, ReceiptSignature, RecordProblem, ReplayReport, RunReplay, SignedReceipt,
};
pub use review::{PostedReview, Refined, Refinement, ReviewReport};
pub use run::{FailedProvider, RoundReport, RunReport};
pub use shared_run::{LogReport, LogRow, SharedLog, SharedRun, SharedRunReport};
pub use stats::{
    AgentFigures, AlarmFigures, GateFigures, GuardAlarms, QuietGuard, RuleAlarms, StatsReport, StoppedFigures,
    WeekFigures,
};
pub use suggest::{GuardSuggestion, QuietSuggestion, SuggestReport};
pub use triage::{LookReason, TriageClass, TriageReport, TriagedFile};
pub use watch::{BuildRow, BuildsOutcome, CiFix, WatchReport};

/// What a command reports. `main` renders it in the format that the user chose.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Report {
    /// `host check`
    Check(CheckReport),
    /// `host apply`
    Apply(ApplyReport),
    /// `host patch`
    Patch(Box<PatchReport>),
    /// `host run`, `host demo`
    Run(Box<RunReport>),
    /// `host run --plan`, `host run --resume` of a plan
    Plan(Box<PlanReport>),
    /// `host plan`
    MadePlan(Box<MadePlanReport>),
    /// `host improve`
    Improve(Box<ImproveReport>),
    /// `host audit`
    Audit(AuditReport),
    /// `host review`
    Review(Box<ReviewReport>),
    /// `host fix`
    Fix(Box<IssuesReport>),
    /// `host pr open`
    Pull(Box<PullReport>),
    /// `host pr status`
    PullStatus(Box<PullStatusReport>),
    /// `host pr watch`
    Watch(Box<WatchReport>),
    /// `host pr queue`
    Queue(Box<QueueReport>),
    /// `host log`
    Log(LogReport),
    /// `host stats`
    Stats(Box<StatsReport>),
    /// `host log RUN`, `host show`
    #[schemars(title = "logRun")]
    LogRun {
        run: Box<RunDetails>,
    },
    /// `host log RUN`, `host show` of a run that another machine made
    #[schemars(title = "sharedRun")]
    SharedRun {
        run: Box<SharedRunReport>,
    },
    /// `host replay`
    Replay(Box<ReplayReport>),
    /// `host backtest`
    Backtest(Box<BacktestReport>),
    /// `host guard suggest`
    Suggest(Box<SuggestReport>),
    /// `host init`
    Init(Box<InitReport>),
    /// `host show --diff`
    Diff(Box<ResultDiff>),
    /// `host accept`, `host discard`
    Taken(Box<TakenReport>),
    /// `host guard list`
    Guards(GuardList),
    /// `host guard info`
    #[schemars(title = "guardInfo")]
    GuardInfo {
        guard: Box<GuardInfo>,
    },
    /// `host guard info` of a language
    #[schemars(title = "languageInfo")]
    LanguageInfo {
        language: Box<LanguageInfo>,
    },
    Explain(ExplainReport),
    /// `host guard add`, `remove`, `lock`, `update`, `verify`, `vendor`, `publish`
    Pins(Box<PinsReport>),
    Author(Box<AuthorReport>),
    /// `host install`
    Install(InstallReport),
    /// `host submit`
    Submit(Box<SubmitReport>),
    /// `host fleet status`
    Fleet(Box<FleetReport>),
    /// `host doctor`, `host provider list`, `host provider test`
    Doctor(DoctorReport),
    /// Any command that failed
    #[schemars(title = "failure")]
    Failure {
        error: FailureReport,
    },
}
