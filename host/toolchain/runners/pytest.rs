//! pytest, from the user's virtual environment if there is one. It runs unittest's classes too.

use super::junit;
use crate::job::{FinishedJob, Job, MissingTool};
use crate::job_context::JobContext;
use crate::projects::{Project, join};
use crate::python;
use crate::report::{Test, TestOutcome, TestReport};
use crate::test_files::below;
use guardhost_core::error::Result;

pub const NAME: &str = "pytest";

/// pytest's exit codes: all passed, some failed, no tests at all.
const WHOLE: [u8; 3] = [0, 1, 5];

pub fn job(context: &JobContext, project: &Project, only: &[String]) -> Result<Result<Job, MissingTool>> {
    let mut job = match python::job(context, NAME, project)? {
        Ok(job) => job,
        Err(missing) => return Ok(Err(missing)),
    };
    // The project's own options stay; these add only how results are reported, so that none can hide a test.
    let words = ["-m", "pytest", "-p", "no:cacheprovider", "-o", "junit_family=xunit1", "--junitxml={out}/report.xml"];
    job.args = words.map(str::to_owned).into();
    job.args.extend(["--continue-on-collection-errors", "-q", "--color=no"].map(str::to_owned));
    job.args.push(format!("--rootdir={{tree}}/{}", project.folder));
    job.args.extend(below(only, &project.folder));
    job.version = (job.program.clone(), ["-m", "pytest", "--version"].map(str::to_owned).into());
    job.install = format!("pytest is not installed for {}", job.program.display());
    Ok(Ok(job))
}

pub fn read(finished: &FinishedJob) -> TestReport {
    let project = &finished.job.project;
    let report = std::fs::read_to_string(finished.out.join("report.xml")).map_err(|error| error.to_string());
    let cases = report.and_then(|text| junit::parse(&text));
    let whole = WHOLE.contains(&finished.exit.code) && cases.is_ok();
    let tests = cases.unwrap_or_default().into_iter().map(|case| {
        let path = case.file.as_ref().map(|file| join(project, file));
        Test { id: id(&case, path.as_deref()), path, outcome: case.outcome, detail: case.detail }
    });
    // A collection error has no exit code of its own: pytest ends with 1 or 2, and the module is in the report.
    let tests: Vec<Test> = tests.collect();
    let collected = tests.iter().any(|test| test.outcome == TestOutcome::Errored) && finished.exit.code == 2;
    TestReport::new(NAME, project, tests, whole || collected, &finished.exit.output)
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
