//! node:test (<https://nodejs.org/api/test.html>), read from a reporter of our own.

use super::exit_codes::USUAL;
use super::{Parts, PlannedTests, TestRunner, recorded};
use crate::job::FinishedJob;
use crate::job_context::JobContext;
use crate::node::base;

/// `script` is the project's own `node --test …`, whose files and options it keeps.
pub fn job(context: &JobContext, folder: &str, script: &str, only: &[String]) -> PlannedTests {
    let mut job = base(context, TestRunner::NodeTest, folder)?;
    let files_and_options = script.strip_prefix("node").unwrap_or_default().replacen("--test", "", 1);
    let files_and_options = if only.is_empty() {
        files_and_options
    } else {
        only.iter().map(|path| format!(" '{}'", path.replace('\'', "'\\''"))).collect()
    };
    // The shell expands the script's patterns.
    let reporting = "--test --test-reporter-destination=stdout --test-reporter=\"$1\"";
    job.args = vec![
        "-c".into(),
        format!("exec \"$0\" {reporting} {files_and_options}"),
        job.program.display().to_string(),
        "{reporters}/node.mjs".into(),
    ];
    job.program = "/bin/sh".into();
    Ok(job)
}

pub fn read(finished: &FinishedJob<TestRunner>) -> Parts {
    let (tests, whole) = recorded::tests(finished);
    let whole = whole.and_then(|()| USUAL.agree(finished.exit.code, &tests));
    (tests, whole, finished.exit.output.clone())
}
