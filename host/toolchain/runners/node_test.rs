//! node:test (<https://nodejs.org/api/test.html>), read from a reporter of our own.

use std::fs;

use serde::Deserialize;

use crate::job::{FinishedJob, Job, MissingTool};
use crate::job_context::JobContext;
use crate::node::base;
use crate::report::{Test, TestOutcome, TestReport};

pub const NAME: &str = "node-test";

const REPORTER: &str = include_str!("reporter.mjs");

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Test { name: Vec<String>, file: Option<String>, outcome: String, detail: String },
    End { end: bool },
}

/// `script` is the project's own `node --test …`, whose files and options it keeps.
pub fn job(context: &JobContext, folder: &str, script: &str, only: &[String]) -> Result<Job, MissingTool> {
    let mut job = base(context, NAME, folder)?;
    let files_and_options = script.strip_prefix("node").unwrap_or_default().replacen("--test", "", 1);
    let files_and_options = if only.is_empty() {
        files_and_options
    } else {
        only.iter().map(|path| format!(" '{}'", path.replace('\'', "'\\''"))).collect()
    };
    // The reporter is a data URL, because the work tree must hold only the candidate's files. The shell expands the script's patterns.
    let reporter = format!("data:text/javascript;base64,{}", encoded());
    let reporting = "--test --test-reporter-destination='{out}/report.jsonl' --test-reporter";
    job.args = vec![
        "-c".into(),
        format!("exec \"$0\" {reporting} '{reporter}' {files_and_options}"),
        job.program.display().to_string(),
    ];
    job.program = "/bin/sh".into();
    Ok(job)
}

fn encoded() -> String {
    use base64::Engine;
    base64::prelude::BASE64_STANDARD.encode(REPORTER)
}

pub fn read(finished: &FinishedJob) -> TestReport {
    let text = fs::read_to_string(finished.out.join("report.jsonl")).unwrap_or_default();
    let (mut tests, mut ended) = (Vec::new(), false);
    for line in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        match line {
            Line::Test { name, file, outcome, detail } => {
                tests.push(test(finished, &name, file.as_deref(), &outcome, detail))
            }
            Line::End { end } => ended = end,
        }
    }
    TestReport::new(
        NAME,
        &finished.job.project,
        tests,
        ended && matches!(finished.exit.code, 0 | 1),
        &finished.exit.output,
    )
}

fn test(finished: &FinishedJob, name: &[String], file: Option<&str>, outcome: &str, detail: String) -> Test {
    let path = file.and_then(|file| finished.path(file));
    // A file that cannot be loaded is a test with the file's name.
    let whole_file = match name {
        [only] => finished
            .path(only)
            .filter(|only| path.is_none() || path.as_deref() == Some(only))
            .filter(|_| only.contains('/')),
        _ => None,
    };
    let id = match (&whole_file, &path) {
        (Some(file), _) => file.clone(),
        (None, Some(path)) => format!("{path} > {}", name.join(" > ")),
        (None, None) => name.join(" > "),
    };
    let outcome = match outcome {
        "passed" => TestOutcome::Passed,
        "skipped" => TestOutcome::Skipped,
        _ if whole_file.is_some() => TestOutcome::Errored,
        _ => TestOutcome::Failed,
    };
    Test { path: whole_file.or(path), detail, ..Test::new(id, outcome) }
}
