//! Writes the records of a run: each object once, as soon as all of it is known.

use guardhost_core::change::{
    Candidate, Evidence as Judged, EvidenceSource, FixedCandidate, Judgement, Patch, RecordedEnd, Reply, RoundFailure,
    RunEnd, Usage,
};
use guardhost_core::error::Result;
use guardhost_patch::formats::begins_patch;
use guardhost_report::RefusalReport;
use guardhost_report::journal::{
    Actor, ActorKind, ArtifactRef, Decision, DecisionType, DiffFormat, Object, ObjectBody, PatchSet, Records, Run,
    StoredEvidence, touched,
};

use crate::request::{RunContext, RunRequest};
use crate::settle::CommitTarget;
use guardhost_gate::{judges_digest, rules_digest};

/// Characters of the provider's own words on a patch.
const RATIONALE: usize = 2_000;

/// One for each run.
pub struct RecordWriter<'a> {
    records: Option<&'a Records>,
    run: String,
    commit: Option<String>,
    base_tree: String,
    round: u32,
    /// Number of the next PatchSet of the run.
    sequence: u32,
    /// What all answers of the run took so far.
    spent: Usage,
    reply: Option<ReplyNotes>,
    patch_set: RoundPatchSet,
    /// Why the round was not accepted.
    rationale: Option<String>,
    /// Of the judgement of the round.
    receipt: Option<String>,
}

/// The files of a judgement.
#[derive(Default)]
pub struct JudgementFiles {
    pub judgement: Option<ArtifactRef>,
    pub answers: Option<ArtifactRef>,
}

/// What the PatchSet of a round takes from its reply.
struct ReplyNotes {
    author: Actor,
    /// The text before the patch.
    words: Option<String>,
    prompt: Option<String>,
}

/// How far the PatchSet of the round is.
enum RoundPatchSet {
    None,
    /// Extracted, and neither placed nor refused yet.
    Extracted(Box<PatchSet>),
    /// Written under this id.
    Written(String, Box<PatchSet>),
}

impl<'a> RecordWriter<'a> {
    pub fn begin(request: &RunRequest, context: &RunContext<'a>) -> Result<Self> {
        let writer = RecordWriter {
            records: context.records,
            run: request.id.clone(),
            commit: request.base.commit.map(|oid| oid.to_string()),
            base_tree: request.base.tree.to_string(),
            round: 0,
            sequence: 0,
            spent: Usage::default(),
            reply: None,
            patch_set: RoundPatchSet::None,
            rationale: None,
            receipt: None,
        };
        let run = Run {
            command: request.command.clone(),
            task: request.task.text.clone(),
            hints: request.task.hints.clone(),
            mode: request.task.mode,
            origin: request.origin.clone(),
            commit: writer.commit.clone(),
            provider: context.chain.to_string(),
            guards: context.gate.guards().ids(),
            rounds: context.rounds,
            rules: Some(rules_digest(context.gate.policy())),
            judged_by: Some(judges_digest(context.gate.policy())),
            budget: context.chain.budget(),
            branch: match &request.target {
                CommitTarget::Branch(branch) => Some(branch.clone()),
                CommitTarget::Index(_) => None,
            },
        };
        writer.write(&Object::named(request.id.clone(), ObjectBody::Run(run), Actor::host()))?;
        Ok(writer)
    }

    /// A round begins; the one before it was answered with feedback.
    pub fn round(&mut self, round: u32) -> Result<()> {
        if round > 1 {
            self.decide(DecisionType::Retry, None, None, 0)?;
        }
        self.round = round;
        self.reply = None;
        self.patch_set = RoundPatchSet::None;
        self.rationale = None;
        Ok(())
    }

    pub fn spent(&mut self, usage: Usage) {
        self.spent = usage;
    }

    pub fn replied(&mut self, reply: &Reply, repaired: &[u8]) {
        let name = Some(reply.provider.as_str()).filter(|name| !name.trim().is_empty()).unwrap_or("unnamed");
        self.reply = Some(ReplyNotes {
            author: Actor { kind: ActorKind::Agent, id: name.to_owned(), display_name: reply.model.clone() },
            words: prose_before_patch(repaired),
            prompt: Some(reply.prompt.to_owned()).filter(|prompt| !prompt.is_empty()),
        });
    }

    pub fn extracted(&mut self, patch: &Patch, artifact: Option<ArtifactRef>) {
        let reply = self.reply.as_ref();
        self.patch_set = RoundPatchSet::Extracted(Box::new(PatchSet {
            run: self.run.clone(),
            sequence: self.sequence,
            round: self.round,
            prompt: reply.and_then(|reply| reply.prompt.clone()),
            commit: self.commit.clone(),
            base_tree: Some(self.base_tree.clone()),
            message: None,
            format: DiffFormat::UnifiedDiff,
            written_as: patch.format,
            artifact,
            tree: None,
            touched: touched(patch),
            rationale: patch.message.clone().or_else(|| reply.and_then(|reply| reply.words.clone())),
            mends: None,
            fixes: Vec::new(),
        }));
    }

    /// A candidate that changes nothing has no PatchSet.
    pub fn placed(&mut self, candidate: &Candidate, artifact: Option<ArtifactRef>) -> Result<()> {
        match std::mem::replace(&mut self.patch_set, RoundPatchSet::None) {
            RoundPatchSet::Extracted(extracted) if !candidate.files.is_empty() => self.propose(PatchSet {
                format: DiffFormat::GitDiff,
                artifact,
                tree: Some(candidate.tree.to_string()),
                message: candidate.message.clone(),
                touched: candidate.touched()?,
                ..*extracted
            }),
            RoundPatchSet::Extracted(_) | RoundPatchSet::Written(..) | RoundPatchSet::None => Ok(()),
        }
    }

    fn propose(&mut self, patch_set: PatchSet) -> Result<()> {
        let author = self.reply.as_ref().map_or_else(Actor::host, |reply| reply.author.clone());
        let id = self.write_patch_set(&patch_set, author)?;
        self.patch_set = RoundPatchSet::Written(id, Box::new(patch_set));
        Ok(())
    }

    fn write_patch_set(&mut self, patch_set: &PatchSet, author: Actor) -> Result<String> {
        let object = Object::new(ObjectBody::PatchSet(patch_set.clone()), author);
        self.write(&object)?;
        self.sequence += 1;
        Ok(object.object_id)
    }

    pub fn judged(&mut self, judgement: &Judgement, kept: JudgementFiles, receipt: Option<&str>) -> Result<()> {
        self.receipt = receipt.map(str::to_owned);
        let id = match &self.patch_set {
            RoundPatchSet::Written(id, _) => Some(id.clone()),
            RoundPatchSet::Extracted(_) | RoundPatchSet::None => None,
        };
        self.evidence(judgement, id, &kept)
    }

    /// The same patch with the guards' fixes: a PatchSet of the host's, which takes the other's place when it was accepted.
    pub fn fixed(
        &mut self,
        fixed: &FixedCandidate,
        accepted: bool,
        artifact: Option<ArtifactRef>,
        kept: JudgementFiles,
    ) -> Result<()> {
        let RoundPatchSet::Written(id, own) = &self.patch_set else { return Ok(()) };
        let patch_set = PatchSet {
            sequence: self.sequence,
            artifact,
            tree: Some(fixed.candidate.tree.to_string()),
            message: fixed.candidate.message.clone(),
            touched: fixed.candidate.touched()?,
            rationale: None,
            mends: Some(id.clone()),
            fixes: fixed.fixes.clone(),
            ..(**own).clone()
        };
        let id = self.write_patch_set(&patch_set, Actor::host())?;
        self.evidence(&fixed.judgement, Some(id.clone()), &kept)?;
        if accepted {
            self.patch_set = RoundPatchSet::Written(id, Box::new(patch_set));
        }
        Ok(())
    }

    fn evidence(&self, judgement: &Judgement, patchset: Option<String>, kept: &JudgementFiles) -> Result<()> {
        for evidence in &judgement.evidence {
            let recorded = recorded(evidence, &self.run, patchset.clone(), kept);
            self.write(&Object::new(ObjectBody::Evidence(recorded), Actor::host()))?;
        }
        Ok(())
    }

    pub fn failure(&mut self, failure: &RoundFailure) -> Result<()> {
        let RefusalReport { kind, code, message, .. } = RefusalReport::from(failure);
        self.rationale = Some(short(&format!("{} ({code}): {message}", kind.as_str())));
        // A patch that could not be placed was proposed all the same.
        match std::mem::replace(&mut self.patch_set, RoundPatchSet::None) {
            RoundPatchSet::Extracted(extracted) => self.propose(*extracted),
            other => {
                self.patch_set = other;
                Ok(())
            }
        }
    }

    /// The decision that ends the run.
    pub fn end(&mut self, end: RunEnd, commit: Option<String>, why: Option<String>, micros: u64) -> Result<()> {
        if let Some(why) = why {
            self.rationale = Some(short(&why));
        }
        let decision_type = match end {
            RunEnd::Result(outcome) if outcome.is_taken() => DecisionType::Commit,
            RunEnd::Result(_) | RunEnd::Failed(_) => DecisionType::Abandon,
        };
        self.decide(decision_type, Some(RecordedEnd::Known(end)), commit, micros)
    }

    fn decide(
        &mut self,
        decision_type: DecisionType,
        outcome: Option<RecordedEnd>,
        commit: Option<String>,
        micros: u64,
    ) -> Result<()> {
        let patchset_id = match std::mem::replace(&mut self.patch_set, RoundPatchSet::None) {
            RoundPatchSet::Written(id, _) => Some(id),
            extracted @ RoundPatchSet::Extracted(_) => {
                self.patch_set = extracted;
                None
            }
            RoundPatchSet::None => None,
        };
        let decision = Decision {
            run_id: self.run.clone(),
            round: self.round,
            decision_type,
            patchset_id,
            rationale: self.rationale.take(),
            outcome,
            result_commit_sha: commit,
            micros,
            spent: self.spent,
            receipt: self.receipt.take(),
            pull_request: None,
            artifacts: Vec::new(),
        };
        self.write(&Object::new(ObjectBody::Decision(decision), Actor::host()))
    }

    fn write(&self, object: &Object) -> Result<()> {
        self.records.map_or(Ok(()), |records| records.record(object))
    }
}

/// One guard's word as it is recorded.
pub fn recorded(evidence: &Judged, run: &str, patchset: Option<String>, kept: &JudgementFiles) -> StoredEvidence {
    let findings = evidence.verdict.findings();
    let answers = kept.answers.as_ref().filter(|_| !evidence.basis.answers.is_empty());
    let first = || findings.first().map(|finding| finding.message.clone());
    StoredEvidence {
        run_id: run.to_owned(),
        patchset_id: patchset,
        kind: kind(evidence.source).into(),
        tool: evidence.id.clone(),
        g: evidence.mark.clone(),
        tool_version: evidence.version.clone(),
        digest: evidence.digest.clone(),
        mode: evidence.mode,
        verdict: (&evidence.verdict).into(),
        code: evidence.verdict.code().map(str::to_owned),
        summary: evidence.verdict.reason().map(str::to_owned).or_else(first),
        findings: u32::try_from(findings.len()).unwrap_or(u32::MAX),
        micros: evidence.micros,
        fuel: evidence.fuel,
        report_artifacts: kept.judgement.iter().chain(answers).cloned().collect(),
    }
}

fn kind(source: EvidenceSource) -> &'static str {
    match source {
        EvidenceSource::Guard => "guard",
        EvidenceSource::Host => "host",
    }
}

/// What the reply says before its patch begins.
fn prose_before_patch(reply: &[u8]) -> Option<String> {
    let reply = String::from_utf8_lossy(reply);
    let before = reply.lines().take_while(|line| !begins_patch(line));
    let words = before.collect::<Vec<_>>().join("\n");
    Some(short(words.trim())).filter(|words| !words.is_empty())
}

fn short(text: &str) -> String {
    match text.char_indices().nth(RATIONALE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
