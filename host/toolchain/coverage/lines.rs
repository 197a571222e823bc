//! What the host's own reporters write: `{"files": {"/abs/a.py": {"run": [1], "not_run": [2]}}}`, or `{"not_known": "why"}`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::CountedLines;
use crate::job::FinishedJob;
use crate::runners::TestRunner;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct CoverageFile {
    not_known: Option<String>,
    files: BTreeMap<String, CoveredLines>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CoveredLines {
    run: Vec<u32>,
    not_run: Vec<u32>,
}

pub fn read(finished: &FinishedJob<TestRunner>, files: &[String]) -> Result<BTreeMap<String, CountedLines>, String> {
    let mut counted: BTreeMap<String, CountedLines> = BTreeMap::new();
    if files.is_empty() {
        return Err("nothing was counted: the tests ended before it was written down".to_owned());
    }
    for text in files {
        let written: CoverageFile =
            serde_json::from_str(text).map_err(|error| format!("what was counted cannot be read ({error})"))?;
        if let Some(why) = written.not_known {
            return Err(why);
        }
        for (path, CoveredLines { run, not_run }) in written.files {
            let Some(path) = finished.path(&path) else { continue };
            let not_run = not_run.into_iter().map(|line| (line, 0));
            // A line in both lists was run.
            let lines: BTreeMap<u32, u64> = not_run.chain(run.into_iter().map(|line| (line, 1))).collect();
            counted.insert(path, CountedLines::Lines(lines));
        }
    }
    Ok(counted)
}

/// No test loads the file, so that none of its lines is run. Which of them hold code, whoever asks knows.
pub fn never_loaded(text: &str) -> BTreeMap<u32, u64> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).map(|(number, _)| (number, 0)).collect()
}
