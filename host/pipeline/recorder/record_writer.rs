//! The records of a run: each object is written once, as soon as all of it is known.

use std::sync::{Mutex, MutexGuard, PoisonError};

use guardhost_core::change::{Candidate, FixedCandidate, Judgement, Patch, Reply, RoundFailure, Usage};
use guardhost_core::error::Result;
use guardhost_report::Refusal;
use guardhost_report::journal::Records;
use guardhost_report::journal::{
    Actor, ActorKind, ArtifactRef, Body, Decision, DecisionType, DiffFormat, Evidence, Object, PatchSet, Run, touched,
};

use crate::run::Way;

/// Characters of the provider's own words on a patch.
const RATIONALE: usize = 2_000;

pub struct Ledger<'a> {
    records: Option<&'a Records>,
    run: String,
    commit: Option<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    round: u32,
    sequence: u32,
    /// Who gave this round's reply.
    author: Option<Actor>,
    words: Option<String>,
    prompt: Option<String>,
    /// By all answers of the run so far.
    spent: Usage,
    /// Found in the reply, and neither placed nor refused yet.
    draft: Option<PatchSet>,
    /// The round's PatchSet and its id, once it is written.
    proposed: Option<(String, PatchSet)>,
    /// Why the round was not accepted.
    against: Option<String>,
}

impl<'a> Ledger<'a> {
    pub fn begin(way: &Way<'a>) -> Result<Self> {
        let commit = way.head.commit.map(|oid| oid.to_string());
        let ledger = Ledger { records: way.records, run: way.id.clone(), commit, state: Mutex::default() };
        let run = Run {
            command: way.command.to_owned(),
            task: way.task.text.clone(),
            hints: way.task.hints.clone(),
            mode: way.task.mode,
            origin: way.origin.clone(),
            commit: ledger.commit.clone(),
            provider: way.chain.to_string(),
            guards: way.guards.ids(),
            rounds: way.rounds,
            budget: way.chain.budget(),
        };
        ledger.write(&Object::named(way.id.clone(), Body::Run(run), Actor::host()))?;
        Ok(ledger)
    }

    /// The next round begins, so the last one was told back.
    pub fn round(&self, round: u32) -> Result<()> {
        if round > 1 {
            self.decide(DecisionType::Retry, None, None, 0)?;
        }
        let mut state = self.state();
        *state = State { round, sequence: state.sequence, spent: state.spent, ..State::default() };
        Ok(())
    }

    pub fn spent(&self, usage: Usage) {
        self.state().spent = usage;
    }

    pub fn replied(&self, reply: &Reply, mended: &[u8]) {
        let mut state = self.state();
        let name = Some(reply.provider.as_str()).filter(|name| !name.trim().is_empty()).unwrap_or("unnamed");
        state.author = Some(Actor { kind: ActorKind::Agent, id: name.to_owned(), display_name: reply.model.clone() });
        state.words = words(mended);
        state.prompt = Some(reply.prompt.to_owned()).filter(|prompt| !prompt.is_empty());
    }

    pub fn found(&self, patch: &Patch, artifact: Option<ArtifactRef>) {
        let mut state = self.state();
        state.draft = Some(PatchSet {
            run: self.run.clone(),
            sequence: state.sequence,
            round: state.round,
            prompt: state.prompt.clone(),
            commit: self.commit.clone(),
            format: DiffFormat::UnifiedDiff,
            written_as: patch.format,
            artifact,
            tree: None,
            touched: touched(patch),
            rationale: patch.message.clone().or_else(|| state.words.take()),
            mends: None,
            fixes: Vec::new(),
        });
    }

    pub fn placed(&self, candidate: &Candidate, artifact: Option<ArtifactRef>) -> Result<()> {
        let found = self.state().draft.take();
        // Who changes nothing proposes nothing.
        let Some(found) = found.filter(|_| !candidate.files.is_empty()) else { return Ok(()) };
        let tree = Some(candidate.tree.to_string());
        let touched = candidate.touched();
        self.propose(PatchSet { format: DiffFormat::GitDiff, artifact, tree, touched, ..found })
    }

    fn propose(&self, patch_set: PatchSet) -> Result<()> {
        let author = self.state().author.clone().unwrap_or_else(Actor::host);
        let id = self.patch_set(&patch_set, author)?;
        self.state().proposed = Some((id, patch_set));
        Ok(())
    }

    fn patch_set(&self, patch_set: &PatchSet, author: Actor) -> Result<String> {
        let object = Object::new(Body::PatchSet(patch_set.clone()), author);
        self.write(&object)?;
        self.state().sequence += 1;
        Ok(object.object_id)
    }

    pub fn judged(&self, judgement: &Judgement, report: Option<&ArtifactRef>) -> Result<()> {
        let patchset = self.state().proposed.as_ref().map(|(id, _)| id.clone());
        self.evidence(judgement, patchset, report)
    }

    /// The same patch with the guards' fixes: a PatchSet of the host's, which takes the other's place when it was accepted.
    pub fn fixed(
        &self,
        fixed: &FixedCandidate,
        accepted: bool,
        artifact: Option<ArtifactRef>,
        report: Option<&ArtifactRef>,
    ) -> Result<()> {
        let (Some((id, own)), sequence) = ({
            let state = self.state();
            (state.proposed.clone(), state.sequence)
        }) else {
            return Ok(());
        };
        let patch_set = PatchSet {
            sequence,
            artifact,
            tree: Some(fixed.candidate.tree.to_string()),
            touched: fixed.candidate.touched(),
            rationale: None,
            mends: Some(id),
            fixes: fixed.fixes.clone(),
            ..own
        };
        let id = self.patch_set(&patch_set, Actor::host())?;
        self.evidence(&fixed.judgement, Some(id.clone()), report)?;
        if accepted {
            self.state().proposed = Some((id, patch_set));
        }
        Ok(())
    }

    fn evidence(&self, judgement: &Judgement, patchset: Option<String>, report: Option<&ArtifactRef>) -> Result<()> {
        for evidence in &judgement.evidence {
            let findings = evidence.verdict.findings();
            let first = || findings.first().map(|finding| finding.message.clone());
            let body = Body::Evidence(Evidence {
                run_id: self.run.clone(),
                patchset_id: patchset.clone(),
                kind: "guard".into(),
                tool: evidence.id.clone(),
                g: evidence.mark.clone(),
                tool_version: evidence.version.clone(),
                digest: evidence.digest.clone(),
                mode: evidence.mode,
                verdict: evidence.verdict.word().into(),
                code: evidence.verdict.code().map(str::to_owned),
                summary: evidence.verdict.reason().map(str::to_owned).or_else(first),
                findings: u32::try_from(findings.len()).unwrap_or(u32::MAX),
                micros: evidence.micros,
                fuel: evidence.fuel,
                report_artifacts: report.into_iter().cloned().collect(),
            });
            self.write(&Object::new(body, Actor::host()))?;
        }
        Ok(())
    }

    pub fn setback(&self, setback: &RoundFailure) -> Result<()> {
        let Refusal { kind, code, message, .. } = Refusal::from(setback);
        let draft = {
            let mut state = self.state();
            state.against = Some(short(&format!("{kind} ({code}): {message}")));
            state.draft.take()
        };
        // What could not be placed was proposed all the same.
        draft.map_or(Ok(()), |draft| self.propose(draft))
    }

    /// The decision that ends the run.
    pub fn end(&self, outcome: &str, commit: Option<String>, why: Option<String>, micros: u64) -> Result<()> {
        let taken = matches!(outcome, "committed" | "staged");
        if let Some(why) = why {
            self.state().against = Some(short(&why));
        }
        let decision_type = if taken { DecisionType::Commit } else { DecisionType::Abandon };
        self.decide(decision_type, Some(outcome.to_owned()), commit, micros)
    }

    fn decide(
        &self,
        decision_type: DecisionType,
        outcome: Option<String>,
        commit: Option<String>,
        micros: u64,
    ) -> Result<()> {
        let body = {
            let mut state = self.state();
            Body::Decision(Decision {
                run_id: self.run.clone(),
                round: state.round,
                decision_type,
                patchset_id: state.proposed.take().map(|(id, _)| id),
                rationale: state.against.take(),
                outcome,
                result_commit_sha: commit,
                micros,
                spent: state.spent,
            })
        };
        self.write(&Object::new(body, Actor::host()))
    }

    fn write(&self, object: &Object) -> Result<()> {
        self.records.map_or(Ok(()), |records| records.record(object))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the reply says before its patch begins.
fn words(reply: &[u8]) -> Option<String> {
    const BEGINNINGS: [&str; 9] = ["<<<", "```", "~~~", "diff --git ", "--- ", "*** Begin Patch", "Index: ", "{", "["];
    let reply = String::from_utf8_lossy(reply);
    let before = reply.lines().take_while(|line| !BEGINNINGS.iter().any(|begin| line.trim_start().starts_with(begin)));
    let words = before.collect::<Vec<_>>().join("\n");
    Some(short(words.trim())).filter(|words| !words.is_empty())
}

fn short(text: &str) -> String {
    match text.char_indices().nth(RATIONALE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
