//! Recorded runs: one that was committed with a fix, a plan with one step, and one that was killed; and what became of results.

use guardhost_core::change::{AttemptOutcome, Mode, PatchFormat, RecordedEnd, RunEnd, RunOutcome, Usage};
use guardhost_report::VerdictKind;
use guardhost_report::journal::{
    Actor, ActorKind, ArtifactRef, Decision, DecisionType, DiffFormat, History, Object, ObjectBody, Origin, PatchSet,
    Run, RunCommand, State, StoredEvidence,
};

use guardhost_report::{
    LogReport, PartDetails, PartFile, PartShare, ResultDiff, RunDetails, SharedLog, SharedRun, SharedRunReport,
    TakenAction, TakenReport,
};

use super::check::{accepted as accepting, check as rejecting, fixes, oid, touched};

const RUN: &str = "0198f0a0-0000-7000-8000-000000000001";

const BRANCH: &str = "guardhost/tidy-the-readme-00000001";

/// Ids and times are fixed, so that snapshots are.
fn object(number: u8, body: ObjectBody, created_by: Actor) -> Object {
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
        base_tree: None,
        message: None,
        mends: None,
        fixes: Vec::new(),
    }
}

fn evidence(of: &Object, tool: &str, verdict: VerdictKind, summary: Option<&str>) -> ObjectBody {
    ObjectBody::Evidence(StoredEvidence {
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
        receipt: None,
        pull_request: None,
        artifacts: Vec::new(),
    }
}

/// A rejected patch, then one that the host fixed and committed.
pub fn committed() -> History {
    let model = Some("some-model".to_owned());
    let agent = || Actor { kind: ActorKind::Agent, id: "demo".to_owned(), display_name: model.clone() };
    let host = || Actor { kind: ActorKind::System, id: "guardhost/0.1.0".to_owned(), display_name: None };
    let run = Run {
        command: RunCommand::Run,
        task: "Tidy the README".to_owned(),
        provider: "demo".to_owned(),
        guards: vec!["docs-kept".to_owned()],
        commit: Some("aaaa".to_owned()),
        rounds: 3,
        branch: Some(BRANCH.to_owned()),
        ..Run::default()
    };
    let first = object(2, ObjectBody::PatchSet(patch_set(0, 1)), agent());
    let second = object(5, ObjectBody::PatchSet(patch_set(1, 2)), agent());
    let fixed = PatchSet { mends: Some(second.object_id.clone()), fixes: fixes(), ..patch_set(2, 2) };
    let fixed = object(6, ObjectBody::PatchSet(fixed), host());
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
        object(1, ObjectBody::Run(run), host()),
        object(3, evidence(&first, "docs-kept", VerdictKind::Reject, lost), host()),
        object(4, ObjectBody::Decision(retry), host()),
        object(7, evidence(&fixed, "docs-kept", VerdictKind::Pass, None), host()),
        object(8, evidence(&fixed, "scope-kept", VerdictKind::NotApplicable, Some("no task is known")), host()),
        object(9, ObjectBody::Decision(end), host()),
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

pub fn details() -> RunDetails {
    let diff = "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-old\n+new\n";
    RunDetails { history: committed(), diff: Some(diff.to_owned()), ..RunDetails::default() }
}

pub fn killed_details() -> RunDetails {
    RunDetails { history: killed(), ..RunDetails::default() }
}

/// Nothing was committed, and a part of the attempt is acceptable.
pub fn details_with_part() -> RunDetails {
    let file = |path: &str, share, lines, lines_of| PartFile { path: path.into(), share, lines, lines_of };
    let part = PartDetails {
        round: 1,
        kept: format!("refs/guardhost/rejected/{RUN}/1-part"),
        commit: oid(0xcd),
        files: vec![
            file("README.md", PartShare::Whole, 2, 2),
            file("src/x.py", PartShare::Partly, 4, 6),
            file("src/y.py", PartShare::LeftOut, 0, 8),
        ],
        diff: details().diff.unwrap_or_default(),
    };
    RunDetails { part: Some(part), ..killed_details() }
}

const PLAN: &str = "0198f0a0-0000-7000-8000-0000000000ff";

/// A run without a patch, as a step of a plan that was resumed.
pub fn step() -> History {
    let host = || Actor { kind: ActorKind::System, id: "guardhost/0.1.0".to_owned(), display_name: None };
    let origin = Origin { plan: Some(PLAN.to_owned()), step: Some("T001-S01".to_owned()), ..Origin::default() };
    let run = Run {
        command: RunCommand::Run,
        task: "Shorten the guide".to_owned(),
        origin,
        branch: Some(BRANCH.to_owned()),
        ..Run::default()
    };
    let run = object(1, ObjectBody::Run(run), host());
    let end = Decision {
        patchset_id: None,
        rationale: Some("no-patch (prose): the reply is prose".to_owned()),
        outcome: Some(RecordedEnd::Known(RunEnd::Result(RunOutcome::Rejected))),
        ..decision(1, DecisionType::Abandon, &run)
    };
    let mut history = History::default();
    history.run = "0198f0a0-0000-7000-8000-000000000002".to_owned();
    history.dir = ".git/guardhost/runs/step".into();
    history.objects = vec![run, object(2, ObjectBody::Decision(end), host())];
    history
}

pub fn plan_details() -> RunDetails {
    let host = || Actor { kind: ActorKind::System, id: "guardhost/0.1.0".to_owned(), display_name: None };
    let origin = Origin { resumes: Some(RUN.to_owned()), ..Origin::default() };
    let run = Run {
        command: RunCommand::Plan,
        task: "a plan of 1 step".to_owned(),
        origin,
        branch: Some(BRANCH.to_owned()),
        ..Run::default()
    };
    let mut history = History::default();
    history.run = PLAN.to_owned();
    history.dir = ".git/guardhost/runs/plan".into();
    history.objects = vec![object(1, ObjectBody::Run(run), host())];
    RunDetails { history, steps: vec![step().listed()], ..RunDetails::default() }
}

pub fn listed() -> LogReport {
    LogReport { runs: vec![committed().listed(), step().listed(), killed().listed()], ..LogReport::default() }
}

fn shared_run() -> SharedRun {
    SharedRun {
        run: "0198f0a0-0000-7000-8000-0000000000aa".to_owned(),
        state: State::Ended,
        machine: Some("build-7".to_owned()),
        agent: "guardhost".to_owned(),
        ended_at: "2026-01-02T03:04:06.500000Z".to_owned(),
        title: Some("Let x return 2".to_owned()),
        ending: AttemptOutcome::Success,
        model: Some("some-model".to_owned()),
        branch: Some("guardhost/let-x-return-2-000000aa".to_owned()),
        commit: Some("dddddddddddddddddddddddddddddddddddddddd".to_owned()),
        plan: None,
        step: None,
        touched: vec!["src/x.py".to_owned()],
        failure_modes: Vec::new(),
    }
}

/// Of another program, which says less, and was rejected.
fn shared_step() -> SharedRun {
    SharedRun {
        run: "run-17".to_owned(),
        state: State::Ended,
        machine: None,
        agent: "gitoma".to_owned(),
        ended_at: "2026-01-01T00:00:00.000000Z".to_owned(),
        title: None,
        ending: AttemptOutcome::Fail,
        model: None,
        branch: None,
        commit: None,
        plan: Some(PLAN.to_owned()),
        step: Some("T001-S01".to_owned()),
        touched: vec!["a\u{1b}[31m.py".to_owned(), "b.py".to_owned()],
        failure_modes: vec!["syntax-holds".to_owned(), "docs-kept".to_owned()],
    }
}

pub fn shared() -> LogReport {
    let notices = vec!["the observer: GET /repo/agent-log: no whole answer came in time".to_owned()];
    let machine = Some("laptop".to_owned());
    let shared = SharedLog { machine, runs: vec![shared_run(), shared_step()], notices };
    LogReport { shared: Some(shared), ..listed() }
}

pub fn elsewhere() -> SharedRunReport {
    SharedRunReport { run: shared_step(), page: None, diff: None }
}

pub fn fetched() -> SharedRunReport {
    let page = Some("http://127.0.0.1:29030/pages/runs/0198f0a0-0000-7000-8000-0000000000aa".to_owned());
    SharedRunReport { run: shared_run(), page, diff: details().diff }
}

pub fn diff() -> ResultDiff {
    ResultDiff {
        run: RUN.to_owned(),
        base: Some(oid(0xaa)),
        commit: Some(oid(0xcc)),
        branch: Some(BRANCH.to_owned()),
        diff: details().diff.unwrap_or_default(),
    }
}

/// HEAD was what the run was made for.
pub fn accepted() -> TakenReport {
    TakenReport {
        run: RUN.to_owned(),
        task: "Tidy the README".to_owned(),
        action: TakenAction::FastForwarded,
        onto: Some("main".to_owned()),
        branch: Some(BRANCH.to_owned()),
        branch_deleted: true,
        commit: Some(oid(0xcc)),
        head: Some(oid(0xcc)),
        attempts_deleted: 0,
        check: None,
    }
}

pub fn merged() -> TakenReport {
    TakenReport { action: TakenAction::Merged, head: Some(oid(0xdd)), check: Some(accepting()), ..accepted() }
}

pub fn not_taken() -> TakenReport {
    TakenReport {
        action: TakenAction::Rejected,
        head: Some(oid(0xdd)),
        check: Some(rejecting()),
        branch_deleted: false,
        ..accepted()
    }
}

pub fn part_taken() -> TakenReport {
    TakenReport {
        action: TakenAction::Staged,
        branch: None,
        commit: None,
        branch_deleted: false,
        check: Some(accepting()),
        ..accepted()
    }
}

pub fn discarded() -> TakenReport {
    TakenReport { action: TakenAction::Discarded, onto: None, attempts_deleted: 2, ..accepted() }
}
