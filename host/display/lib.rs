//! Renders reports in the formats of [`OutputFormat`], and live events on a terminal.
//!
//! Reports are plain data of the `guardhost-report` crate, which also has the JSON format, since records keep JSON.

mod agent_trace;
mod badge;
mod broadcast;
mod format_units;
mod github;
mod gitlab;
mod hook;
mod human;
mod junit;
mod labels;
mod named_findings;
mod rdf;
mod sarif;
mod short;
mod terminal;
mod test_cases;
mod text;

pub use badge::badge;
pub use broadcast::Broadcast;
pub use github::summary;
pub use hook::hook;
pub use named_findings::{Level, NamedFinding, failure, message, named_findings};
pub use terminal::Terminal;
pub use test_cases::{CaseOutcome, TestCase, test_cases};

use guardhost_report::{Report, json};

/// How a report is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OutputFormat {
    /// For people, in a terminal or not.
    #[default]
    Human,
    /// One object on one line; `schema_version` 1: fields are added and never renamed.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML: a test case for each guard.
    Junit,
    /// GitHub Actions workflow commands.
    Github,
    /// The report of GitLab's Code Quality.
    Gitlab,
    /// For reviewdog: one object.
    Rdjson,
    /// For reviewdog: a line for each finding.
    Rdjsonl,
    /// Of `host report`: the runs themselves, for another `host report --bundle`. Everywhere else the same as json.
    Bundle,
    /// Of `host show`: a line for each commit, a record of Agent Trace. Everywhere else the same as json.
    AgentTrace,
    /// For models: a line for each finding with what to do, and the verdict.
    Short,
}

/// What the human format may use of the terminal.
#[derive(Debug, Clone, Copy)]
pub struct Appearance {
    pub color: bool,
    /// Columns of the terminal, at which lines are wrapped. None where no terminal shows them: lines are as long as they are.
    pub width: Option<usize>,
    /// Characters beyond ASCII.
    pub unicode: bool,
    /// Whether every guard gets a row. Otherwise the summary only counts the guards that found nothing.
    pub verbose: bool,
    pub rules: RuleMeanings,
}

/// What a rule means in a sentence, by the digest of the guard's component and the name of the rule; None where only the guard knows. For
/// formats that list rules beside findings.
pub type RuleMeanings = fn(digest: &str, rule: &str) -> Option<&'static str>;

/// For reports without rules: no rule is known.
pub const NO_RULES: RuleMeanings = |_, _| None;

/// The bytes for standard output or `--output`; they end in a line feed, if there are any: `rdjsonl` has no line for no finding. Only the human format uses `look`, but for the rules.
pub fn render(report: &Report, format: OutputFormat, look: &Appearance) -> Vec<u8> {
    match format {
        OutputFormat::Human => human::render(report, look),
        OutputFormat::Json | OutputFormat::Bundle => json::render(report),
        OutputFormat::Sarif => sarif::render(report, look.rules),
        OutputFormat::Junit => junit::render(report),
        OutputFormat::Github => github::render(report),
        OutputFormat::Gitlab => gitlab::render(report),
        OutputFormat::Rdjson => rdf::whole(report),
        OutputFormat::Rdjsonl => rdf::lines(report),
        OutputFormat::AgentTrace => agent_trace::render(report),
        OutputFormat::Short => short::render(report),
    }
}
