//! A runner that `guards.toml` names: any command that writes JUnit's XML or TAP.
//!
//! Its report lies in files that every process of its sandbox can write, and the host has no part of its own inside of the runner. What
//! such a report says is therefore what the tests themselves say, and its result tells so.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;

use super::{Parts, PlannedTests, TestRunner, junit, tap};
use crate::coverage::CoverageFormat;
use crate::job::{FinishedJob, MissingTool, ToolJob};
use crate::job_context::JobContext;
use crate::machine::prefix;
use crate::python::environment_of;
use crate::report::TestOutcome;
use crate::request::TestSelection;
use crate::sandbox::ReportFrom;
use crate::test_files::below_any;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportFormat {
    Junit,
    Tap,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredRunner {
    /// Lower-case words joined by `-`.
    pub name: String,
    /// Where it is run; empty for the root.
    pub folder: String,
    /// For `sh -c`. `{report}` is a file that it may write its report to, `{tests}` the files of tests to run, quoted, `{reporters}` the
    /// folder of the host's own reporters.
    pub command: String,
    pub format: ReportFormat,
    /// Globs below the folder of the files of its report. Without them it is `{report}` or, of TAP, the standard output.
    pub files: Vec<String>,
    /// Folders below the user's home that it reads: packages that were downloaded.
    pub reads: Vec<String>,
}

/// Prints the version of the program that is its first argument, or where it is: a shell, or a script of the repository, has none to tell.
pub const VERSION: &str = "\"$0\" --version 2>&1 || command -v \"$0\"";

/// What is said of every result of such a runner.
pub const NOT_VOUCHED: &str =
    "This result was read from files that the tests can write: it is what they say of themselves.";

pub fn job(context: &JobContext, runner: &Arc<ConfiguredRunner>, selection: &TestSelection) -> PlannedTests {
    let tool = TestRunner::Configured(Arc::clone(runner));
    let Some(program) = runner.program() else {
        return Err(MissingTool::not_installed(tool, &runner.folder, "its command is empty"));
    };
    let Some(found) = context.machine.find(program) else {
        return Err(MissingTool::not_installed(tool, &runner.folder, format!("{program} is not installed")));
    };
    let quoted = |path: &String| format!("'{}'", path.replace('\'', "'\\''"));
    let tests: Vec<String> = below_any(&selection.paths, &runner.folder).iter().map(quoted).collect();
    let command = runner.command.replace("{tests}", &tests.join(" "));
    let home = context.machine.home_folder();
    let below_home = |folder: &String| home.as_ref().map(|home| home.join(folder)).filter(|folder| folder.is_dir());
    let mut reads: Vec<PathBuf> = runner.reads.iter().filter_map(below_home).collect();
    reads.extend(environment_of(&found).filter(|folder| context.machine.may_be_read(folder)));
    reads.extend(prefix(&found).filter(|folder| context.machine.may_be_read(folder)));
    let is_stdout =
        runner.format == ReportFormat::Tap && runner.files.is_empty() && !runner.command.contains("{report}");
    Ok(ToolJob {
        args: vec!["-c".to_owned(), command],
        report: if is_stdout { ReportFrom::Stdout } else { ReportFrom::Descriptor },
        report_files: runner.files.clone(),
        env: vec![("GUARDHOST_HOME", home.map(|home| home.display().to_string()).unwrap_or_default())],
        version: ("/bin/sh".into(), vec!["-c".to_owned(), VERSION.to_owned(), found.display().to_string()]),
        install: format!("{program} does not start"),
        reads,
        ..ToolJob::new(tool, &runner.folder, "/bin/sh".into())
    })
}

impl ConfiguredRunner {
    /// What it tells lines in: only a reporter of the host's own does.
    pub fn coverage(&self) -> Option<CoverageFormat> {
        let reporters = [
            ("unittest_tap.py", CoverageFormat::Python),
            ("rspec.rb", CoverageFormat::Ruby),
            ("minitest.rb", CoverageFormat::Ruby),
        ];
        let uses = |name: &str| self.command.contains(&format!("{{reporters}}/{name}"));
        reporters.into_iter().find(|(name, _)| uses(name)).map(|(_, format)| format)
    }

    pub fn program(&self) -> Option<&str> {
        program_of(&self.command)
    }
}

/// The first word of a command, behind assignments of variables.
pub fn program_of(command: &str) -> Option<&str> {
    command.split_whitespace().find(|word| !word.contains('='))
}

pub fn read(finished: &FinishedJob<TestRunner>, runner: &ConfiguredRunner) -> Parts {
    let mut output = finished.exit.output.clone();
    let texts = match finished.job.report {
        ReportFrom::Stdout => finished.exit.records.as_ref().map(|lines| vec![lines.join("\n")]).map_err(Clone::clone),
        ReportFrom::Descriptor => finished.files.clone(),
    };
    let texts = match texts {
        Ok(texts) if texts.is_empty() => Err("it wrote no report".to_owned()),
        texts => texts,
    };
    let (mut tests, mut whole) = (Vec::new(), Ok(()));
    match texts {
        Err(why) => whole = Err(why),
        Ok(texts) => {
            for text in texts {
                let (found, of_text) = match runner.format {
                    ReportFormat::Junit => junit::tests(&text),
                    ReportFormat::Tap => tap::tests(&text),
                };
                tests.extend(found);
                whole = whole.and(of_text);
            }
        }
    }
    for test in &mut tests {
        test.path = test.path.take().and_then(|path| finished.path(&path));
        // A name that begins with a file, as the host's own reporters write it.
        let file = test.id.split(" > ").next().filter(|file| file.contains('.')).and_then(|file| finished.file(file));
        test.path = test.path.take().or(file);
        // A file is no test: under its name a runner reports that it cannot be loaded.
        if test.outcome == TestOutcome::Failed && test.path.as_deref() == Some(test.id.as_str()) {
            test.outcome = TestOutcome::Errored;
        }
    }
    let failures = tests.iter().filter(|test| test.outcome.is_failure()).count();
    let agrees = match (finished.exit.code, failures) {
        (0, 0) => Ok(()),
        (0, failures) => Err(format!("it ended with exit code 0 and reported {failures} tests that failed")),
        (code, 0) => Err(format!("it ended with exit code {code} and reported no test that failed")),
        (_, _) => Ok(()),
    };
    if tests.iter().any(|test| test.outcome == TestOutcome::Passed) {
        output.extend(format!("\n{NOT_VOUCHED}").bytes());
    }
    (tests, whole.and(agrees), output)
}
