//! Recorded runs: one that was committed with a fix, and one that was killed.

use guardhost_core::change::{Mode, PatchFormat, RecordedEnd, RunEnd, RunOutcome, Usage};
use guardhost_report::VerdictKind;
use guardhost_report::journal::{
    Actor, ActorKind, ArtifactRef, Body, Decision, DecisionType, DiffFormat, Evidence, History, Object, PatchSet, Run,
};

use super::check::{fixes, touched};

const RUN: &str = "0198f0a0-0000-7000-8000-000000000001";

/// Ids and times are fixed, so that snapshots are.
fn object(number: u8, body: Body, created_by: Actor) -> Object {
    Object {
        object_id: format!("0198f0a0-0000-7000-8000-0000000000{number:02x}"),
        version: 1,
        created_at: format!("2026-01-02T03:04:{number:02}.000000Z"),
        created_by,
        body,
    }
}

fn patch_set(sequence: u32, round: u32) -> PatchSet {
    PatchSet {
        run: RUN.to_owned(),
        sequence,
        round,
        prompt: Some("unified-diff/3".to_owned()),
        commit: Some("aaaa".to_owned()),
        format: DiffFormat::GitDiff,
        written_as: PatchFormat::V4a,
        artifact: Some(ArtifactRef::file(format!("{round}/final.diff"), b"diff")),
        tree: Some("bbbb".to_owned()),
        touched: touched(),
        rationale: Some("The README is shorter now.".to_owned()),
        mends: None,
        fixes: Vec::new(),
    }
}

fn evidence(of: &Object, tool: &str, verdict: VerdictKind, summary: Option<&str>) -> Body {
    Body::Evidence(Evidence {
        run_id: RUN.to_owned(),
        patchset_id: Some(of.object_id.clone()),
        kind: "guard".to_owned(),
        tool: tool.to_owned(),
        g: "G13".to_owned(),
        tool_version: "0.1.0".to_owned(),
        digest: "sha256:00".to_owned(),
        mode: Mode::Enforce,
        verdict,
        code: None,
        summary: summary.map(str::to_owned),
        findings: u32::from(summary.is_some()),
        micros: 812,
        fuel: 193_022,
        report_artifacts: vec![ArtifactRef::file("1/judgement.json".to_owned(), b"{}")],
    })
}

fn decision(round: u32, decision_type: DecisionType, of: &Object) -> Decision {
    Decision {
        run_id: RUN.to_owned(),
        round,
        decision_type,
        patchset_id: Some(of.object_id.clone()),
        rationale: None,
        outcome: None,
        result_commit_sha: None,
        micros: 1_000_000,
        spent: Usage::default(),
    }
}

/// A rejected patch, then one that the host fixed and committed.
pub fn committed() -> History {
    let model = Some("some-model".to_owned());
    let agent = || Actor { kind: ActorKind::Agent, id: "demo".to_owned(), display_name: model.clone() };
    let host = || Actor { kind: ActorKind::System, id: "guardhost/0.1.0".to_owned(), display_name: None };
    let run = Run {
        command: "run".to_owned(),
        task: "Tidy the README".to_owned(),
        provider: "demo".to_owned(),
        guards: vec!["docs-kept".to_owned()],
        commit: Some("aaaa".to_owned()),
        rounds: 3,
        ..Run::default()
    };
    let first = object(2, Body::PatchSet(patch_set(0, 1)), agent());
    let second = object(5, Body::PatchSet(patch_set(1, 2)), agent());
    let fixed = PatchSet { mends: Some(second.object_id.clone()), fixes: fixes(), ..patch_set(2, 2) };
    let fixed = object(6, Body::PatchSet(fixed), host());
    let lost = Some("2 of 3 examples are gone");
    let retry = Decision { rationale: lost.map(str::to_owned), ..decision(1, DecisionType::Retry, &first) };
    let spent = Usage { input_tokens: Some(812), output_tokens: Some(320), cost_usd: Some(0.0123) };
    let end = Decision {
        outcome: Some(RecordedEnd::Known(RunEnd::Result(RunOutcome::Committed))),
        result_commit_sha: Some("cccccccccccccccccccccccccccccccccccccccc".to_owned()),
        micros: 2_500_000,
        spent,
        ..decision(2, DecisionType::Commit, &fixed)
    };
    let mut history = History::default();
    history.run = RUN.to_owned();
    history.dir = ".git/guardhost/runs/sample".into();
    history.objects = vec![
        object(1, Body::Run(run), host()),
        object(3, evidence(&first, "docs-kept", VerdictKind::Reject, lost), host()),
        object(4, Body::Decision(retry), host()),
        object(7, evidence(&fixed, "docs-kept", VerdictKind::Pass, None), host()),
        object(8, evidence(&fixed, "scope-kept", VerdictKind::NotApplicable, Some("no task is known")), host()),
        object(9, Body::Decision(end), host()),
        first,
        second,
        fixed,
    ];
    history.objects.sort_by(|a, b| a.object_id.cmp(&b.object_id));
    history
}

/// Killed before its first record was complete.
pub fn killed() -> History {
    let mut history = History::default();
    history.run = "0198f0a0-0000-7000-8000-000000000000".to_owned();
    history.dir = ".git/guardhost/runs/killed".into();
    history.unread = 1;
    history
}
