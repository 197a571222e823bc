//! Builds and tests of a tree, run by the tools of its projects in a sandbox.
//!
//! Everything is made when it is first needed: the sandbox is looked for, a slot is taken, the work tree is written. One job runs at a time,
//! because they share the work tree. The user's own work tree is read for installed packages and never written.

mod area;
mod bench;
mod builds;
mod job;
mod kept;
mod links;
mod machine;
mod node;
mod projects;
mod python;
mod report;
mod runners;
mod sandbox;
mod test_files;
mod worktree;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use guardhost_core::change::{Candidate, Oid, RepoPath};
use guardhost_core::error::{Context, Result};

use area::{Area, JobDirs};
use bench::Bench;
use job::{Done, Job, Missing, fill};
use kept::Kept;
use machine::Machine;
use projects::{Files, Project, projects};
use report::Report;
use sandbox::{Ended, Halted, Order, Sandbox, View};

pub use report::{BuildReport, Diagnostic, Test, TestOutcome, TestReport};
pub use sandbox::{CONFINE, Limits, SUPERVISE, confine, supervise};
pub use worktree::{ExtraFiles, WorkTree};

/// What the host lends.
#[derive(Debug, Clone)]
pub struct ToolchainSetup {
    /// The `host` binary, which supervises sandboxes.
    pub exe: PathBuf,
    /// The user's cache; without one there is no place to work.
    pub cache: Option<PathBuf>,
    /// The folder that names the repository.
    pub repository: PathBuf,
    /// Where the repository's baselines are kept.
    pub state: PathBuf,
    /// The user's work tree; None when bare.
    pub workdir: Option<PathBuf>,
    /// The caller's environment, of which little goes further: `PATH`, the language, where toolchains lie. `GUARDHOST_SANDBOX` picks a sandbox.
    pub env: Vec<(OsString, OsString)>,
}

/// TreeKind tree, with which tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeKind {
    Base,
    Candidate,
    /// The candidate's code under the base's tests.
    BaseTests,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolchainFailure {
    /// Says what is missing and what to do.
    Unavailable(String),
    TimedOut(Duration),
}

type Answer<R> = Result<Result<Vec<R>, ToolchainFailure>>;

pub struct Toolchain {
    setup: ToolchainSetup,
    machine: Machine,
    held: Mutex<Held>,
}

/// What is made once and kept between the rounds of a run.
#[derive(Default)]
struct Held {
    sandbox: Option<Result<Sandbox, String>>,
    area: Option<Area>,
    /// By program and arguments: what it says of its version, or what it said instead.
    versions: HashMap<(PathBuf, Vec<String>), Result<String, String>>,
}

impl Toolchain {
    /// Does nothing yet.
    pub fn new(setup: ToolchainSetup) -> Self {
        Toolchain { machine: Machine::new(setup.env.clone()), setup, held: Mutex::default() }
    }

    /// One report for each runner of the touched projects.
    pub fn tests(&self, candidate: &Candidate, which: TreeKind, limits: &Limits) -> Answer<TestReport> {
        let mut restored = Vec::new();
        let tree = match which {
            TreeKind::Base => candidate.base_tree,
            TreeKind::Candidate => candidate.tree,
            TreeKind::BaseTests => match test_files::with_base_tests(candidate)? {
                Some((tree, files)) => {
                    restored = files;
                    tree
                }
                None => return Ok(Ok(Vec::new())),
            },
        };
        let bench = self.bench(candidate, tree);
        let jobs = |project: &Project| runners::job(&bench, project, &restored);
        self.answer(candidate, &bench, which == TreeKind::Base, limits, jobs, runners::read)
    }

    /// One report for each language of the change that has a build.
    pub fn build(&self, candidate: &Candidate, of_base: bool, limits: &Limits) -> Answer<BuildReport> {
        let bench = self.bench(candidate, if of_base { candidate.base_tree } else { candidate.tree });
        let touched: Vec<String> = touched(candidate).filter_map(RepoPath::as_str).map(str::to_owned).collect();
        let jobs = |project: &Project| builds::job(&bench, project, &touched);
        self.answer(candidate, &bench, of_base, limits, jobs, builds::read)
    }

    fn bench<'a>(&'a self, candidate: &'a Candidate, tree: Oid) -> Bench<'a> {
        let files = Files { objects: &*candidate.objects, tree };
        Bench { machine: &self.machine, files, workdir: self.setup.workdir.as_deref() }
    }

    fn answer<R: Report>(
        &self,
        candidate: &Candidate,
        bench: &Bench,
        of_base: bool,
        limits: &Limits,
        jobs: impl Fn(&Project) -> Result<Option<Result<Job, Missing>>>,
        read: fn(&Done) -> R,
    ) -> Answer<R> {
        let mut wanted: Vec<Result<Job, Missing>> = Vec::new();
        for project in projects(bench.files, touched(candidate))? {
            match jobs(&project)? {
                // Several projects may be tested from one root.
                Some(Ok(job)) if wanted.iter().flatten().any(|other| same(other, &job)) => {}
                Some(job) => wanted.push(job),
                None => {}
            }
        }
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reports = Vec::new();
        for job in wanted {
            match job {
                Err(Missing { tool, project, why }) => reports.push(R::nothing(tool, &project, Some(why), &[])),
                Ok(job) => match self.run(&mut held, bench, &job, of_base, limits, read)? {
                    Ok(report) => reports.push(report),
                    Err(unable) => return Ok(Err(unable)),
                },
            }
        }
        Ok(Ok(reports))
    }

    fn run<R: Report>(
        &self,
        held: &mut Held,
        bench: &Bench,
        job: &Job,
        of_base: bool,
        limits: &Limits,
        read: fn(&Done) -> R,
    ) -> Result<Result<R, ToolchainFailure>> {
        let Held { sandbox, area, versions } = held;
        let sandbox = match sandbox.get_or_insert_with(|| self.sandbox()) {
            Ok(sandbox) => &*sandbox,
            Err(why) => return Ok(Err(ToolchainFailure::Unavailable(why.clone()))),
        };
        let Some(cache) = &self.setup.cache else {
            let why = "no cache folder to work in: set HOME or XDG_CACHE_HOME";
            return Ok(Err(ToolchainFailure::Unavailable(why.to_owned())));
        };
        let area = match area {
            Some(area) => &*area,
            none => none.insert(Area::take(cache, &self.setup.repository)?),
        };
        let dirs = area.dirs(job.tool, of_base)?;
        self.machine.furnish(&dirs)?;
        let version = match versions.get(&job.version) {
            Some(version) => version.clone(),
            None => {
                let version = self.version(sandbox, &dirs, job, limits)?;
                versions.entry(job.version.clone()).or_insert(version).clone()
            }
        };
        let version = match version {
            Ok(version) => version,
            Err(said) => {
                let why = format!("{}: {}", job.install, said.lines().last().unwrap_or("it says nothing"));
                return Ok(Ok(R::nothing(job.tool, &job.project, Some(why), said.as_bytes())));
            }
        };
        let kept = Kept::new(&self.setup.state);
        let (tree, command, stamp) = (bench.files.tree.to_string(), format!("{job:?}"), links::stamp(&job.reads));
        let key = [env!("CARGO_PKG_VERSION"), sandbox.name(), &tree, &command, &version, &stamp];
        if let Some(report) = kept.get(&key).filter(|_| of_base) {
            return Ok(Ok(report));
        }
        area.tree.bring(bench.files.objects, bench.files.tree)?;
        let report = match self.command(sandbox, area, &dirs, job, limits)? {
            Ok(ended) => {
                let done = Done { job, ended: &ended, tree: area.tree.root(), out: &dirs.out };
                read(&done).relative_to(area.tree.root())
            }
            Err(Halted::TimedOut(limit)) => return Ok(Err(ToolchainFailure::TimedOut(limit))),
            Err(Halted::Exceeded(what)) => R::nothing(job.tool, &job.project, None, what.as_bytes()),
        };
        if of_base && report.is_whole() {
            kept.put(&key, &report)?;
        }
        Ok(Ok(report))
    }

    /// The name of the sandbox that would be used here. Errors say what to install.
    pub fn sandbox_here(&self) -> Result<&'static str, String> {
        self.sandbox().map(|sandbox| sandbox.name())
    }

    fn sandbox(&self) -> Result<Sandbox, String> {
        let wanted = self.machine.var("GUARDHOST_SANDBOX").map(|name| name.to_string_lossy());
        Sandbox::find(wanted.as_deref(), self.machine.find("bwrap"))
    }

    /// Errors: what it said instead.
    fn version(&self, sandbox: &Sandbox, dirs: &JobDirs, job: &Job, limits: &Limits) -> Result<Result<String, String>> {
        let view = self.machine.view(&dirs.home, dirs, &job.reads);
        let (program, args) = &job.version;
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let order = Order { program, args: &args, dir: &dirs.home, view: &view, limits };
        Ok(match sandbox.run(&self.setup.exe, &order)? {
            Ok(Ended { code: 0, output }) => Ok(String::from_utf8_lossy(&output).into_owned()),
            Ok(Ended { output, .. }) => Err(report::end(&output)),
            Err(Halted::TimedOut(limit)) => Err(format!("it did not answer within {} s", limit.as_secs())),
            Err(Halted::Exceeded(what)) => Err(what),
        })
    }

    fn command(
        &self,
        sandbox: &Sandbox,
        area: &Area,
        dirs: &JobDirs,
        job: &Job,
        limits: &Limits,
    ) -> Result<Result<Ended, Halted>> {
        let tree = area.tree.root();
        let mut reads = job.reads.clone();
        if let Some(workdir) = &self.setup.workdir {
            reads.extend(links::link_node_modules(workdir, tree, Path::new(&job.project))?);
        }
        let mut view: View = self.machine.view(tree, dirs, &reads);
        let filled = |word: &str| fill(word, tree, &dirs.built, &dirs.out);
        view.env.extend(job.env.iter().map(|(name, value)| (OsString::from(name), filled(value).into())));
        let args: Vec<OsString> = job.args.iter().map(|word| filled(word).into()).collect();
        let dir = tree.join(&job.project);
        let order = Order { program: &job.program, args: &args, dir: &dir, view: &view, limits };
        let ended = sandbox.run(&self.setup.exe, &order);
        ended.with_context(|| format!("cannot run {} in a sandbox", job.tool))
    }
}

/// Old and new paths of the change.
fn touched(candidate: &Candidate) -> impl Iterator<Item = &RepoPath> {
    candidate.files.iter().flat_map(|file| [file.old_path.as_ref(), Some(&file.path)]).flatten()
}

fn same(one: &Job, other: &Job) -> bool {
    (one.tool, &one.project) == (other.tool, &other.project)
}
