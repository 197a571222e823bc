//! What a command came to, as plain data: `main` and `run` fill it in, the formats show it.

mod author;
mod authoring;
mod check;
mod explain;
mod guards;
mod health;
mod pins;
mod run;

use crate::journal::History;

pub use author::{AuthorReport, BuiltReport, RangeReport};
pub use authoring::{
    BenchResult, CaseFigures, CaseResult, CaseResults, Certificate, CertificateCheck, CheckOutcome, Growth,
    GuardFigures, JudgedChange, NewGuard, Point, RangeVerdicts,
};
pub use check::{CheckReport, FixReport, Refusal};
pub use explain::{Example, ExplainReport, ExplainRow, Explained, ExplainedRule, Judges, Setting};
pub use guards::{GuardInfo, GuardRow};
pub use health::{DoctorRow, FailureReport, Health};
pub use pins::{Backtest, Flip, PinChange, PinSide, PinsReport};
pub use run::{ApplyReport, NamedError, PatchReport, PlanReport, RoundReport, RunReport, StepReport};

pub enum Report {
    Check(CheckReport),
    Apply(ApplyReport),
    Run(Box<RunReport>),
    Plan(Box<PlanReport>),
    Patch(Box<PatchReport>),
    /// Newest first.
    Log(Vec<History>),
    LogRun(Box<History>),
    Guards(Vec<GuardRow>),
    GuardInfo(Box<GuardInfo>),
    Explain(ExplainReport),
    Pins(Box<PinsReport>),
    Author(Box<AuthorReport>),
    Doctor(Vec<DoctorRow>),
    Failure(FailureReport),
}
