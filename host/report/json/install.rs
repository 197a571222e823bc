//! The files of `host install`.

use serde_json::{Value, json};

use crate::{InstallReport, InstalledFile};

pub fn install(report: &InstallReport) -> Value {
    json!({ "dry_run": report.dry_run, "files": files(&report.files), "notices": report.notices })
}

pub fn files(files: &[InstalledFile]) -> Vec<Value> {
    let file = |file: &InstalledFile| json!({ "target": file.target, "path": file.path.to_string_lossy(), "state": file.state.word() });
    files.iter().map(file).collect()
}
