//! A run with a round of every kind, a plan with a step of every kind, and both ends of `host patch`.

use guardhost_core::audit::Measurement;
use guardhost_core::change::{
    GuardVerdict, Judgement, LayerGuard, LayerReport, NoPatch, NoPatchKind, Note, PatchFormat, PlanEdit, PlanLayer,
    Rejection, RoundFailure, RunEnd, RunOutcome, StepAction, StepOutcome, Strategy, Usage,
};
use guardhost_core::error::FaultKind;
use guardhost_core::vote::{Approval, Ballot, Refusal};
use guardhost_report::{
    ApplyReport, FailedProvider, ImproveReport, MadePlanReport, NamedError, PatchReport, PlanReport, PlanStepReport,
    RoundReport, RunReport, StepReport, Voted, WrittenPlan, WrittenStep, WrittenTask,
};

use super::check::{apply, check, evidence, fixed, fixes, judgement, misfit, oid, touched};
use super::review::vote;

pub fn run() -> RunReport {
    let usage = Usage { input_tokens: Some(812), output_tokens: Some(320), cost_usd: Some(0.0123) };
    let round = |round| RoundReport { round, provider: "demo".to_owned(), recorded: true, ..RoundReport::default() };
    let first = RoundReport {
        failed: vec![FailedProvider { provider: "primary".to_owned(), reason: "rate limited".to_owned() }],
        model: Some("some-model".to_owned()),
        usage,
        micros: 1_234_567,
        failure: Some(
            (&RoundFailure::NoPatch(NoPatch::new(NoPatchKind::Prose, "the reply explains, and holds no patch"))).into(),
        ),
        feedback: Some("Your reply holds no patch.\nAnswer with one.".to_owned()),
        ..round(1)
    };
    let second = RoundReport {
        notes: vec![Note::new("crlf", "line endings of README.md")],
        format: Some(PatchFormat::GitDiff),
        strategy: Some(Strategy::Offset),
        touched: touched(),
        failure: Some((&RoundFailure::Rejected(Rejection { judgement: judgement(), ..Rejection::default() })).into()),
        check: Some(check()),
        kept: Some("refs/guardhost/rejected/r1/2".to_owned()),
        ..round(2)
    };
    let third = RoundReport {
        notes: fixes().iter().map(|fix| Note::new("fix", fix)).collect(),
        format: Some(PatchFormat::JsonList),
        strategy: Some(Strategy::Exact),
        touched: touched(),
        check: Some(fixed()),
        ..round(3)
    };
    RunReport {
        run: "r1".to_owned(),
        task: "Tidy the README".to_owned(),
        outcome: RunOutcome::Committed,
        base: Some(oid(0xaa)),
        branch: Some("guardhost/r1".to_owned()),
        commit: Some(oid(0xcc)),
        rounds: vec![first, second, third],
        rounds_max: 3,
        diff: Some(
            "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,2 @@\n-old\n+new\n ::error::kept\n"
                .to_owned(),
        ),
        trace: Some(".git/guardhost/runs/r1/trace.jsonl".into()),
        micros: 65_000_000,
        ..RunReport::default()
    }
}

/// A layer of every kind of edit.
pub fn layers() -> Vec<LayerReport> {
    vec![
        LayerReport {
            layer: PlanLayer::FailingTests,
            guard: None,
            edits: vec![PlanEdit::Insert {
                step: "T000-S01".to_owned(),
                reason: "1 failing test is about src/x.py".to_owned(),
            }],
        },
        LayerReport {
            layer: PlanLayer::TestsToSources,
            guard: None,
            edits: vec![PlanEdit::RewriteHints {
                step: "tidy".to_owned(),
                before: vec!["tests/test_x.py".into()],
                after: vec!["src/x.py".into()],
                reason: "its tests fail".to_owned(),
            }],
        },
        LayerReport {
            layer: PlanLayer::ReadmeOnly,
            guard: None,
            edits: vec![PlanEdit::Drop { step: "polish".to_owned(), reason: "it only edits a README".to_owned() }],
        },
        LayerReport {
            layer: PlanLayer::Guard,
            guard: Some(LayerGuard { id: "own-layer".to_owned(), event: "own_layer.changed".to_owned() }),
            edits: vec![PlanEdit::RewriteHints {
                step: "tidy".to_owned(),
                before: vec!["src/x.py".into()],
                after: vec!["lib/x.py".into()],
                reason: "the folder was moved".to_owned(),
            }],
        },
    ]
}

pub fn made_plan() -> MadePlanReport {
    let step = |id: &str, action, hint: &str, dropped: Option<&str>| PlanStepReport {
        id: id.to_owned(),
        task: "Tidy up".to_owned(),
        title: format!("Do {id}"),
        action,
        hints: vec![hint.to_owned()],
        dropped: dropped.map(str::to_owned),
    };
    let subtask = |id: &str, hint: &str| WrittenStep {
        id: id.to_owned(),
        title: format!("Do {id}"),
        description: String::new(),
        file_hints: vec![hint.into()],
        action: StepAction::Modify,
        status: "pending",
    };
    let task = WrittenTask {
        id: "T1".to_owned(),
        title: "Tidy up".to_owned(),
        priority: Some(1),
        metric: None,
        description: String::new(),
        subtasks: vec![subtask("T000-S01", "src/x.py"), subtask("tidy", "src/x.py")],
    };
    let context = serde_json::json!({ "task": "Tidy up", "failed_metrics": ["test_results"] });
    MadePlanReport {
        run: "p2".to_owned(),
        plan: WrittenPlan { tasks: vec![task], context, layers: layers() },
        steps: vec![
            step("T000-S01", "modify", "src/x.py", None),
            step("tidy", "modify", "src/x.py", None),
            step("polish", "modify", "README.md", Some("it only edits a README")),
        ],
        provider: "claude".to_owned(),
        model: Some("a-model".to_owned()),
        questions: 2,
        notices: vec!["the chain is the user's".to_owned()],
        micros: 9_100_000,
        ..MadePlanReport::default()
    }
}

/// `license` rose from nothing.
pub fn improve() -> ImproveReport {
    let before = super::audit::audit();
    let mut after = before.clone();
    for metric in &mut after.audit.metrics {
        if let Measurement::Measured(points) = &mut metric.measurement {
            points.iter_mut().for_each(|point| point.earned = point.possible);
        }
    }
    ImproveReport {
        run: "i1".to_owned(),
        base: Some(oid(0xaa)),
        before: Some(before),
        after: Some(after),
        plan: plan(),
        fixes: Some(super::fix::resolved()),
        votes: Some(Voted {
            votes: vec![
                vote("gemini", Ballot::Cast { score: 90, reasons: Vec::new(), uncited: 1 }),
                vote("codex", Ballot::Void("the answer holds no JSON object".to_owned())),
            ],
            approval: Approval::Refused { why: Refusal::NoEvidence { voter: "gemini".to_owned() } },
        }),
        pull: Some(Box::new(super::pull::opened())),
        watch: Some(Box::new(super::pull::built())),
        notices: vec!["the chain is the user's".to_owned()],
        micros: 90_000_000,
        ..ImproveReport::default()
    }
}

pub fn plan() -> PlanReport {
    let ran = |outcome| StepOutcome::Ran(RunEnd::Result(outcome));
    let step = |id: &str, title: &str, outcome| StepReport {
        id: id.to_owned(),
        title: title.to_owned(),
        outcome,
        ..StepReport::default()
    };
    let committed = StepReport {
        run: Some("r2".to_owned()),
        commit: Some(oid(0xcc)),
        rounds: 2,
        micros: 4_200_000,
        ..step("tidy", "Tidy the README", ran(RunOutcome::Committed))
    };
    let rejected = StepReport {
        why: Some("rejected by docs-kept".to_owned()),
        run: Some("r3".to_owned()),
        rounds: 3,
        exit_code: 1,
        is_rejected_by_guard: true,
        micros: 9_000_000,
        ..step("shrink", "Shorten the guide", ran(RunOutcome::Rejected))
    };
    let failed = StepReport {
        exit_code: 6,
        why: Some("All providers failed".to_owned()),
        ..step("ask", "Ask", StepOutcome::Ran(RunEnd::Failed(FaultKind::Provider)))
    };
    let dropped = StepReport {
        why: Some("no-repeated-failures: the same change was rejected 2 hours ago".to_owned()),
        ..step("again", "Shorten the guide again", StepOutcome::Dropped)
    };
    let evidence = vec![evidence("no-repeated-failures", "G17", GuardVerdict::Pass(Vec::new()))];
    PlanReport {
        run: "p1".to_owned(),
        base: Some(oid(0xaa)),
        branch: "refs/heads/guardhost/p1".to_owned(),
        commit: Some(oid(0xcc)),
        layers: layers(),
        judgement: Judgement { evidence },
        steps: vec![
            step("first", "Done before", StepOutcome::Done),
            committed,
            step("same", "Nothing to change", ran(RunOutcome::NoChange)),
            rejected,
            failed,
            dropped,
            step("last", "After the rejected one", StepOutcome::NotReached),
        ],
        notices: vec!["1 step was dropped".to_owned()],
        micros: 14_000_000,
    }
}

pub fn patch_staged() -> PatchReport {
    PatchReport {
        run: "r4".to_owned(),
        source: "src/a.py".into(),
        target: "docs/a.md".into(),
        outcome: RunOutcome::Staged,
        apply: apply(),
        error: None,
        rounds: 1,
        artifacts: vec![".git/ai-rules-debug/docs_a.md-7.final.diff".into()],
        notices: vec!["docs/a.md had unstaged changes".to_owned()],
        micros: 2_000_000,
    }
}

pub fn patch_rejected() -> PatchReport {
    PatchReport {
        outcome: RunOutcome::Rejected,
        apply: ApplyReport { check: Some(check()), ..ApplyReport::default() },
        error: Some(NamedError { code: "rejected", message: "Patch rejected: rejected by docs-kept".to_owned() }),
        rounds: 3,
        ..patch_staged()
    }
}

pub fn patch_misfit() -> PatchReport {
    PatchReport {
        outcome: RunOutcome::Rejected,
        apply: ApplyReport { refusal: Some(misfit()), ..ApplyReport::default() },
        error: Some(NamedError { code: "apply-failed", message: "Failed to apply patch: it does not fit".to_owned() }),
        rounds: 2,
        ..patch_staged()
    }
}
