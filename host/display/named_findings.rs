//! Every finding of a report with what the formats for other tools share: its rule, how grave it is, and by what it is known again.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use guardhost_core::change::{Allowance, AllowedFinding, Finding, Quotes, Severity};
use guardhost_report::Report;
use guardhost_report::escape;

use super::test_cases::{CaseOutcome, TestCase, check_of};

/// Maximum characters of a message; code scanning shows about a thousand.
pub const MAX_TEXT: usize = 4_000;

/// Where a finding about the whole change stands, for formats that want a file of each.
pub const WHOLE_CHANGE: &str = ".";

pub struct NamedFinding<'a> {
    pub case: &'a TestCase<'a>,
    pub finding: &'a Finding,
    /// Why it does not count. None: it does.
    pub allowed: Option<&'a Allowance>,
    /// `GUARD/RULE`.
    pub rule: String,
    pub level: Level,
    /// The same in every report of the same problem, and another one for each finding of a report.
    pub fingerprint: String,
}

/// How grave a finding is, the most severe first. A monitored guard never blocks a change, so its findings are at most warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Error,
    Warning,
    Note,
}

impl Level {
    pub fn from_finding(case: &TestCase, finding: &Finding) -> Self {
        match finding.severity {
            Severity::Error => Level::from_case(case),
            Severity::Warning => Level::Warning,
            Severity::Info => Level::Note,
        }
    }

    /// Of a case that failed as a whole.
    pub fn from_case(case: &TestCase) -> Self {
        if case.enforced { Level::Error } else { Level::Warning }
    }
}

/// Those of each case in their order, then those that are allowed.
pub fn named_findings<'a>(cases: &'a [TestCase<'a>], report: &Report) -> Vec<NamedFinding<'a>> {
    let quotes = quotes_of(report);
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut named = |case: &'a TestCase<'a>, finding: &'a Finding, allowed: Option<&'a Allowance>| {
        let rule = escape::inline(&format!("{}/{}", case.id, finding.rule), 200);
        let quote = finding.path.as_deref().zip(finding.line).filter(|_| allowed.is_none());
        let print = fingerprint(&rule, finding, quote.and_then(|(path, line)| quotes?.line(path, line)));
        let nth = seen.entry(print.clone()).and_modify(|nth| *nth += 1).or_insert(1);
        let fingerprint = format!("{print}:{nth}");
        NamedFinding { case, finding, allowed, rule, level: Level::from_finding(case, finding), fingerprint }
    };
    let mut found = Vec::new();
    for case in cases {
        found.extend(case.findings.iter().map(|finding| named(case, finding, None)));
        found.extend(case.allowed.iter().map(|AllowedFinding { finding, by }| named(case, finding, Some(by))));
    }
    found
}

/// The source lines of the report's findings.
pub fn quotes_of(report: &Report) -> Option<&Quotes> {
    check_of(report).map(|check| &check.quotes)
}

/// Why a case failed about which no finding speaks. None for all others.
pub fn failure<'a>(case: &'a TestCase) -> Option<&'a str> {
    let speaks = match case.outcome {
        CaseOutcome::Fail => case.findings.is_empty(),
        CaseOutcome::Error => true,
        CaseOutcome::Skipped | CaseOutcome::Pass => false,
    };
    speaks.then(|| case.reason.as_deref().unwrap_or("it failed"))
}

/// The message, and below it what to do.
pub fn message(finding: &Finding) -> String {
    let help = finding.help.as_ref().map(|help| format!("\n\nHelp: {help}")).unwrap_or_default();
    escape::block(&format!("{}{help}", finding.message), MAX_TEXT)
}

/// A hash of rule, path and quoted line (without a quote: the message without its digits). The line number is left out, so
/// that a finding keeps its fingerprint when lines above it come and go.
fn fingerprint(rule: &str, finding: &Finding, quote: Option<&str>) -> String {
    let what = match quote {
        Some(line) => line.trim().to_owned(),
        None => finding.message.chars().filter(|c| !c.is_ascii_digit()).collect(),
    };
    let mut sha = Sha256::new();
    for part in [rule, finding.path.as_deref().unwrap_or_default(), &what] {
        sha.update(part.len().to_le_bytes());
        sha.update(part);
    }
    sha.finalize()[..16].iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
