//! pytest, from the user's virtual environment if there is one. It runs unittest's classes too.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::exit_codes::ExitCodes;
use super::{Parts, PlannedTests, TestRunner};
use crate::job::FinishedJob;
use crate::job_context::JobContext;
use crate::projects::{Project, join};
use crate::python;
use crate::report::{Test, TestOutcome};
use crate::request::TestSelection;
use crate::sandbox::SandboxRecords;
use crate::test_files::below;
use guardhost_core::error::Result;

/// pytest ends with 5 when there is no test at all, and with 2 when it cannot collect some.
const CODES: ExitCodes = ExitCodes { passed: &[0, 5], failed: &[1, 2] };

/// Prints the version. `pytest --version` imports the whole of pytest and its plugins, which takes 0.2 s of processor time where this takes 0.06 s.
const VERSION: &str = "\
try:
    from importlib.metadata import version
    print('pytest', version('pytest'))
except ImportError:
    import pytest
    print('pytest', pytest.__version__)";

pub fn job(context: &JobContext, project: &Project, selection: &TestSelection) -> Result<PlannedTests> {
    let mut job = match python::job(context, TestRunner::Pytest, project)? {
        Ok(job) => job,
        Err(missing) => return Ok(Err(missing)),
    };
    let path = python::search_path(context, project)?;
    // The project's own options stay; these add only how results are reported, so that none can hide a test.
    let until = if selection.until_failure { "--maxfail=1" } else { "--maxfail=0" };
    let words = ["-p", "no:cacheprovider", "--continue-on-collection-errors", until, "-q", "--color=no"];
    job.args = vec!["{reporters}/pytest_driver.py".to_owned(), path];
    job.args.extend(words.map(str::to_owned));
    job.args.push(format!("--rootdir={{tree}}/{}", project.folder));
    job.args.extend(below(&selection.paths, &project.folder));
    job.version = (job.program.clone(), ["-c", VERSION].map(str::to_owned).into());
    job.install = format!("pytest does not start with {}", job.program.display());
    Ok(Ok(job))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PytestRecord {
    /// The ids of all tests, before the first is run.
    Collected(Vec<String>),
    Phase(PytestPhase),
    /// pytest's own exit code.
    Ended(u8),
}

#[derive(Debug, Deserialize)]
struct PytestPhase {
    id: String,
    when: When,
    outcome: PhaseOutcome,
    detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum When {
    Collect,
    Setup,
    Call,
    Teardown,
    /// Of a plugin: xdist reports a worker that died with `???`.
    #[serde(other)]
    Other,
}

/// An outcome of a plugin that is none of these makes the report unreadable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PhaseOutcome {
    Passed,
    Failed,
    Skipped,
    /// Of pytest-rerunfailures: the test is repeated.
    Rerun,
}

pub fn read(finished: &FinishedJob<TestRunner>) -> Parts {
    let output = finished.exit.output.clone();
    let read = records(&finished.exit.records).and_then(|records| outcomes(records, finished.exit.code));
    let (outcomes, whole) = match read {
        Err(why) => return (Vec::new(), Err(why), output),
        Ok(read) => read,
    };
    let project = &finished.job.project;
    let test = |(id, PytestOutcome { outcome, detail }): (String, PytestOutcome)| {
        let path = Some(join(project, id.split("::").next().unwrap_or(&id)));
        Test { path, detail, ..Test::new(join(project, &id), outcome) }
    };
    let tests: Vec<Test> = outcomes.into_iter().map(test).collect();
    let whole = whole.and_then(|()| CODES.agree(finished.exit.code, &tests));
    (tests, whole, output)
}

fn records(lines: &SandboxRecords) -> Result<Vec<PytestRecord>, String> {
    let lines = lines.as_ref().map_err(Clone::clone)?;
    let parsed = lines.iter().map(|line| serde_json::from_str(line));
    parsed.collect::<Result<_, _>>().map_err(|error| format!("a line of the report cannot be read ({error})"))
}

struct PytestOutcome {
    outcome: TestOutcome,
    detail: String,
}

/// By id, and why these are not all, if they are not.
type Outcomes = (BTreeMap<String, PytestOutcome>, Result<(), String>);

/// Errors: why nothing of the report can be used.
fn outcomes(records: Vec<PytestRecord>, code: u8) -> Result<Outcomes, String> {
    let (mut collected, mut ended) = (BTreeSet::new(), None);
    let mut found: BTreeMap<String, PytestOutcome> = BTreeMap::new();
    let mut not_collected = BTreeSet::new();
    for record in records {
        if ended.is_some() {
            return Err("the report continues after its end".to_owned());
        }
        match record {
            PytestRecord::Collected(ids) => collected.extend(ids),
            PytestRecord::Ended(code) => ended = Some(code),
            PytestRecord::Phase(phase) => {
                let outcome = phase.outcome();
                if phase.when == When::Collect {
                    not_collected.insert(phase.id.clone());
                }
                if let Some(outcome) = outcome {
                    add(&mut found, phase, outcome);
                }
            }
        }
    }
    let untold = collected.iter().find(|id| !found.contains_key(*id));
    let unknown = found.keys().find(|id| !collected.contains(*id) && !not_collected.contains(*id));
    let whole = match (ended, untold, unknown) {
        (None, _, _) => Err("pytest ended before its report did".to_owned()),
        (Some(reported), _, _) if reported != code => {
            Err(format!("pytest reported exit code {reported}, and its process ended with {code}"))
        }
        (_, Some(id), _) => Err(format!("pytest collected {id} and did not report its outcome")),
        (_, _, Some(id)) => Err(format!("pytest reported {id}, which it did not collect")),
        (Some(_), None, None) => Ok(()),
    };
    Ok((found, whole))
}

/// The worst outcome of a test's phases counts, and with it the texts of all that failed.
fn add(found: &mut BTreeMap<String, PytestOutcome>, phase: PytestPhase, outcome: TestOutcome) {
    let badness = |outcome: TestOutcome| match outcome {
        TestOutcome::Passed => 0,
        TestOutcome::Skipped => 1,
        TestOutcome::Errored => 2,
        TestOutcome::Failed => 3,
    };
    let known = found.entry(phase.id).or_insert(PytestOutcome { outcome, detail: String::new() });
    known.detail.push_str(&phase.detail);
    if badness(outcome) > badness(known.outcome) {
        known.outcome = outcome;
    }
}

impl PytestPhase {
    /// None for a phase that decides nothing.
    fn outcome(&self) -> Option<TestOutcome> {
        match (self.outcome, self.when) {
            (PhaseOutcome::Passed, When::Call) => Some(TestOutcome::Passed),
            (PhaseOutcome::Passed, When::Collect | When::Setup | When::Teardown | When::Other) => None,
            (PhaseOutcome::Rerun, _) => None,
            (PhaseOutcome::Skipped, _) => Some(TestOutcome::Skipped),
            (PhaseOutcome::Failed, When::Call | When::Other) => Some(TestOutcome::Failed),
            (PhaseOutcome::Failed, When::Collect | When::Setup | When::Teardown) => Some(TestOutcome::Errored),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(code: u8, lines: &[&str]) -> (Vec<(String, TestOutcome)>, Result<(), String>) {
        let lines = Ok(lines.iter().map(|line| line.to_string()).collect());
        match records(&lines).and_then(|records| outcomes(records, code)) {
            Err(why) => (Vec::new(), Err(why)),
            Ok((found, whole)) => (found.into_iter().map(|(id, found)| (id, found.outcome)).collect(), whole),
        }
    }

    fn phase(id: &str, when: &str, outcome: &str) -> String {
        format!(r#"{{"phase":{{"id":"{id}","when":"{when}","outcome":"{outcome}","detail":""}}}}"#)
    }

    #[test]
    fn the_worst_phase_of_a_test_counts() {
        let phases = [("a", "call", "passed"), ("a", "teardown", "failed"), ("b", "setup", "skipped")];
        let mut lines = vec![r#"{"collected":["a","b"]}"#.to_owned()];
        lines.extend(phases.map(|(id, when, outcome)| phase(id, when, outcome)));
        lines.extend([phase("c.py", "collect", "failed"), r#"{"ended":1}"#.to_owned()]);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let expected = [("a", TestOutcome::Errored), ("b", TestOutcome::Skipped), ("c.py", TestOutcome::Errored)];
        assert_eq!(read(1, &lines), (expected.map(|(id, outcome)| (id.to_owned(), outcome)).to_vec(), Ok(())));
        assert!(read(0, &lines).1.unwrap_err().contains("its process ended with 0"));
    }

    #[test]
    fn what_was_collected_must_be_what_was_run() {
        let (a, passed, end) = (r#"{"collected":["a"]}"#, &phase("a", "call", "passed"), r#"{"ended":0}"#);
        assert_eq!(read(0, &[a, passed, end]).1, Ok(()));
        for wrong in [&[a, end][..], &[passed, end], &[a, passed], &[a, passed, end, end], &[a, "{}", end]] {
            assert!(read(0, wrong).1.is_err(), "{wrong:?}");
        }
    }
}
