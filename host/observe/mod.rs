//! Terminal, trace, records, reports: the only rooms that show anything.
//!
//! A report is plain data; five formats show it. While a command is at work, observers see its events: the terminal tells
//! them live, the trace keeps them, the records keep what was made.

mod artifact;
mod cases;
mod debug;
mod event;
mod fan;
mod github;
mod harmless;
mod human;
mod json;
mod junit;
mod log;
mod past;
mod plain;
mod records;
mod report;
mod sarif;
mod secrets;
mod terminal;
mod trace;
mod units;
mod words;

pub use artifact::Artifact;
pub use debug::DebugFolder;
pub use fan::Fan;
pub use github::summary;
pub use past::{Keep, prune};
pub use records::Records;
pub use report::{
    ApplyReport, AuthorReport, Backtest, BuiltReport, CheckReport, DoctorRow, Example, ExplainReport, ExplainRow,
    Explained, ExplainedRule, FailureReport, FixReport, Flip, GuardInfo, GuardRow, Health, Judges, NamedError,
    PastReport, PatchReport, PinChange, PinSide, PinsReport, PlanReport, Refusal, Report, RoundReport, RunReport,
    Setting, StepReport,
};
pub use secrets::Secrets;
pub use terminal::Terminal;
pub use trace::{Clock, Trace};

use crate::change::{Event, Observer};

/// How a report is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people, in a terminal or not.
    #[default]
    Human,
    /// One object on one line; `schema_version` 1, fields are added and never renamed.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML: a test case for each guard.
    Junit,
    /// GitHub Actions workflow commands.
    Github,
}

/// What the human format may use.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub color: bool,
    /// Columns.
    pub width: usize,
    /// Signs beyond ASCII.
    pub unicode: bool,
}

/// Tells every observer, in order.
pub fn observe(observers: &[&dyn Observer], event: &Event) {
    for observer in observers {
        observer.see(event);
    }
}

/// The bytes to write on standard output (or into `--output`); they end in a line feed. Only the human format looks at `look`.
pub fn render(report: &Report, format: Format, look: &Look) -> Vec<u8> {
    match format {
        Format::Human => human::render(report, look),
        Format::Json => json::render(report),
        Format::Sarif => sarif::render(report),
        Format::Junit => junit::render(report),
        Format::Github => github::render(report),
    }
}
