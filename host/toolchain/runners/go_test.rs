//! `go test -json` (`go doc test2json`).

use serde::Deserialize;

use crate::builds::go;
use crate::job::{FinishedJob, Job, MissingTool};
use crate::job_context::JobContext;
use crate::projects::Project;
use crate::report::{Test, TestOutcome, TestReport};

pub const NAME: &str = "go-test";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", default)]
#[derive(Default)]
struct Event {
    action: String,
    package: String,
    test: String,
    output: String,
}

pub fn job(context: &JobContext, project: &Project) -> Result<Job, MissingTool> {
    let mut job = go::base(context, NAME, project)?;
    job.args = ["test", "-json", "-count=1", "./..."].map(str::to_owned).into();
    Ok(job)
}

pub fn read(finished: &FinishedJob) -> TestReport {
    let (tests, any) = parse(&finished.text());
    let whole = any && matches!(finished.exit.code, 0 | 1);
    TestReport::new(NAME, &finished.job.project, tests, whole, &finished.exit.output)
}

/// The tests, and whether there was any event. A package that fails without a failing test (it does not build, it exits early) becomes
/// an errored test with the package's name.
fn parse(text: &str) -> (Vec<Test>, bool) {
    let mut tests: Vec<Test> = Vec::new();
    let mut outputs: std::collections::HashMap<(String, String), String> = Default::default();
    let mut any = false;
    for event in text.lines().filter_map(|line| serde_json::from_str::<Event>(line).ok()) {
        any = true;
        let key = (event.package.clone(), event.test.clone());
        let outcome = match event.action.as_str() {
            "pass" => TestOutcome::Passed,
            "fail" => TestOutcome::Failed,
            "skip" => TestOutcome::Skipped,
            "output" => {
                outputs.entry(key).or_default().push_str(&event.output);
                continue;
            }
            _ => continue,
        };
        let detail = outputs.remove(&key).unwrap_or_default();
        if !event.test.is_empty() {
            tests.push(Test { detail, ..Test::new(format!("{} {}", event.package, event.test), outcome) });
        } else if outcome == TestOutcome::Failed && !failing(&tests, &event.package) {
            tests.push(Test { detail, ..Test::new(event.package, TestOutcome::Errored) });
        }
    }
    (tests, any)
}

fn failing(tests: &[Test], package: &str) -> bool {
    let of_it = |test: &Test| test.id.strip_prefix(package).is_some_and(|rest| rest.starts_with(' '));
    tests.iter().any(|test| test.outcome == TestOutcome::Failed && of_it(test))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_test2json() {
        let text = r#"{"Action":"start","Package":"a.b/c"}
{"Action":"run","Package":"a.b/c","Test":"TestX"}
{"Action":"output","Package":"a.b/c","Test":"TestX","Output":"x_test.go:3: no\n"}
{"Action":"fail","Package":"a.b/c","Test":"TestX","Elapsed":0}
{"Action":"pass","Package":"a.b/c","Test":"TestY/sub","Elapsed":0}
{"Action":"fail","Package":"a.b/c","Elapsed":0.1}
# a.b/d [a.b/d.test]
d/d.go:3:2: undefined: y
{"Action":"output","Package":"a.b/d","Output":"FAIL\ta.b/d [build failed]\n"}
{"Action":"fail","Package":"a.b/d","Elapsed":0}
{"Action":"skip","Package":"a.b/e","Elapsed":0}
"#;
        let (tests, any) = parse(text);
        let ids: Vec<_> = tests.iter().map(|test| (test.id.as_str(), test.outcome)).collect();
        assert_eq!(
            ids,
            [
                ("a.b/c TestX", TestOutcome::Failed),
                ("a.b/c TestY/sub", TestOutcome::Passed),
                ("a.b/d", TestOutcome::Errored)
            ]
        );
        assert!(any && tests[0].detail.contains("x_test.go:3: no"));
    }
}
