//! jest and vitest, which write the same JSON (<https://jestjs.io/docs/cli#--json>, <https://vitest.dev/guide/reporters#json-reporter>).

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::job::{FinishedJob, Job, MissingTool};
use crate::job_context::JobContext;
use crate::node::{base, installed};
use crate::report::{Test, TestOutcome, TestReport};

pub const JEST: &str = "jest";
pub const VITEST: &str = "vitest";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonReport {
    test_results: Vec<File>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    name: String,
    status: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    #[serde(default)]
    ancestor_titles: Vec<String>,
    title: String,
    status: String,
    failure_messages: Option<Vec<String>>,
}

pub fn job(context: &JobContext, tool: &'static str, folder: &str, only: &[String]) -> Result<Job, MissingTool> {
    let mut job = base(context, tool, folder)?;
    let mut words = match tool {
        VITEST => vec!["run", "--reporter=json", "--outputFile={out}/report.json", "--no-color"],
        _ => vec!["--ci", "--json", "--outputFile={out}/report.json", "--no-color"],
    };
    words.extend(only.iter().map(String::as_str));
    installed(context, &mut job, folder, tool)?;
    job.args.extend(words.into_iter().map(str::to_owned));
    Ok(job)
}

pub fn read(finished: &FinishedJob) -> TestReport {
    let text = fs::read_to_string(finished.out.join("report.json")).unwrap_or_default();
    let report: Option<JsonReport> = serde_json::from_str(&text).ok();
    let whole = report.is_some() && matches!(finished.exit.code, 0 | 1);
    let tests = report
        .map(|report| report.test_results)
        .unwrap_or_default()
        .into_iter()
        .flat_map(|file| tests(finished.tree, file));
    TestReport::new(finished.job.tool, &finished.job.project, tests.collect(), whole, &finished.exit.output)
}

/// A file that cannot be loaded is an errored test with the file's name.
fn tests(tree: &Path, file: File) -> Vec<Test> {
    let path = Path::new(&file.name).strip_prefix(tree).map_or(file.name.clone(), |path| path.display().to_string());
    if file.assertion_results.is_empty() && file.status == "failed" {
        return vec![Test { path: Some(path.clone()), detail: file.message, ..Test::new(path, TestOutcome::Errored) }];
    }
    let test = |assertion: Assertion| {
        let outcome = match assertion.status.as_str() {
            "passed" => TestOutcome::Passed,
            "failed" => TestOutcome::Failed,
            _ => TestOutcome::Skipped,
        };
        let titles: Vec<String> = assertion.ancestor_titles.into_iter().filter(|title| !title.is_empty()).collect();
        let name: String = titles.into_iter().chain([assertion.title]).collect::<Vec<_>>().join(" > ");
        let detail = assertion.failure_messages.unwrap_or_default().join("\n");
        Test { path: Some(path.clone()), detail, ..Test::new(format!("{path} > {name}"), outcome) }
    };
    file.assertion_results.into_iter().map(test).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_their_assertions() {
        let text = r#"{"success":false,"testResults":[
            {"name":"/t/a.test.js","status":"failed","message":"","assertionResults":[
                {"ancestorTitles":["","sum"],"fullName":"sum adds","status":"passed","title":"adds","failureMessages":[]},
                {"ancestorTitles":[],"status":"failed","title":"bad","failureMessages":["no\nat x"]},
                {"ancestorTitles":[],"status":"pending","title":"later"}]},
            {"name":"/t/b.test.js","status":"failed","message":"SyntaxError","assertionResults":[]}]}"#;
        let report: JsonReport = serde_json::from_str(text).unwrap();
        let found: Vec<Test> = report.test_results.into_iter().flat_map(|file| tests(Path::new("/t"), file)).collect();
        let ids: Vec<_> = found.iter().map(|test| (test.id.as_str(), test.outcome, test.detail.as_str())).collect();
        assert_eq!(
            ids,
            [
                ("a.test.js > sum > adds", TestOutcome::Passed, ""),
                ("a.test.js > bad", TestOutcome::Failed, "no\nat x"),
                ("a.test.js > later", TestOutcome::Skipped, ""),
                ("b.test.js", TestOutcome::Errored, "SyntaxError"),
            ]
        );
    }
}
