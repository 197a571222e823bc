//! The files of `host install`.

use serde_json::{Value, json};

use crate::InstallReport;

pub fn install(report: &InstallReport) -> Value {
    let files = report
        .files
        .iter()
        .map(|file| json!({ "target": file.target, "path": file.path.to_string_lossy(), "state": file.state.word() }));
    json!({ "dry_run": report.dry_run, "files": files.collect::<Vec<_>>(), "notices": report.notices })
}
