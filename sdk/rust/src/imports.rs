//! The guest's source of a change: the host's imports, one call each. What a guard never calls, the linker drops and
//! the component does not import.

pub(crate) use crate::bindings::guardhost::guard::change::File as Handle;

use crate::bindings::guardhost::commits::commits;
use crate::bindings::guardhost::facts::facts;
use crate::bindings::guardhost::guard::change;
use crate::bindings::guardhost::history::history;
use crate::bindings::guardhost::language::languages;
use crate::bindings::guardhost::model::model::{self, Answer, Failure, Question};
use crate::bindings::guardhost::modules::modules;
use crate::bindings::guardhost::net::net;
use crate::bindings::guardhost::registry::registry;
use crate::bindings::guardhost::repo::tree;
use crate::bindings::guardhost::toolchain::toolchain;
use crate::language;
use crate::modules::{Call, Function, Imported, Offered, Unknown};
use crate::{
    Blob, BuildReport, Commit, Coverage, Denied, Dependency, Edits, Hit, Language, Liveness, Manifest, Outcome,
    PackageName, Replaced, Selection, Side, Standing, Task, TestReport, Unreadable,
};

pub(crate) struct Source;

impl Source {
    pub fn files(&self) -> Vec<Handle> {
        change::files()
    }

    pub fn task(&self) -> Option<Task> {
        let task = change::get_task()?;
        Some(Task { text: task.text(), hints: task.hints(), is_compile_fix: task.is_compile_fix() })
    }

    pub fn commits(&self) -> Vec<Commit> {
        each(change::commits())
    }

    pub fn log(&self, path: &str, limit: u32) -> Result<Vec<Commit>, Denied> {
        commits::touching(path, limit).map(each)
    }

    pub fn recent_edits(&self, paths: &[String], days: u32) -> Result<Vec<Edits>, Denied> {
        let of = |edits: commits::Edits| Edits {
            commit: edits.commit.into(),
            days_before: edits.days_before,
            files: edits.files,
        };
        commits::recent_edits(paths, days).map(|found| found.into_iter().map(of).collect())
    }

    pub fn stat(&self, side: Side, path: &str) -> Result<Option<Blob>, Denied> {
        tree::stat(side, path)
    }

    pub fn is_dir(&self, side: Side, path: &str) -> Result<bool, Denied> {
        tree::is_dir(side, path)
    }

    pub fn repo_read(&self, side: Side, path: &str) -> Result<Vec<u8>, Unreadable> {
        tree::read(side, path)
    }

    pub fn repo_text(&self, side: Side, path: &str) -> Result<String, Unreadable> {
        tree::text(side, path)
    }

    pub fn find(&self, side: Side, globs: &[String], limit: u32) -> Vec<String> {
        tree::find(side, globs, limit)
    }

    pub fn search(&self, side: Side, needles: &[String], globs: &[String], limit: u32) -> Vec<Hit> {
        tree::search(side, needles, globs, limit)
    }

    pub fn manifests(&self, side: Side) -> Vec<Manifest> {
        each(facts::manifests(side))
    }

    pub fn languages(&self, side: Side) -> Vec<Language> {
        facts::languages(side)
    }

    pub fn frameworks(&self, side: Side) -> Vec<String> {
        facts::frameworks(side)
    }

    pub fn entry_points(&self, side: Side) -> Vec<String> {
        facts::entry_points(side)
    }

    pub fn imports(&self, side: Side, path: &str) -> Result<Vec<Imported>, Unknown> {
        modules::imports(side, path)
    }

    pub fn offers(&self, side: Side, path: &str) -> Result<Offered, Unknown> {
        modules::offers(side, path)
    }

    pub fn functions(&self, side: Side, path: &str) -> Result<Vec<Function>, Unknown> {
        modules::functions(side, path)
    }

    pub fn calls(&self, side: Side, path: &str) -> Result<Vec<Call>, Unknown> {
        modules::calls(side, path)
    }

    pub fn language_of(&self, path: &str) -> Option<language::Language> {
        languages::language_of(path)
    }

    pub fn problems_of(&self, side: Side, path: &str) -> Result<Vec<language::Problem>, language::Unknown> {
        languages::problems_of(side, path)
    }

    pub fn problems_of_text(&self, path: &str, text: &str) -> Result<Vec<language::Problem>, language::Unknown> {
        languages::problems_of_text(path, text)
    }

    pub fn outline_of(&self, side: Side, path: &str) -> Result<language::Outline, language::Unknown> {
        languages::outline_of(side, path)
    }

    pub fn names_of(&self, side: Side, path: &str) -> Result<language::Names, language::Unknown> {
        languages::names_of(side, path)
    }

    pub fn probe(&self, urls: &[String]) -> Result<Vec<Liveness>, Denied> {
        net::probe(urls)
    }

    pub fn look_up(&self, packages: &[PackageName]) -> Result<Vec<Standing>, Denied> {
        registry::look_up(packages)
    }

    pub fn run_tests(&self, side: Side) -> Result<Vec<TestReport>, Denied> {
        toolchain::run_tests(side).map(each)
    }

    pub fn run_base_tests(&self) -> Result<Vec<TestReport>, Denied> {
        toolchain::run_base_tests().map(each)
    }

    pub fn run_tests_with(
        &self,
        side: Side,
        replaced: &[Replaced],
        selection: &Selection,
    ) -> Result<Vec<TestReport>, Denied> {
        toolchain::run_tests_with(side, replaced, selection).map(each)
    }

    pub fn run_tests_covered(&self, side: Side, selection: &Selection) -> Result<Vec<Coverage>, Denied> {
        toolchain::run_tests_covered(side, selection)
    }

    pub fn run_build(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        toolchain::run_build(side).map(each)
    }

    pub fn run_linters(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        toolchain::run_linters(side).map(each)
    }

    pub fn ask(&self, questions: &[Question]) -> Result<Vec<Result<Answer, Failure>>, Denied> {
        model::ask(questions)
    }

    pub fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<Outcome>, Denied> {
        history::outcomes(window_hours, limit).map(each)
    }
}

fn each<H, T: From<H>>(handles: Vec<H>) -> Vec<T> {
    handles.into_iter().map(T::from).collect()
}

impl From<change::Commit> for Commit {
    fn from(commit: change::Commit) -> Self {
        let (oid, message) = (commit.oid(), commit.message());
        Commit { oid, message, author: commit.author(), trailers: commit.trailers() }
    }
}

impl From<facts::Manifest> for Manifest {
    fn from(manifest: facts::Manifest) -> Self {
        Manifest {
            path: manifest.path(),
            ecosystem: manifest.ecosystem().into(),
            name: manifest.name(),
            dependencies: each(manifest.dependencies()),
            elsewhere: manifest.elsewhere(),
            problem: manifest.problem(),
        }
    }
}

impl From<facts::Dependency> for Dependency {
    fn from(facts::Dependency { name, requirement, kind }: facts::Dependency) -> Self {
        Dependency { name, requirement, kind: kind.into() }
    }
}

impl From<toolchain::TestReport> for TestReport {
    fn from(report: toolchain::TestReport) -> Self {
        TestReport {
            runner: report.runner(),
            project: report.project(),
            not_run: report.not_run(),
            tests: report.tests(),
            is_complete: report.is_complete(),
            output: report.output(),
        }
    }
}

impl From<toolchain::BuildReport> for BuildReport {
    fn from(report: toolchain::BuildReport) -> Self {
        BuildReport {
            tool: report.tool(),
            project: report.project(),
            not_run: report.not_run(),
            is_ok: report.is_ok(),
            diagnostics: report.diagnostics(),
            output: report.output(),
        }
    }
}

impl From<history::Outcome> for Outcome {
    fn from(outcome: history::Outcome) -> Self {
        Outcome {
            run: outcome.run(),
            step: outcome.step(),
            age_hours: outcome.age_hours(),
            result: outcome.result().into(),
            touched: outcome.touched(),
            rejected_by: outcome.rejected_by(),
        }
    }
}
