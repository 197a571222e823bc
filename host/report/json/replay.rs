//! `host replay`.

use serde_json::{Value, json};

use crate::{
    ChangeReplay, CommitGuard, CommitReplay, GuardOutcome, GuardReplay, ReceiptReplay, RecordProblem, ReplayReport,
    RunReplay, SignedReceipt,
};

pub fn replay(report: &ReplayReport) -> Value {
    json!({
        "same": report.is_same(),
        "runs": report.runs.iter().map(run).collect::<Vec<_>>(),
        "commit": report.commit.as_ref().map(commit),
        "exported": report.exported.as_ref().map(|exported| json!({
            "path": exported.path.display().to_string(),
            "bytes": exported.bytes,
            "components": exported.components,
        })),
        "notices": report.notices,
    })
}

fn run(run: &RunReplay) -> Value {
    json!({
        "run": run.run,
        "command": run.command.word(),
        "same": run.is_same(),
        "host": { "recorded": run.host_then, "replayed": run.host_now },
        "problems": run.problems.iter().map(problem).collect::<Vec<_>>(),
        "changes": run.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

fn change(change: &ChangeReplay) -> Value {
    json!({
        "patchset": change.patchset,
        "round": change.round,
        "fixed": change.fixed,
        "tree": change.tree,
        "rebuilt": change.rebuilt,
        "same": change.is_same(),
        "problems": change.problems.iter().map(problem).collect::<Vec<_>>(),
        "guards": change.guards.iter().map(guard).collect::<Vec<_>>(),
        "receipt": change.receipt.as_ref().map(receipt),
    })
}

fn problem(problem: &RecordProblem) -> Value {
    json!({ "kind": problem.kind, "what": problem.what, "message": problem.message })
}

fn guard(guard: &GuardReplay) -> Value {
    let (reason, fields, says_same) = match &guard.outcome {
        GuardOutcome::Same | GuardOutcome::Missing | GuardOutcome::New => (None, &[][..], None),
        GuardOutcome::ComponentDiffers { says_same } => (None, &[][..], *says_same),
        GuardOutcome::VerdictDiffers { fields } => (None, fields.as_slice(), None),
        GuardOutcome::AnswersMissing(why) | GuardOutcome::CannotLoad(why) | GuardOutcome::CannotJudge(why) => {
            (Some(why), &[][..], None)
        }
    };
    json!({
        "id": guard.id,
        "outcome": guard.outcome.word(),
        "reason": reason,
        "fields": fields,
        "says_same": says_same,
        "recorded": guard.recorded,
        "replayed": guard.replayed,
        "answers": guard.answers,
    })
}

fn receipt(receipt: &ReceiptReplay) -> Value {
    json!({ "recorded": receipt.recorded, "replayed": receipt.replayed, "same": receipt.is_same() })
}

fn commit(commit: &CommitReplay) -> Value {
    json!({
        "commit": commit.commit,
        "run": commit.run,
        "recorded": commit.is_recorded,
        "same": commit.is_same(),
        "guards": commit.guards.iter().map(commit_guard).collect::<Vec<_>>(),
        "receipt": commit.receipt.as_ref().map(receipt),
        "signature": signature(&commit.signed),
    })
}

fn signature(signed: &SignedReceipt) -> Value {
    let (signer, key) = signed.signature.by();
    json!({ "outcome": signed.signature.word(), "signer": signer, "key": key, "demanded": signed.is_demanded })
}

fn commit_guard(guard: &CommitGuard) -> Value {
    json!({ "id": guard.id, "replayed": guard.replayed, "needs": guard.needs })
}
