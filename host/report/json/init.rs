//! `host init`.

use serde_json::{Value, json};

use crate::InitReport;

pub fn init(report: &InitReport) -> Value {
    let languages = report.languages.iter().map(|(name, files)| json!({ "name": name, "files": files }));
    let guards = report.guards.iter().map(|guard| {
        let examples = guard.examples.iter().map(|example| {
            json!({
                "commit": example.commit.to_string(),
                "subject": example.subject,
                "rule": example.finding.rule,
                "path": example.finding.path,
                "line": example.finding.line,
                "message": example.finding.message,
            })
        });
        json!({
            "id": guard.id,
            "g": guard.mark,
            "passed": guard.passed,
            "rejected": guard.rejected,
            "failed": guard.failed,
            "not_applicable": guard.not_applicable,
            "examples": examples.collect::<Vec<_>>(),
        })
    });
    json!({
        "dry_run": report.dry_run,
        "rules": report.rules,
        "written": report.written,
        "languages": languages.collect::<Vec<_>>(),
        "manifests": report.manifests,
        "commits": report.commits,
        "guards": guards.collect::<Vec<_>>(),
        "installed": super::install::files(&report.installed),
        "committed": report.committed,
        "notices": report.notices,
        "next": report.next,
    })
}
