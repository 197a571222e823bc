//! How a pull request stands.

use serde_json::{Value, json};

use super::oid;
use super::watch::build;
use crate::{PullStanding, PullStatusReport};

pub fn pull_status(report: &PullStatusReport) -> Value {
    json!({
        "of": report.of,
        "branch": report.branch,
        "commit": oid(report.commit),
        "pull": report.pull.as_ref().map(standing),
        "notices": report.notices,
    })
}

fn standing(pull: &PullStanding) -> Value {
    json!({
        "number": pull.number,
        "url": pull.url,
        "title": pull.title,
        "base": pull.base,
        "draft": pull.draft,
        "commit": pull.commit,
        "merge": pull.merge.word(),
        "outcome": pull.outcome.map(|outcome| outcome.word()),
        "builds": pull.builds.iter().map(build).collect::<Vec<_>>(),
        "findings": { "open": pull.findings.open, "resolved": pull.findings.resolved },
    })
}
