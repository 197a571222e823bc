//! Writes down what each station came to: as events, as artifacts in the records, and as the report of the run.
//!
//! Each method takes what a station gave and hands it on, so that `run.rs` reads as the way itself.

use guardhost_patch::sanitize::CleanPatch;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

mod record_writer;

use crate::run::Way;
use guardhost_core::change::observe;
use guardhost_core::change::{
    Budget, Candidate, Event, Feedback, Fixing, Judgement, Mended, Observer, Oid, Patch, Quotes, Reply, RoundFailure,
    Settled, Usage,
};
use guardhost_core::error::{Error, Result, fault, kind};
use guardhost_git::{Repo, diff_text};
use guardhost_report::journal::{Artifact, Records};
use guardhost_report::journal::{ArtifactRef, unified};
use guardhost_report::{CheckReport, Refusal, RoundReport, RunReport};
use record_writer::Ledger;

pub struct Scribe<'a> {
    repo: &'a Repo,
    records: Option<&'a Records>,
    observers: &'a [&'a dyn Observer],
    ledger: Ledger<'a>,
    started: Instant,
    /// Grows as the run goes.
    report: Mutex<RunReport>,
    attempt: Mutex<Vec<u8>>,
}

/// Every event passes here on its way to the observers: stations tell the scribe, the scribe tells everybody.
impl Observer for Scribe<'_> {
    fn see(&self, event: &Event) {
        note(&mut self.report(), event);
        observe(self.observers, event);
    }
}

impl<'a> Scribe<'a> {
    pub fn begin(way: &Way<'a>) -> Result<Self> {
        let task = way.task.text.clone();
        let report = RunReport {
            run: way.id.clone(),
            task: task.clone(),
            base: way.head.commit,
            rounds_max: way.rounds,
            budget: way.chain.budget(),
            trace: way.records.map(|records| records.dir().join("trace.jsonl")),
            ..RunReport::default()
        };
        let scribe = Scribe {
            repo: way.repo,
            records: way.records,
            observers: way.observers,
            ledger: Ledger::begin(way)?,
            started: Instant::now(),
            report: Mutex::new(report),
            attempt: Mutex::default(),
        };
        scribe.see(&Event::RunStarted {
            run: way.id.clone(),
            repo: way.repo.git_dir().display().to_string(),
            base: way.head.commit.map_or_else(String::new, |oid| oid.to_string()),
            task,
            provider: way.chain.to_string(),
            guards: way.guards.ids(),
            rounds: way.rounds,
            budget: way.chain.budget(),
        });
        Ok(scribe)
    }

    fn report(&self) -> MutexGuard<'_, RunReport> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn round(&self) -> u32 {
        self.report().rounds.last().map_or(0, |round| round.round)
    }

    fn keep(&self, artifact: Artifact, bytes: &[u8]) -> Result<Option<ArtifactRef>> {
        self.records.map(|records| records.keep(self.round(), artifact, bytes)).transpose()
    }

    pub fn next_round(&self, round: u32, rounds: u32) -> Result<()> {
        self.ledger.round(round)?;
        self.see(&Event::RoundStarted { round, rounds });
        Ok(())
    }

    /// What tells this round's attempt from others: the tree that was placed, or else the reply's text.
    pub fn attempt(&self) -> Vec<u8> {
        self.attempt.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn attempted(&self, what: &[u8]) {
        *self.attempt.lock().unwrap_or_else(PoisonError::into_inner) = what.to_vec();
    }

    pub fn reply<'r>(&self, reply: &'r Reply) -> Result<&'r Reply> {
        self.keep(Artifact::Prompt, &reply.asked)?;
        self.keep(Artifact::Reply, &reply.bytes)?;
        Ok(reply)
    }

    pub fn mended(&self, reply: &Reply, mended: Mended) -> Mended {
        self.see(&Event::Mended { notes: mended.notes.clone() });
        self.ledger.replied(reply, &mended.bytes);
        self.attempted(&mended.bytes);
        mended
    }

    pub fn extracted(&self, patch: Patch) -> Result<Patch> {
        let kept = self.keep(Artifact::Extracted, &unified(&patch, true))?;
        self.ledger.found(&patch, kept);
        let files = patch.files.iter().map(|file| file.path.clone()).collect();
        self.see(&Event::Extracted { format: patch.format, files, notes: patch.notes.clone() });
        Ok(patch)
    }

    pub fn sanitized<'c>(&self, clean: &'c CleanPatch) -> Result<&'c CleanPatch> {
        self.keep(Artifact::Sanitized, &unified(clean.patch(), false))?;
        self.see(&Event::Sanitized { files: clean.patch().files.len() as u64 });
        Ok(clean)
    }

    pub fn placed<'c>(&self, candidate: &'c Candidate) -> Result<&'c Candidate> {
        self.see(&Event::Placed {
            tree: candidate.tree.to_string(),
            strategy: candidate.strategy,
            touched: candidate.touched(),
            notes: candidate.notes.clone(),
        });
        self.attempted(candidate.tree.as_bytes());
        let diff = diff_text(self.repo, candidate.base_tree, candidate.tree)?;
        let kept = self.keep(Artifact::FinalDiff, &diff)?;
        self.ledger.placed(candidate, kept)?;
        self.report().diff = Some(String::from_utf8_lossy(&diff).into_owned());
        Ok(candidate)
    }

    pub fn judged(&self, candidate: &Candidate, judgement: &Judgement) -> Result<()> {
        let check = CheckReport {
            base: candidate.base,
            candidate: Some(candidate.tree),
            judgement: judgement.clone(),
            quotes: Quotes::take(candidate, judgement),
            ..CheckReport::default()
        };
        let kept = self.records.map(|records| records.keep_judgement(self.round(), &check)).transpose()?;
        self.ledger.judged(judgement, kept.as_ref())?;
        if let Some(round) = self.report().rounds.last_mut() {
            round.check = Some(check);
        }
        Ok(())
    }

    /// What came of the guards' own fixes. It is kept beside the provider's own patch, not in its place.
    pub fn fixing(&self, fixing: Option<Fixing>) -> Result<Option<Fixing>> {
        let Some(tried) = &fixing else { return Ok(None) };
        if let Some(fixed) = tried.change() {
            let diff = diff_text(self.repo, fixed.candidate.base_tree, fixed.candidate.tree)?;
            let kept = self.keep(Artifact::FixedDiff, &diff)?;
            let judgement = fixed.judgement.clone();
            let check = CheckReport { candidate: Some(fixed.candidate.tree), judgement, ..CheckReport::default() };
            let judged = self.records.map(|records| records.keep_fixed_judgement(self.round(), &check)).transpose()?;
            let accepted = matches!(tried, Fixing::Accepted(_));
            self.ledger.fixed(fixed, accepted, kept, judged.as_ref())?;
            if accepted {
                self.report().diff = Some(String::from_utf8_lossy(&diff).into_owned());
            }
        }
        if let Some(round) = self.report().rounds.last_mut() {
            round.check = round.check.take().map(|check| check.with_fixing(tried));
        }
        Ok(fixing)
    }

    pub fn settling(&self, candidate: &Candidate) {
        self.see(&Event::Settling { tree: candidate.tree.to_string() });
    }

    pub fn settled(&self, outcome: Settled) -> Settled {
        match &outcome {
            Settled::Committed { branch, commit } => {
                self.see(&Event::Committed { branch: branch.clone(), commit: commit.to_string() });
            }
            Settled::Staged { tree } => self.see(&Event::Staged { tree: tree.to_string() }),
            Settled::Rejected { kept: Some(reference), .. } => {
                self.see(&Event::RejectedKept { reference: reference.clone() })
            }
            Settled::Rejected { kept: None, .. } => {}
        }
        outcome
    }

    /// A round that was not accepted. What guards said has its own events; the other setbacks are told here.
    pub fn setback(&self, setback: &RoundFailure) -> Result<()> {
        match setback {
            RoundFailure::NoPatch(none) => self.see(&Event::NoPatch { kind: none.kind, message: none.message.clone() }),
            RoundFailure::Refused(refused) => self.see(&Event::Refused {
                kind: refused.kind,
                path: refused.path.clone(),
                message: refused.message.clone(),
            }),
            RoundFailure::Misfit(misfit) => self.see(&Event::Misfit { at: misfit.at.clone() }),
            RoundFailure::Rejected(_) => {}
        }
        if let Some(round) = self.report().rounds.last_mut() {
            round.setback = Some(Refusal::from(setback));
        }
        self.ledger.setback(setback)
    }

    /// What the next round is told. Kept, so that a run can be taken up where it stopped.
    pub fn told(&self, told: &Feedback) -> Result<()> {
        self.keep(Artifact::Feedback, told.text.as_bytes())?;
        self.see(&Event::Feedback { text: told.text.clone() });
        Ok(())
    }

    /// The end of a run that came to a result, whichever.
    pub fn end(self, outcome: &'static str, cycle: Vec<String>) -> Result<RunReport> {
        if !cycle.is_empty() {
            self.see(&Event::Cycle { guards: cycle.clone() });
        }
        self.close(outcome, cycle, None)
    }

    fn close(self, outcome: &'static str, cycle: Vec<String>, why: Option<String>) -> Result<RunReport> {
        self.finish(outcome, why.clone())?;
        let mut report = self.report.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.outcome = outcome;
        report.cycle = cycle;
        report.why = why;
        // Only what was taken is shown; what was not lies in the records.
        report.diff = report.diff.filter(|_| matches!(outcome, "committed" | "staged"));
        Ok(report)
    }

    /// What all answers of the run took so far.
    pub fn spent(&self, spent: Usage) {
        self.report().spent = spent;
        self.ledger.spent(spent);
        let budget = self.report().budget;
        if budget != Budget::default() {
            self.see(&Event::Spent { spent, seconds: self.started.elapsed().as_secs(), budget });
        }
    }

    /// The end of a run that has used up what it may: what was reached stands.
    pub fn over_budget(self, error: &Error) -> Result<RunReport> {
        let hint = fault(error).and_then(|fault| fault.hint.clone()).unwrap_or_default();
        let why = format!("{error:#}; {hint}");
        self.see(&Event::Notice { text: why.clone() });
        self.close("over-budget", Vec::new(), Some(why))
    }

    /// The end of a run that could not go on.
    pub fn failed(self, error: Error) -> Error {
        let why = format!("{error:#}");
        self.see(&Event::Notice { text: why.clone() });
        match self.finish(kind(&error).name(), Some(why)) {
            Ok(()) => error,
            Err(records) => error.context(format!("its end could not be recorded either: {records:#}")),
        }
    }

    fn finish(&self, outcome: &'static str, why: Option<String>) -> Result<()> {
        let micros = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let (commit, rounds) = {
            let mut report = self.report();
            report.micros = micros;
            (report.commit.map(|oid| oid.to_string()), report.rounds.len() as u32)
        };
        self.ledger.end(outcome, commit.clone(), why, micros)?;
        self.see(&Event::RunEnded { outcome, commit, rounds, micros });
        Ok(())
    }
}

/// What an event adds to the report.
fn note(report: &mut RunReport, event: &Event) {
    match event {
        Event::RoundStarted { round, rounds } => {
            report.rounds_max = *rounds;
            report.rounds.push(RoundReport { round: *round, ..RoundReport::default() });
        }
        Event::Committed { branch, commit } => {
            report.branch = Some(branch.clone());
            report.commit = Oid::from_str(commit).ok();
        }
        Event::Notice { text } => report.notices.push(text.clone()),
        _ => {
            if let Some(round) = report.rounds.last_mut() {
                note_round(round, event);
            }
        }
    }
}

fn note_round(round: &mut RoundReport, event: &Event) {
    match event {
        Event::Asking { prompt, .. } => round.prompt = prompt,
        Event::ProviderFailed { provider, message, .. } => round.failed.push((provider.clone(), message.clone())),
        Event::Replied { provider, model, micros, usage, recorded, .. } => {
            round.provider = provider.clone();
            round.model = model.clone();
            round.micros = *micros;
            round.usage = *usage;
            round.recorded = *recorded;
        }
        Event::Mended { notes } => round.notes = notes.clone(),
        Event::Extracted { format, notes, .. } => {
            round.format = Some(*format);
            round.notes = notes.clone();
        }
        Event::Placed { strategy, touched, notes, .. } => {
            round.strategy = *strategy;
            round.touched = touched.clone();
            round.notes = notes.clone();
        }
        Event::Fixed { touched, notes, .. } => {
            round.touched = touched.clone();
            round.notes = notes.clone();
        }
        Event::Feedback { text } => round.feedback = Some(text.clone()),
        Event::RejectedKept { reference } => round.kept = Some(reference.clone()),
        _ => {}
    }
}
