//! pytest, of the user's virtual environment where there is one. It runs unittest's classes too.

use super::junit;
use crate::bench::Bench;
use crate::job::{Done, Job, Missing};
use crate::projects::{Project, join};
use crate::python;
use crate::report::{Test, TestOutcome, TestReport};
use crate::test_files::told;
use guardhost_core::error::Result;

pub const NAME: &str = "pytest";

/// pytest's exit codes: all passed, some failed, no tests at all.
const WHOLE: [u8; 3] = [0, 1, 5];

pub fn job(bench: &Bench, project: &Project, only: &[String]) -> Result<Result<Job, Missing>> {
    let mut job = match python::job(bench, NAME, project)? {
        Ok(job) => job,
        Err(missing) => return Ok(Err(missing)),
    };
    // Another order of options than the project's own cannot hide a test: all that is added is how results are told.
    let words = ["-m", "pytest", "-p", "no:cacheprovider", "-o", "junit_family=xunit1", "--junitxml={out}/report.xml"];
    job.args = words.map(str::to_owned).into();
    job.args.extend(["--continue-on-collection-errors", "-q", "--color=no"].map(str::to_owned));
    job.args.push(format!("--rootdir={{tree}}/{}", project.folder));
    job.args.extend(told(only, &project.folder));
    job.version = (job.program.clone(), ["-m", "pytest", "--version"].map(str::to_owned).into());
    job.install = format!("pytest is not installed for {}", job.program.display());
    Ok(Ok(job))
}

pub fn read(done: &Done) -> TestReport {
    let project = &done.job.project;
    let report = std::fs::read_to_string(done.out.join("report.xml")).map_err(|error| error.to_string());
    let cases = report.and_then(|text| junit::parse(&text));
    let whole = WHOLE.contains(&done.ended.code) && cases.is_ok();
    let tests = cases.unwrap_or_default().into_iter().map(|case| {
        let path = case.file.as_ref().map(|file| join(project, file));
        Test { id: id(&case, path.as_deref()), path, outcome: case.outcome, detail: case.detail }
    });
    // pytest has an exit code for everything but this: a collection error alone ends it with 1 or 2, and its module is in the report.
    let tests: Vec<Test> = tests.collect();
    let collected = tests.iter().any(|test| test.outcome == TestOutcome::Errored) && done.ended.code == 2;
    TestReport::of(NAME, project, tests, whole || collected, &done.ended.output)
}

/// As pytest's own node ids: `tests/test_a.py::TestC::test_m[1]`, and the file alone for a module that cannot be imported.
fn id(case: &junit::Case, path: Option<&str>) -> String {
    let Some(path) = path else { return format!("{}::{}", case.class, case.name) };
    if case.class.is_empty() {
        return path.to_owned();
    }
    let module = case.file.as_deref().unwrap_or_default().trim_end_matches(".py").replace('/', ".");
    let classes = case.class.strip_prefix(&module).unwrap_or_default().trim_start_matches('.').replace('.', "::");
    let classes = if classes.is_empty() { classes } else { format!("{classes}::") };
    format!("{path}::{classes}{}", case.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_pytests_own() {
        let case = |class: &str, name: &str| junit::Case {
            class: class.to_owned(),
            name: name.to_owned(),
            file: Some("tests/test_a.py".to_owned()),
            outcome: TestOutcome::Passed,
            detail: String::new(),
        };
        let id = |class, name| id(&case(class, name), Some("tests/test_a.py"));
        assert_eq!(id("tests.test_a", "test_x[a.b]"), "tests/test_a.py::test_x[a.b]");
        assert_eq!(id("tests.test_a.C.D", "test_x"), "tests/test_a.py::C::D::test_x");
        assert_eq!(id("", "tests.test_a"), "tests/test_a.py");
    }
}
