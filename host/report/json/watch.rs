//! What the builds of a pull request came to, and what was done about failures.

use serde_json::{Value, json};

use super::oid;
use crate::{BuildRow, CiFix, WatchReport};

pub fn watch(report: &WatchReport) -> Value {
    json!({
        "run": report.run,
        "of": report.of,
        "number": report.number,
        "url": report.url,
        "commit": oid(report.commit),
        "outcome": report.outcome.word(),
        "builds": report.builds.iter().map(build).collect::<Vec<_>>(),
        "reran": report.reran,
        "fixes": report.fixes.iter().map(fix).collect::<Vec<_>>(),
        "stopped": report.stopped,
        "notices": report.notices,
        "micros": report.micros,
    })
}

pub fn build(build: &BuildRow) -> Value {
    json!({ "name": build.name, "conclusion": build.conclusion, "url": build.url })
}

fn fix(fix: &CiFix) -> Value {
    json!({ "run": fix.run, "outcome": fix.outcome.word(), "commit": oid(fix.commit), "signature": fix.signature })
}
