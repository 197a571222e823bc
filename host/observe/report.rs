//! What a command came to, as plain data: `main` and `run` fill it in, the formats show it.

use std::path::PathBuf;

use crate::change::{
    Budget, Format, Judgement, Misfit, MisfitAt, Mode, NoPatch, Note, Oid, Quotes, Refused, RepoPath, Setback,
    Severity, Strategy, Touched, Usage, Verdict,
};
use crate::error::{self, Error};
use crate::records::History;

use super::author::AuthorReport;
use super::explain::ExplainReport;
use super::fixing::FixReport;
use super::pins::{GuardInfo, PinsReport};

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

/// What `host check` found; also the part of a round and of `host apply` in which guards were asked.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// None in a repository without commits.
    pub base: Option<Oid>,
    /// The tree that was judged; None when the patch never became one.
    pub candidate: Option<Oid>,
    pub judgement: Judgement,
    /// Why no guard was asked.
    pub refusal: Option<Refusal>,
    /// What was mended on the way.
    pub notes: Vec<Note>,
    /// Things worth knowing that change nothing, one sentence each: what was left out of the judgement, and why.
    pub notices: Vec<String>,
    /// Source lines that the human format quotes under findings; may be empty.
    pub quotes: Quotes,
    /// What came of the guards' own fixes; None where there were none, or nobody asked for them.
    pub fixed: Option<FixReport>,
}

impl CheckReport {
    /// The judgement's verdict; a refused patch is rejected.
    pub fn verdict(&self) -> Verdict {
        if self.refusal.is_some() { Verdict::Reject } else { self.judgement.verdict() }
    }

    /// Findings of enforced guards.
    pub(super) fn count(&self, severity: Severity) -> usize {
        let enforced = self.judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        let findings = enforced.flat_map(|evidence| evidence.verdict.findings());
        findings.filter(|finding| finding.severity == severity).count()
    }
}

/// Why a patch did not come as far as a judgement, or was judged and turned down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `no-patch`, `refused`, `misfit`, `rejected`, or what the caller names (`dirty`, …).
    pub kind: &'static str,
    /// What exactly, kebab-case: `prose`, `git-internals`, `ambiguous`, …
    pub code: String,
    pub path: Option<RepoPath>,
    pub message: String,
    /// Every hunk that does not fit, for a misfit.
    pub at: Vec<MisfitAt>,
}

impl From<&NoPatch> for Refusal {
    fn from(none: &NoPatch) -> Self {
        Refusal { kind: "no-patch", code: word(none.kind), path: None, message: none.message.clone(), at: Vec::new() }
    }
}

impl From<&Refused> for Refusal {
    fn from(refused: &Refused) -> Self {
        let Refused { kind, path, message } = refused;
        Refusal { kind: "refused", code: word(*kind), path: path.clone(), message: message.clone(), at: Vec::new() }
    }
}

impl From<&Misfit> for Refusal {
    fn from(misfit: &Misfit) -> Self {
        let first = misfit.at.first();
        Refusal {
            kind: "misfit",
            code: first.map_or("not-found", |at| at.code).to_owned(),
            path: first.map(|at| at.path.clone()),
            message: misfit.to_string(),
            at: misfit.at.clone(),
        }
    }
}

impl From<&Setback> for Refusal {
    fn from(setback: &Setback) -> Self {
        match setback {
            Setback::NoPatch(none) => none.into(),
            Setback::Refused(refused) => refused.into(),
            Setback::Misfit(misfit) => misfit.into(),
            Setback::Rejected(rejection) => {
                let check = CheckReport { judgement: rejection.judgement.clone(), ..CheckReport::default() };
                Refusal {
                    kind: "rejected",
                    code: word(check.verdict()),
                    path: None,
                    message: format!("turned down by {}", check.judgement.against().join(", ")),
                    at: Vec::new(),
                }
            }
        }
    }
}

/// What `host apply` did.
#[derive(Debug, Clone, Default)]
pub struct ApplyReport {
    /// Index and work tree now hold the change (or, with `dry_run`, would).
    pub applied: bool,
    pub dry_run: bool,
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    pub notes: Vec<Note>,
    pub refusal: Option<Refusal>,
    /// None with `--no-guards`, and when the patch was refused before any guard was asked.
    pub check: Option<CheckReport>,
}

/// The story of a `host run`.
#[derive(Debug, Clone, Default)]
pub struct RunReport {
    pub run: String,
    pub task: String,
    /// As in [`crate::change::Event::RunEnded`]: `committed`, `rejected`, `no-change`, …
    pub outcome: &'static str,
    pub base: Option<Oid>,
    /// The run's branch; the user's own branches never move.
    pub branch: Option<String>,
    pub commit: Option<Oid>,
    pub rounds: Vec<RoundReport>,
    /// How many rounds were allowed.
    pub rounds_max: u32,
    /// Guards that could not both be pleased; empty unless the run stopped for that.
    pub cycle: Vec<String>,
    /// What was committed, as a git diff.
    pub diff: Option<String>,
    /// Why it ended as it did, where the last round does not tell.
    pub why: Option<String>,
    /// What the run was allowed, and what its answers took, as far as the providers tell.
    pub budget: Budget,
    pub spent: Usage,
    /// The JSONL trace.
    pub trace: Option<PathBuf>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

#[derive(Debug, Clone, Default)]
pub struct RoundReport {
    /// From 1.
    pub round: u32,
    /// The form of reply that was asked for last, and the version of the prompt's template.
    pub prompt: &'static str,
    /// Who answered.
    pub provider: String,
    pub model: Option<String>,
    /// The reply is a recording; shown wherever the reply is shown.
    pub recorded: bool,
    pub usage: Usage,
    /// Wall time of the answer.
    pub micros: u64,
    /// Providers that were asked first and failed: name and reason.
    pub failed: Vec<(String, String)>,
    pub notes: Vec<Note>,
    pub format: Option<Format>,
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    /// Why the round was not accepted; None when it was.
    pub setback: Option<Refusal>,
    pub check: Option<CheckReport>,
    /// What the next round is told.
    pub feedback: Option<String>,
    /// The ref under which a rejected attempt stays reachable.
    pub kept: Option<String>,
}

/// What `host patch` did.
#[derive(Debug, Clone)]
pub struct PatchReport {
    pub run: String,
    pub source: RepoPath,
    pub target: RepoPath,
    /// `staged`, `no-change` or `rejected`.
    pub outcome: &'static str,
    /// Of the last attempt.
    pub apply: ApplyReport,
    /// Set when it was rejected.
    pub error: Option<NamedError>,
    /// How many attempts there were.
    pub rounds: usize,
    /// What is kept of each attempt.
    pub artifacts: Vec<PathBuf>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// An error that programs know by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedError {
    /// Stable, kebab-case.
    pub code: &'static str,
    pub message: String,
}

/// What became of a plan.
#[derive(Debug, Clone, Default)]
pub struct PlanReport {
    /// Of the plan itself; each step that was tried has a run of its own.
    pub run: String,
    pub base: Option<Oid>,
    /// The plan's branch: a commit for each step that was accepted.
    pub branch: String,
    /// The last of them.
    pub commit: Option<Oid>,
    /// What the guards of the plan stage said.
    pub judgement: Judgement,
    /// In the order of the plan.
    pub steps: Vec<StepReport>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

#[derive(Debug, Clone, Default)]
pub struct StepReport {
    pub id: String,
    pub title: String,
    /// As of a run: `committed`, `no-change`, `rejected`, … or the kind of an error; `dropped` by a guard, `done` before, `not-reached`.
    pub outcome: String,
    /// Why it was not accepted.
    pub why: Option<String>,
    pub run: Option<String>,
    pub commit: Option<Oid>,
    pub rounds: usize,
    /// 0 unless it was tried and not accepted.
    pub exit_code: u8,
    pub micros: u64,
}

/// One line of `host guard list`.
#[derive(Debug, Clone, Default)]
pub struct GuardRow {
    pub id: String,
    pub mark: String,
    pub version: String,
    /// `builtin`, `path:…`, `https://…`, `oci://…`.
    pub source: String,
    pub digest: String,
    pub mode: Mode,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    pub grants: Vec<String>,
    pub promise: String,
}

/// One thing that `host doctor` looked at.
#[derive(Debug, Clone)]
pub struct DoctorRow {
    pub name: String,
    pub ok: Health,
    pub detail: String,
    /// What to do about it.
    pub hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    Pass,
    Warn,
    Fail,
}

/// A command that could not do its work.
#[derive(Debug, Clone)]
pub struct FailureReport {
    /// [`error::Kind::name`].
    pub kind: &'static str,
    /// [`error::Fault::code`].
    pub code: Option<&'static str>,
    pub message: String,
    /// From the outside in, without the message itself.
    pub causes: Vec<String>,
    pub hint: Option<String>,
    pub exit_code: u8,
}

impl From<&Error> for FailureReport {
    fn from(error: &Error) -> Self {
        let kind = error::kind(error);
        FailureReport {
            kind: kind.name(),
            code: error::fault(error).and_then(|fault| fault.code),
            message: error.to_string(),
            causes: error.chain().skip(1).map(ToString::to_string).collect(),
            hint: error::fault(error).and_then(|fault| fault.hint.clone()),
            exit_code: kind.exit_code(),
        }
    }
}

/// The word that serde writes for a variant without fields.
pub(super) fn word(variant: impl serde::Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(serde_json::Value::String(word)) => word,
        // No variant that is passed here carries data.
        other => unreachable!("not a plain variant: {other:?}"),
    }
}

impl Health {
    pub(super) fn word(self) -> &'static str {
        match self {
            Health::Pass => "pass",
            Health::Warn => "warn",
            Health::Fail => "fail",
        }
    }
}
