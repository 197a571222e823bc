//! Which open pull requests go together.

use guardhost_core::change::{GuardVerdict, Judgement};
use serde_json::{Value, json};

use super::check::evidence;
use super::oid;
use crate::{PullBreak, QueuePlace, QueueReport, QueuedPull};

pub fn queue(report: &QueueReport) -> Value {
    json!({
        "run": report.run,
        "base": report.base,
        "commit": oid(report.commit),
        "fits": report.all_fit(),
        "pulls": report.pulls.iter().map(pull).collect::<Vec<_>>(),
        "breaks": report.breaks.iter().map(broken).collect::<Vec<_>>(),
        "judged": report.judged,
        "notices": report.notices,
        "micros": report.micros,
    })
}

fn pull(pull: &QueuedPull) -> Value {
    let (prefix, conflicts, guards) = match &pull.place {
        QueuePlace::Fits { prefix } => (Some(*prefix), &[][..], Vec::new()),
        QueuePlace::Conflicts(paths) => (None, paths.as_slice(), Vec::new()),
        QueuePlace::Rejected(judgement) => (None, &[][..], against(judgement)),
        QueuePlace::Nothing | QueuePlace::Breaks => (None, &[][..], Vec::new()),
    };
    json!({
        "number": pull.number,
        "title": pull.title,
        "url": pull.url,
        "draft": pull.draft,
        "commit": oid(pull.commit),
        "outcome": pull.place.word(),
        "prefix": oid(prefix),
        "conflicts": conflicts,
        "guards": guards,
    })
}

fn broken(found: &PullBreak) -> Value {
    json!({
        "pulls": found.pulls,
        "conflicts": found.conflicts,
        "guards": found.judgement.as_ref().map(against).unwrap_or_default(),
    })
}

/// The guards that object, in the form of `host check`.
fn against(judgement: &Judgement) -> Vec<Value> {
    let objects = judgement.evidence.iter().filter(|guard| match &guard.verdict {
        GuardVerdict::Reject(_) | GuardVerdict::Error { .. } => true,
        GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_) => false,
    });
    objects.map(evidence).collect()
}
