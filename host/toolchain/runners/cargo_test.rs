//! `cargo test`, read from libtest's text: libtest's JSON is not stable, and cargo's own JSON has no tests.

use crate::builds::cargo;
use crate::job::{FinishedJob, Job, MissingTool};
use crate::job_context::JobContext;
use crate::projects::Project;
use crate::report::{Test, TestOutcome, TestReport};

pub const NAME: &str = "cargo-test";

pub fn job(context: &JobContext, project: &Project) -> Result<Job, MissingTool> {
    let mut job = cargo::base(context, NAME, project)?;
    job.args = ["test", "--workspace", "--offline", "--no-fail-fast"].map(str::to_owned).into();
    // With one thread libtest prints a test's output between its name and its outcome.
    job.env.push(("RUST_TEST_THREADS", "2".to_owned()));
    Ok(job)
}

pub fn read(finished: &FinishedJob) -> TestReport {
    let text = finished.text();
    let (tests, whole) = parse(&text);
    TestReport::new(
        NAME,
        &finished.job.project,
        tests,
        whole && matches!(finished.exit.code, 0 | 101),
        &finished.exit.output,
    )
}

/// The tests, and whether every suite that started also ended.
fn parse(text: &str) -> (Vec<Test>, bool) {
    let mut tests: Vec<Test> = Vec::new();
    let (mut suite, mut first, mut open, mut broken) = (String::new(), 0, 0_u32, false);
    let mut detail: Option<usize> = None;
    for line in text.lines() {
        if let Some(name) = suite_of(line) {
            (suite, first, detail) = (name, tests.len(), None);
        } else if line.starts_with("running ") && line.trim_end_matches('s').ends_with(" test") {
            open += 1;
        } else if line.starts_with("test result: ") {
            open = open.saturating_sub(1);
            detail = None;
        } else if line.starts_with("error: could not compile")
            || line.starts_with("error: test failed, to rerun") && open > 0
        {
            broken = true;
        } else if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            let id = id(&suite, name);
            detail = tests[first..].iter().position(|test| test.id == id).map(|at| first + at);
        } else if line == "failures:" {
            detail = None;
        } else if let Some(test) = test(&suite, line) {
            tests.push(test);
        } else if let Some(at) = detail {
            tests[at].detail.push_str(line);
            tests[at].detail.push('\n');
        }
    }
    (tests, open == 0 && !broken)
}

/// `     Running unittests src/lib.rs (target/debug/deps/name-0123456789abcdef)`, `   Doc-tests name`.
fn suite_of(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{name} doc"));
    }
    let (source, binary) = line.strip_prefix("Running ")?.strip_suffix(')')?.split_once(" (")?;
    let name = binary.rsplit('/').next()?;
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    Some(match source.strip_prefix("unittests ") {
        Some("src/lib.rs") | None => name.to_owned(),
        Some(source) => format!("{name} ({source})"),
    })
}

/// `test a::b ... ok`.
fn test(suite: &str, line: &str) -> Option<Test> {
    let (name, outcome) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let outcome = match outcome.split([',', ' ']).next()? {
        "ok" => TestOutcome::Passed,
        "FAILED" => TestOutcome::Failed,
        "ignored" => TestOutcome::Skipped,
        _ => return None,
    };
    Some(Test::new(id(suite, name), outcome))
}

/// Without a documentation test's line, which moves with every edit above it.
fn id(suite: &str, name: &str) -> String {
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    let name = match name.split_once(" (line ") {
        Some((before, rest)) => format!("{before}{}", rest.split_once(')').map_or("", |(_, after)| after)),
        None => name.to_owned(),
    };
    format!("{suite} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "   Compiling demo v0.1.0 (/x)
    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.3s
     Running unittests src/lib.rs (target/debug/deps/demo-0123456789abcdef)

running 3 tests
test tests::bad ... FAILED
test tests::ok ... ok
test tests::slow ... ignored, takes long

failures:

---- tests::bad stdout ----

thread 'tests::bad' panicked at src/lib.rs:9:5:
assertion failed: false

failures:
    tests::bad

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
     Running unittests src/main.rs (target/debug/deps/demo-fedcba9876543210)

running 1 test
test tests::ok ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests demo

running 1 test
test src/lib.rs - add (line 3) - compile ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s
";

    #[test]
    fn output_of_libtest() {
        let (tests, whole) = parse(OUTPUT);
        let ids: Vec<_> = tests.iter().map(|test| (test.id.as_str(), test.outcome)).collect();
        assert_eq!(
            ids,
            [
                ("demo tests::bad", TestOutcome::Failed),
                ("demo tests::ok", TestOutcome::Passed),
                ("demo tests::slow", TestOutcome::Skipped),
                ("demo (src/main.rs) tests::ok", TestOutcome::Passed),
                ("demo doc src/lib.rs - add - compile", TestOutcome::Passed),
            ]
        );
        assert!(whole && tests[0].detail.contains("assertion failed: false"), "{}", tests[0].detail);
    }

    #[test]
    fn a_suite_that_did_not_end_is_incomplete() {
        let crashed = &OUTPUT[..OUTPUT.find("failures:").unwrap()];
        assert!(!parse(crashed).1);
        assert!(!parse("error: could not compile `demo` (lib test) due to 1 previous error").1);
    }
}
