//! Judging many changes of the past, several at once, with what was said of them before.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use guardhost_core::change::{
    Event, Finding, GuardVerdict, Judgement, NullObserver, Observer, RepoPath, Severity, Verdict, VerdictKind,
};
use guardhost_core::error::{Error, FaultKind, Result, kind};
use guardhost_engine::outlines::Outlines;
use guardhost_engine::{Kind, in_parallel};
use guardhost_gate::{Case, Door, Gate, Purpose, RuleChanges, RulesAt, Ruling, Terms, judges_digest};
use guardhost_git::{Head, PastChange, Repo, range};
use guardhost_pipeline::triage::objections::Objections;
use guardhost_pipeline::triage::proofs;
use guardhost_policy::PolicySource;
use guardhost_policy::config::Pin;
use serde::{Deserialize, Serialize};

use super::stored_verdicts::StoredVerdicts;
use super::triaged::PastTriage;
use crate::context::CommandContext;

/// Errors of one change that are kept: the rest is counted.
const ERRORS: usize = 20;

/// What the guards say of one change of the past.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PastVerdict {
    pub said: PastRuling,
    /// What each guard said, by id.
    pub guards: Vec<(String, PastGuardVerdict)>,
    /// The first errors of the guards that reject, each with the id of its guard.
    pub errors: Vec<(String, Finding)>,
    /// Errors that are not among these.
    pub more: usize,
    /// What of it is proved to be harmless; None where nobody asked.
    #[serde(default)]
    pub triage: Option<PastTriage>,
    /// It was said in an earlier run.
    #[serde(skip)]
    pub is_resumed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PastRuling {
    Accepted,
    Rejected,
    /// Some guard failed, and none rejects.
    Failed,
    /// Nothing was changed, or the change is not here whole: why.
    LeftOut(String),
}

/// A [`VerdictKind`] as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PastGuardVerdict {
    Pass,
    Reject,
    NotApplicable,
    Failed,
}

/// Raised when the host itself, and no guard, comes to say something else of a change: what builds of one version stored before does not count.
const REVISION: u32 = 2;

/// The guards of today, which judge the past.
pub struct Judges {
    gate: Gate,
    repo: Repo,
    kept: StoredVerdicts,
    fixed_notices: Vec<String>,
    /// Reads code where what is harmless is asked for; None where it is not.
    outlines: Option<Outlines>,
}

impl Judges {
    /// Reads the rules of HEAD. Nothing is looked up in the network. `only`: these guards; empty for all.
    ///
    /// # Errors
    /// Those of the rules and guards.
    pub fn open(
        source: &PolicySource<'_>,
        repo: &Repo,
        head: &Head,
        only: &[String],
        ctx: &CommandContext,
    ) -> Result<Self> {
        let source = PolicySource { config: source.config.clone(), offline: true, remember: None, ..ctx.policies() };
        // The rules of today are asked about the past, in which they may have been changed.
        let terms = Terms { only, ..Terms::at(Door::Past).with_rule_changes(RuleChanges::Allowed) };
        let gate = Gate::open(&source, repo, RulesAt { commit: head.commit, tree: head.tree }, &terms)?;
        let program = format!("{} {} {REVISION}", env!("CARGO_PKG_VERSION"), ctx.embedded.fingerprint);
        let kept = StoredVerdicts::open(repo, &program, &judges_digest(gate.policy()), ctx.global.fresh);
        let mut fixed_notices = gate.notices().to_vec();
        fixed_notices.extend(kept.notice().map(str::to_owned));
        Ok(Judges { gate, repo: repo.again()?, kept, fixed_notices, outlines: None })
    }

    /// What is harmless is asked for, if there is something that reads code.
    pub fn with_triage(self, outlines: Option<Outlines>) -> Self {
        Judges { outlines, ..self }
    }

    /// The ids of the guards, in order.
    pub fn ids(&self) -> Vec<String> {
        self.gate.guards().ids()
    }

    /// The guards with what their pins say of them.
    pub fn pins(&self) -> &[Pin] {
        &self.gate.policy().config.rules.guards
    }

    /// Whether people write the file at this path.
    pub fn is_written(&self, path: &RepoPath) -> bool {
        match self.gate.guards().kinds().kind(&path.to_string()) {
            Kind::Generated | Kind::Lock | Kind::Vendored => false,
            Kind::Code
            | Kind::Test
            | Kind::TestData
            | Kind::Example
            | Kind::Template
            | Kind::Document
            | Kind::Configuration
            | Kind::Other => true,
        }
    }

    /// About the rules, for the report.
    pub fn notices(&self) -> Vec<String> {
        self.fixed_notices.clone()
    }

    /// In the order of the changes; None: the work ended before.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub fn judge(&self, changes: &[PastChange], ctx: &CommandContext) -> Result<Vec<Option<PastVerdict>>> {
        let (done, begun) = (AtomicUsize::new(0), Instant::now());
        let one = |change: &PastChange| -> Result<Option<PastVerdict>> {
            let verdict = match self.kept.get(change).filter(|known| self.is_enough(known)) {
                Some(verdict) => PastVerdict { is_resumed: true, ..verdict },
                None if ctx.process.stop.check().is_err() => return Ok(None),
                None => match self.ask(change) {
                    Ok(verdict) => {
                        self.kept.put(change, &verdict);
                        verdict
                    }
                    Err(_) if ctx.process.stop.check().is_err() => return Ok(None),
                    Err(error) => return Err(error),
                },
            };
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            let left = begun.elapsed().as_secs() * (changes.len() - done) as u64 / done as u64;
            let text = format!("judged {done} of {} changes, about {left} s left: {}", changes.len(), change.subject);
            ctx.see(&Event::Progress { text });
            Ok(Some(verdict))
        };
        let judged: Vec<Result<Option<PastVerdict>, Error>> = in_parallel(changes, ctx.process.threads, one);
        judged.into_iter().collect()
    }

    /// Whether what was said in an earlier run answers what is asked in this one.
    fn is_enough(&self, known: &PastVerdict) -> bool {
        self.outlines.is_none() || known.triage.is_some() || matches!(known.said, PastRuling::LeftOut(_))
    }

    fn ask(&self, change: &PastChange) -> Result<PastVerdict> {
        // Objects of a candidate stay in memory as long as its handle.
        let repo = self.repo.again()?;
        let spec = match change.base {
            Some(base) => format!("{base}..{}", change.tip),
            None => change.tip.to_string(),
        };
        let candidate = match range(&repo, &spec) {
            Ok(candidate) => candidate,
            Err(error) if kind(&error) == FaultKind::Git => return Ok(PastVerdict::left_out(format!("{error:#}"))),
            Err(error) => return Err(error),
        };
        let case = Case { purpose: Purpose::Past, ..Case::report(candidate, None) };
        let ruling = self.gate.rule(case, &NullObserver)?;
        let found = match &self.outlines {
            Some(outlines) => {
                Some(proofs(ruling.candidate(), &Objections::of(&ruling), self.gate.guards().kinds(), outlines)?)
            }
            None => None,
        };
        let triage = found.as_deref().map(PastTriage::new);
        Ok(match ruling {
            Ruling::Judged(judged) => PastVerdict { triage, ..PastVerdict::from_judgement(judged.judgement()) },
            Ruling::Empty(_) => PastVerdict::left_out("it changes nothing".to_owned()),
            Ruling::Refused(_) => PastVerdict::left_out("it may not change what it changes".to_owned()),
        })
    }
}

impl PastVerdict {
    fn left_out(why: String) -> Self {
        let (guards, errors) = Default::default();
        PastVerdict { said: PastRuling::LeftOut(why), guards, errors, more: 0, triage: None, is_resumed: false }
    }

    fn from_judgement(judgement: &Judgement) -> Self {
        let against = judgement.against();
        let said = match judgement.verdict() {
            Verdict::Pass => PastRuling::Accepted,
            Verdict::Reject => PastRuling::Rejected,
            Verdict::Error => PastRuling::Failed,
        };
        let rejecting = judgement.evidence.iter().filter(|evidence| against.contains(&evidence.id.as_str()));
        let mut errors: Vec<(String, Finding)> = rejecting
            .flat_map(|evidence| match &evidence.verdict {
                GuardVerdict::Reject(findings) => {
                    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
                    errors.map(|finding| (evidence.id.clone(), finding.clone())).collect()
                }
                GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => Vec::new(),
            })
            .collect();
        let more = errors.len().saturating_sub(ERRORS);
        errors.truncate(ERRORS);
        let guards = judgement.evidence.iter().map(|evidence| (evidence.id.clone(), evidence.verdict.kind().into()));
        PastVerdict { said, guards: guards.collect(), errors, more, triage: None, is_resumed: false }
    }

    /// What stands in a file must not be a secret.
    pub fn may_be_kept(&self) -> bool {
        self.said != PastRuling::Failed && !self.errors.iter().any(|(_, finding)| finding.is_secret)
    }
}

impl From<VerdictKind> for PastGuardVerdict {
    fn from(verdict: VerdictKind) -> Self {
        match verdict {
            VerdictKind::Pass => PastGuardVerdict::Pass,
            VerdictKind::Reject => PastGuardVerdict::Reject,
            VerdictKind::NotApplicable => PastGuardVerdict::NotApplicable,
            VerdictKind::Error => PastGuardVerdict::Failed,
        }
    }
}
