//! Records of the host's reporters inside of JavaScript test runners.

use serde::Deserialize;

use crate::job::FinishedJob;
use crate::report::{Test, TestOutcome};
use crate::sandbox::SandboxRecords;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RecordedTestOutcome {
    Passed,
    Failed,
    Errored,
    Skipped,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TestRecord {
    Test { name: Vec<String>, file: Option<String>, outcome: RecordedTestOutcome, detail: String },
    End { tests: usize },
}

/// The tests that were reported, and why these are not all, if they are not.
pub fn tests<T>(finished: &FinishedJob<T>) -> (Vec<Test>, Result<(), String>) {
    match records(&finished.exit.records) {
        Err(why) => (Vec::new(), Err(why)),
        Ok(records) => {
            let whole = whole(&records);
            (records.into_iter().filter_map(|record| test(finished, record)).collect(), whole)
        }
    }
}

fn records(lines: &SandboxRecords) -> Result<Vec<TestRecord>, String> {
    let lines = lines.as_ref().map_err(Clone::clone)?;
    let parsed = lines.iter().map(|line| serde_json::from_str(line));
    parsed.collect::<Result<_, _>>().map_err(|error| format!("a line of the report cannot be read ({error})"))
}

/// The last record, and it alone, is the end.
fn whole(records: &[TestRecord]) -> Result<(), String> {
    let tests = records.iter().filter(|record| matches!(record, TestRecord::Test { .. })).count();
    match records.last() {
        Some(TestRecord::End { tests: announced }) if *announced == tests && records.len() == tests + 1 => Ok(()),
        Some(TestRecord::End { .. }) => Err("the report contradicts its own number of tests".to_owned()),
        Some(TestRecord::Test { .. }) | None => Err("the test runner ended before its report did".to_owned()),
    }
}

fn test<T>(finished: &FinishedJob<T>, record: TestRecord) -> Option<Test> {
    let TestRecord::Test { name, file, outcome, detail } = record else { return None };
    let path = file.and_then(|file| finished.path(&file));
    // node:test reports a file that cannot be loaded as a test with the file's name.
    let whole_file = match name.as_slice() {
        [] => path.clone(),
        [only] => finished
            .path(only)
            .filter(|only| path.is_none() || path.as_deref() == Some(only))
            .filter(|only| only.contains('/') || path.is_some()),
        _ => None,
    };
    let id = match (&whole_file, &path) {
        (Some(file), _) => file.clone(),
        (None, Some(path)) => format!("{path} > {}", name.join(" > ")),
        (None, None) => name.join(" > "),
    };
    let outcome = match outcome {
        RecordedTestOutcome::Passed => TestOutcome::Passed,
        RecordedTestOutcome::Skipped => TestOutcome::Skipped,
        RecordedTestOutcome::Failed if whole_file.is_none() => TestOutcome::Failed,
        RecordedTestOutcome::Failed | RecordedTestOutcome::Errored => TestOutcome::Errored,
    };
    Some(Test { path: whole_file.or(path), detail, ..Test::new(id, outcome) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_ends_once_and_last() {
        let test = r#"{"test":{"name":["a","b"],"file":null,"outcome":"passed","detail":""}}"#;
        let end = |tests: usize| format!(r#"{{"end":{{"tests":{tests}}}}}"#);
        let is_whole = |lines: &[&str]| {
            let lines = Ok(lines.iter().map(|line| line.to_string()).collect());
            records(&lines).and_then(|records| whole(&records)).is_ok()
        };
        assert!(is_whole(&[test, test, &end(2)]) && is_whole(&[&end(0)]));
        for wrong in [&[][..], &[test], &[test, &end(2)], &[&end(0), test], &[test, &end(1), &end(1)], &["{}"], &["x"]]
        {
            assert!(!is_whole(wrong), "{wrong:?}");
        }
        assert!(records(&Err("forged".to_owned())).is_err());
    }
}
