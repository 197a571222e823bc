//! Runs that failed for what this machine lacks, and say nothing of the code: packages that were not downloaded (there is no network in the
//! sandbox), and a compiler that is not the stable one.

use guard_sdk::{BuildReport, TestReport};

/// What tools say when they would have to download, each with a mark of the line that names what.
const OFFLINE: [(&str, &str); 5] = [
    ("you're using offline mode (--offline)", "error: "),
    ("attempting to make an HTTP request, but --offline was specified", "error: "),
    ("module lookup disabled by GOFLAGS=-mod=", "module lookup disabled"),
    ("module lookup disabled by GOPROXY=off", "module lookup disabled"),
    ("dial tcp: lookup proxy.golang.org", "dial tcp"),
];

/// The code of the compiler's error for features of its unstable channel.
const UNSTABLE: &str = "E0554";

/// The report, as one of a build that was not run if it failed for such a reason alone.
pub fn build(report: BuildReport) -> BuildReport {
    if report.is_ok || report.not_run.is_some() {
        return report;
    }
    let not_run = match report.diagnostics.as_slice() {
        [] => missing_package(&report.output),
        errors => {
            let all = errors.iter().all(|error| error.message.contains(UNSTABLE));
            all.then(|| "parts of it need a nightly compiler (`#![feature]`), which this is not".to_owned())
        }
    };
    BuildReport { not_run, ..report }
}

/// The same for tests.
pub fn tests(report: TestReport) -> TestReport {
    let failed_at_once = report.not_run.is_none() && !report.is_complete && report.tests.is_empty();
    let not_run = if failed_at_once { missing_package(&report.output) } else { report.not_run.clone() };
    TestReport { not_run, ..report }
}

fn missing_package(output: &str) -> Option<String> {
    let (_, mark) = OFFLINE.iter().find(|(words, _)| output.contains(words))?;
    let line = output.lines().map(str::trim).find(|line| line.contains(mark)).unwrap_or_default();
    let what: String = line.trim_start_matches("error: ").chars().take(200).collect();
    Some(format!("what it needs is not downloaded on this machine: {what}"))
}
