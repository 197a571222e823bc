//! A pull request, with what the guards say of it.

use serde_json::{Value, json};

use super::check::check;
use super::comments::comments;
use super::oid;
use super::review::review;
use crate::{OpenedPull, PullReport};

pub fn pull(report: &PullReport) -> Value {
    json!({
        "run": report.run,
        "of": report.of,
        "branch": report.branch,
        "commit": oid(report.commit),
        "check": check(&report.check),
        "pull": report.pull.as_ref().map(opened),
        "review": report.review.as_deref().map(review),
        "notices": report.notices,
        "micros": report.micros,
    })
}

fn opened(pull: &OpenedPull) -> Value {
    json!({
        "number": pull.number,
        "url": pull.url,
        "base": pull.base,
        "action": pull.action.word(),
        "push": pull.push.word(),
        "comments": comments(&pull.comments),
        "summary": pull.summary.word(),
        "check_run": pull.check_run,
        "sarif": pull.sarif,
    })
}
