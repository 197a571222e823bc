//! Runs builds and tests of a tree, with the tools of its projects, in a sandbox.
//!
//! Everything is made when the first job needs it: the sandbox, the workspace, the work tree. Jobs share the work tree, so one runs at a
//! time. The user's own work tree is read for installed packages and never written.

#![cfg_attr(
    not(unix),
    allow(dead_code, reason = "without a sandbox no job is run, and what reads their reports is never called")
)]

mod builds;
mod command;
mod coverage;
mod first_error;
mod installed_packages;
mod job;
mod job_context;
mod job_dirs;
mod linters;
mod machine;
mod node;
mod projects;
mod python;
mod real_folder;
mod replaced_files;
mod report;
mod report_files;
mod request;
mod runners;
mod sandbox;
mod test_files;
mod tracked;

// What runs jobs. Without a sandbox there is nothing of it but the answer that says so.
#[cfg(unix)]
mod baseline_cache;
#[cfg(unix)]
mod executor;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod job_run;
#[cfg(not(unix))]
mod no_executor;
#[cfg(unix)]
mod workspace;
#[cfg(unix)]
mod worktree;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use guardhost_core::change::{Candidate, Oid, RepoPath};
use guardhost_core::error::Result;
use guardhost_core::stop::Stopped;

use job::{MissingTool, ProjectTool, ToolJob};
use job_context::JobContext;
use job_dirs::BuildCache;
use linters::LinterAt;
use machine::Machine;
use projects::{Project, ProjectFiles, join, projects};
use report::ToolReport;
use request::{Keep, ToolchainRequest};
use runners::TestRunner;
use sandbox::Sandbox;

#[cfg(unix)]
use executor::Executor;
#[cfg(not(unix))]
use no_executor::Executor;

pub use command::CommandReport;
pub use coverage::{CoverageReport, FileLines};
pub use linters::LintReport;
pub use linters::configured::{ConfiguredLinter, LintFormat, LinterUse};
pub use linters::presets::{LinterPreset, linter_presets};
pub use report::{BuildReport, Diagnostic, NotRun, Test, TestOutcome, TestReport};
pub use request::{Replaced, Replacement, TestSelection};
pub use runners::configured::{ConfiguredRunner, ReportFormat, program_of};
pub use runners::presets::{RunnerPreset, preset, presets};
pub use runners::suite::SUITE;
#[cfg(not(unix))]
pub use sandbox::run_suite;
pub use sandbox::{CONFINE, DESCRIPTOR, SUPERVISE, SandboxLimits, confine, supervise};
#[cfg(unix)]
pub use {
    runners::run_suite::run_suite,
    worktree::{CheckoutStats, JobWorkTree},
};

/// What a toolchain is made from.
#[derive(Debug, Clone)]
pub struct ToolchainSetup {
    /// The `host` binary, which supervises sandboxes.
    pub exe: PathBuf,
    /// The user's cache folder. Without one there is no place for workspaces.
    pub cache: Option<PathBuf>,
    /// The folder that names the repository.
    pub repository: PathBuf,
    /// The repository's state folder, where baselines are kept.
    pub state: PathBuf,
    /// The commit that the user has checked out.
    pub head: Option<Oid>,
    /// The user's work tree; None when the repository is bare.
    pub workdir: Option<PathBuf>,
    /// The caller's environment. A command gets little of it: `PATH`, the language, where toolchains lie. `GUARDHOST_SANDBOX` picks a
    /// sandbox.
    pub env: Vec<(OsString, OsString)>,
    /// Runners that `guards.toml` of the base names.
    pub runners: Vec<Arc<ConfiguredRunner>>,
    /// Linters that it names, beside those that its files ask for.
    pub linters: Vec<Arc<ConfiguredLinter>>,
}

/// Which tree is tested, with whose tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeKind {
    Base,
    Candidate,
    /// The candidate's code with the base's tests.
    BaseTests,
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolchainFailure {
    /// Says what is missing and what to do.
    Unavailable(String),
    TimedOut(Duration),
    /// The host was asked to stop.
    Stopped(Stopped),
}

/// A kind of sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxHere {
    /// As `GUARDHOST_SANDBOX` names it.
    pub name: &'static str,
    /// What it does not keep in, and the best kind does.
    pub weakness: Option<&'static str>,
}

type PlannedJob<T> = Result<ToolJob<T>, MissingTool<T>>;
type ToolReports<R> = Result<Result<Vec<R>, ToolchainFailure>>;

pub struct Toolchain {
    setup: ToolchainSetup,
    machine: Machine,
    executor: Mutex<Executor>,
}

impl Toolchain {
    /// Does nothing yet.
    pub fn new(setup: ToolchainSetup) -> Self {
        let machine = Machine::new(setup.env.clone(), setup.workdir.as_deref());
        Toolchain { machine, setup, executor: Mutex::default() }
    }

    /// One report for each runner of the touched projects.
    pub fn tests(&self, candidate: &Candidate, tree_kind: TreeKind, limits: &SandboxLimits) -> ToolReports<TestReport> {
        let mut selection = TestSelection::default();
        let tree = match tree_kind {
            TreeKind::Base => candidate.base_tree,
            TreeKind::Candidate => candidate.tree,
            TreeKind::BaseTests => match test_files::with_base_tests(candidate)? {
                Some((tree, files)) => {
                    selection.paths = files;
                    tree
                }
                None => return Ok(Ok(Vec::new())),
            },
        };
        let context = self.job_context(candidate, tree);
        let jobs = self.test_jobs(&context, candidate, &selection)?;
        let of_base = tree_kind == TreeKind::Base;
        let keep = if of_base { Keep::OnDisk } else { Keep::InMemory };
        let build_cache = self.build_cache(candidate, of_base);
        self.run_jobs(jobs, &ToolchainRequest { context: &context, keep, build_cache, limits })
    }

    /// Tests of a side with some files replaced, run anew each time. Only projects that hold a selected file are run, if any is selected.
    pub fn tests_with(
        &self,
        candidate: &Candidate,
        of_base: bool,
        replaced: &[Replaced],
        selection: &TestSelection,
        limits: &SandboxLimits,
    ) -> ToolReports<TestReport> {
        let context = self.job_context(candidate, replaced_files::tree_with(candidate, of_base, replaced)?);
        let jobs = self.test_jobs(&context, candidate, selection)?;
        let (keep, build_cache) = (Keep::No, BuildCache::Copy);
        self.run_jobs(jobs, &ToolchainRequest { context: &context, keep, build_cache, limits })
    }

    /// One report for each language of the change that has a build.
    pub fn build(&self, candidate: &Candidate, of_base: bool, limits: &SandboxLimits) -> ToolReports<BuildReport> {
        let context = self.job_context(candidate, if of_base { candidate.base_tree } else { candidate.tree });
        let touched: Vec<String> = touched(candidate).filter_map(RepoPath::as_str).map(str::to_owned).collect();
        let jobs = jobs(&context, candidate, |project| builds::job(&context, project, &touched))?;
        let keep = if of_base { Keep::OnDisk } else { Keep::InMemory };
        let build_cache = self.build_cache(candidate, of_base);
        self.run_jobs(jobs, &ToolchainRequest { context: &context, keep, build_cache, limits })
    }

    /// One report for each linter that the base is configured for and the change concerns. What steers it is the base's on both sides, and
    /// a file of the change at which it looked on the base alone is an objection.
    pub fn lint(&self, candidate: &Candidate, of_base: bool, limits: &SandboxLimits) -> ToolReports<LintReport> {
        let base = self.job_context(candidate, candidate.base_tree);
        let mut reports = Vec::new();
        for linter in linters::linters(base.files, candidate, &self.setup.linters)? {
            let mut report = match self.lint_by(&linter, candidate, of_base, limits)? {
                Ok(report) => report,
                Err(failure) => return Ok(Err(failure)),
            };
            let unseen = if of_base { Vec::new() } else { linters::unseen(candidate, &linter, &report) };
            if !unseen.is_empty() {
                match self.lint_by(&linter, candidate, true, limits)? {
                    Ok(before) => linters::object_to(&mut report, &unseen, &before),
                    Err(failure) => return Ok(Err(failure)),
                }
            }
            reports.push(report);
        }
        Ok(Ok(reports))
    }

    fn lint_by(
        &self,
        linter: &LinterAt,
        candidate: &Candidate,
        of_base: bool,
        limits: &SandboxLimits,
    ) -> Result<Result<LintReport, ToolchainFailure>> {
        let tree = match of_base {
            true => candidate.base_tree,
            false => replaced_files::tree_with(candidate, false, &linters::steering_of_base(candidate, &linter.0))?,
        };
        let context = self.job_context(candidate, tree);
        let keep = if of_base { Keep::OnDisk } else { Keep::InMemory };
        let build_cache = self.build_cache(candidate, of_base);
        let request = ToolchainRequest { context: &context, keep, build_cache, limits };
        let reports = self.run_jobs(vec![linters::job(&context, linter)], &request)?;
        Ok(reports.map(|mut reports| reports.pop().unwrap_or_default()))
    }

    /// Those of the touched projects that hold a selected file, if any is selected. A runner that the rules name takes the place of what the
    /// host would run in the same folder.
    fn test_jobs(
        &self,
        context: &JobContext,
        candidate: &Candidate,
        selection: &TestSelection,
    ) -> Result<Vec<PlannedJob<TestRunner>>> {
        let holds = |folder: &str, path: &str| folder.is_empty() || path.starts_with(&join(folder, ""));
        let is_selected =
            |folder: &str| selection.paths.is_empty() || selection.paths.iter().any(|path| holds(folder, path));
        let runners = &self.setup.runners;
        let touches = |runner: &&Arc<ConfiguredRunner>| {
            touched(candidate).filter_map(RepoPath::as_str).any(|path| holds(&runner.folder, path))
        };
        let mut found = jobs(context, candidate, |project| {
            let is_replaced = runners.iter().any(|runner| runner.folder == project.folder);
            match is_selected(&project.folder) && !is_replaced {
                true => runners::job(context, project, selection),
                false => Ok(None),
            }
        })?;
        let of_rules = runners.iter().filter(touches).filter(|runner| is_selected(&runner.folder));
        found.extend(of_rules.map(|runner| runners::configured::job(context, runner, selection)));
        Ok(found)
    }

    fn job_context<'a>(&'a self, candidate: &'a Candidate, tree: Oid) -> JobContext<'a> {
        let files = ProjectFiles { objects: &*candidate.objects, tree };
        let sides = vec![candidate.base_tree, candidate.tree];
        JobContext { machine: &self.machine, files, sides, workdir: self.setup.workdir.as_deref() }
    }

    fn run_jobs<R: ToolReport>(&self, jobs: Vec<PlannedJob<R::Tool>>, request: &ToolchainRequest) -> ToolReports<R> {
        let mut executor = self.executor.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reports = Vec::new();
        for job in jobs {
            match job {
                Err(MissingTool { tool, project, why }) => {
                    reports.push(R::without_result(tool, &project, Some(why), &[]));
                }
                Ok(job) => match executor.run(self, &job, request)? {
                    Ok(report) => reports.push(report),
                    Err(failure) => return Ok(Err(failure)),
                },
            }
        }
        Ok(Ok(reports))
    }

    /// What a commit's tests build is where later runs start, whatever they are for. A commit of a plan, for example, is the base of the
    /// next step, and no user has seen it yet.
    fn build_cache(&self, candidate: &Candidate, of_base: bool) -> BuildCache {
        let is_users = || {
            let (base, head) = (candidate.base?, self.setup.head?);
            let repository = git2::Repository::open(&self.setup.repository).ok()?;
            Some(base == head || repository.graph_descendant_of(head, base).ok()?)
        };
        match of_base && is_users() == Some(true) {
            true => BuildCache::Update,
            false => BuildCache::Copy,
        }
    }

    /// The sandbox that would be used here. Errors say what to install.
    pub fn sandbox_here(&self) -> Result<SandboxHere, String> {
        self.find_sandbox().map(|sandbox| SandboxHere { name: sandbox.name(), weakness: sandbox.weakness() })
    }

    /// What to tell about the sandbox of the jobs so far: None when nothing is left to chance.
    pub fn warning(&self) -> Option<&'static str> {
        self.executor.lock().unwrap_or_else(PoisonError::into_inner).warning()
    }

    fn find_sandbox(&self) -> Result<Sandbox, String> {
        let wanted = self.machine.var("GUARDHOST_SANDBOX").map(|name| name.to_string_lossy());
        Sandbox::find(wanted.as_deref(), self.machine.find("bwrap"), &self.setup.exe)
    }
}

/// The jobs of the touched projects, each once: several projects may be tested from one root.
fn jobs<T: ProjectTool>(
    context: &JobContext,
    candidate: &Candidate,
    job: impl Fn(&Project) -> Result<Option<PlannedJob<T>>>,
) -> Result<Vec<PlannedJob<T>>> {
    let mut jobs: Vec<PlannedJob<T>> = Vec::new();
    for project in projects(context.files, touched(candidate))? {
        match job(&project)? {
            Some(Ok(job)) if jobs.iter().flatten().any(|other| is_same(other, &job)) => {}
            Some(job) => jobs.push(job),
            None => {}
        }
    }
    Ok(jobs)
}

/// Old and new paths of the change.
fn touched(candidate: &Candidate) -> impl Iterator<Item = &RepoPath> {
    candidate.files.iter().flat_map(|file| [file.old_path.as_ref(), Some(&file.path)]).flatten()
}

fn is_same<T: PartialEq>(one: &ToolJob<T>, other: &ToolJob<T>) -> bool {
    (&one.tool, &one.project) == (&other.tool, &other.project)
}
