//! One job in the sandbox, from the tool's version to its report.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::baseline_cache::BaselineCache;
use super::first_error::last_words;
use super::installed_packages::{fingerprint, link_node_modules};
use super::job::{FinishedJob, JobPlaces, ProjectTool, ToolJob};
use super::job_dirs::JobDirs;
use super::real_folder::real_folder;
use super::report::{NotRun, ToolReport, output_tail};
use super::report_files::{COVERAGE, REPORT, ReportFiles};
use super::request::{Keep, ToolchainRequest};
use super::sandbox::{Exit, KilledCommand, ReportFrom, Sandbox, SandboxedCommand, View};
use super::workspace::Workspace;
use super::{ToolchainFailure, ToolchainSetup};
use guardhost_core::error::{Context, Result};

/// The version that a tool printed, or its output when it failed.
type Version = Result<String, String>;

/// Everything that decides a report.
type CacheKey = [String; 6];

/// Complete reports of candidates, newest first.
pub type Remembered = Vec<(CacheKey, Vec<u8>)>;

/// Those of one candidate, with the tools of a few projects. A report of 50,000 tests has 6 MB.
const MOST_REMEMBERED: usize = 8;

/// By program and arguments.
pub type VersionCache = HashMap<(PathBuf, Vec<String>), Version>;

pub struct JobRun<'a, T> {
    pub setup: &'a ToolchainSetup,
    pub request: &'a ToolchainRequest<'a>,
    pub sandbox: &'a Sandbox,
    pub workspace: &'a Workspace,
    pub dirs: JobDirs,
    pub job: &'a ToolJob<T>,
}

impl<T: ProjectTool> JobRun<'_, T> {
    /// A report of the base comes from the cache if it is there.
    pub fn report<R: ToolReport<Tool = T>>(
        &self,
        versions: &mut VersionCache,
        remembered: &mut Remembered,
    ) -> Result<Result<R, ToolchainFailure>> {
        let version = match self.known_version(versions)? {
            Ok(Ok(version)) => version,
            Ok(Err(output)) => return Ok(Ok(self.does_not_start(&output))),
            Err(failure) => return Ok(Err(failure)),
        };
        let key = self.cache_key(version);
        match self.request.keep {
            Keep::No => return self.fresh_report(),
            Keep::InMemory => return self.remembered_report(remembered, key),
            Keep::OnDisk => {}
        }
        let cache = BaselineCache::new(&self.setup.state);
        if let Some(report) = cache.get(&key) {
            return Ok(Ok(report));
        }
        let report: Result<R, _> = self.fresh_report()?;
        if let Ok(report) = &report
            && report.is_complete()
        {
            cache.put(&key, report)?;
        }
        Ok(report)
    }

    fn remembered_report<R: ToolReport<Tool = T>>(
        &self,
        remembered: &mut Remembered,
        key: CacheKey,
    ) -> Result<Result<R, ToolchainFailure>> {
        if let Some(known) = remembered.iter().find(|(known, _)| *known == key) {
            return Ok(Ok(serde_json::from_slice(&known.1)?));
        }
        let report: Result<R, _> = self.fresh_report()?;
        if let Ok(report) = &report
            && report.is_complete()
        {
            remembered.truncate(MOST_REMEMBERED - 1);
            remembered.insert(0, (key, serde_json::to_vec(report)?));
        }
        Ok(report)
    }

    fn known_version(&self, versions: &mut VersionCache) -> Result<Result<Version, ToolchainFailure>> {
        if let Some(version) = versions.get(&self.job.version) {
            return Ok(Ok(version.clone()));
        }
        let version = self.version()?;
        if let Ok(version) = &version {
            versions.insert(self.job.version.clone(), version.clone());
        }
        Ok(version)
    }

    fn version(&self) -> Result<Result<Version, ToolchainFailure>> {
        let view = self.request.context.machine.view(&self.dirs.home, &self.dirs, &self.job.reads);
        let (program, args) = &self.job.version;
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let dir = &self.dirs.home;
        // Its output is the version, whatever the job reports over.
        let command = SandboxedCommand { report: ReportFrom::Descriptor, ..self.command(program, &args, dir, &view) };
        let exit = self.sandbox.run(&self.setup.exe, &command);
        Ok(match exit.with_context(|| format!("cannot run {} in a sandbox", program.display()))? {
            Ok(Exit { code: 0, output, .. }) => Ok(Ok(String::from_utf8_lossy(&output).into_owned())),
            Ok(Exit { output, .. }) => Ok(Err(output_tail(&output))),
            Err(KilledCommand::TimedOut(limit)) => Err(ToolchainFailure::TimedOut(limit)),
            Err(KilledCommand::OverLimit(what)) => Ok(Err(what)),
            Err(KilledCommand::Stopped(stopped)) => return Err(stopped.into_error("asking a tool for its version")),
        })
    }

    fn does_not_start<R: ToolReport<Tool = T>>(&self, output: &str) -> R {
        let said = last_words(output.as_bytes());
        let why = format!("{}: {}", self.job.install, said.as_deref().unwrap_or("it says nothing"));
        R::without_result(self.job.tool.clone(), &self.job.project, Some(NotRun::CouldNot(why)), output.as_bytes())
    }

    fn cache_key(&self, version: String) -> CacheKey {
        [
            env!("CARGO_PKG_VERSION").to_owned(),
            self.sandbox.name().to_owned(),
            self.request.context.files.tree.to_string(),
            format!("{:?}", self.job),
            version,
            fingerprint(&self.job.reads),
        ]
    }

    /// Writes the tree, runs the command, reads its report.
    fn fresh_report<R: ToolReport<Tool = T>>(&self) -> Result<Result<R, ToolchainFailure>> {
        let (files, tree) = (self.request.context.files, &self.workspace.tree);
        tree.check_out(files.objects, files.tree)?;
        let Some(folder) = real_folder(tree.root(), &self.job.project) else { return Ok(Ok(self.no_folder())) };
        let report_files = ReportFiles::new(tree.root(), &self.job.project, &self.dirs.temp, &self.job.report_files)?;
        report_files.remove()?;
        Ok(match self.execute(&folder)? {
            Ok(exit) => {
                let (files, coverage) = (report_files.read(), report_files.read_coverage());
                let finished = FinishedJob { job: self.job, exit: &exit, tree: tree.root(), files, coverage };
                Ok(R::read(&finished).with_relative_paths(tree.root()))
            }
            Err(KilledCommand::TimedOut(limit)) => Err(ToolchainFailure::TimedOut(limit)),
            Err(KilledCommand::Stopped(stopped)) => Err(ToolchainFailure::Stopped(stopped)),
            Err(KilledCommand::OverLimit(what)) => {
                // It may have filled the disk.
                self.workspace.remove_work()?;
                Ok(R::without_result(self.job.tool.clone(), &self.job.project, None, what.as_bytes()))
            }
        })
    }

    /// A tree whose link stands in the folder's place leads wherever the change likes.
    fn no_folder<R: ToolReport<Tool = T>>(&self) -> R {
        let project = &self.job.project;
        let by_the_tree = format!("`{project}` is no folder of this tree");
        R::without_result(self.job.tool.clone(), project, Some(NotRun::ByTheTree { by_the_tree }), &[])
    }

    /// `folder` is the project's in the work tree.
    fn execute(&self, folder: &Path) -> Result<Result<Exit, KilledCommand>> {
        let (job, dirs, tree) = (self.job, &self.dirs, self.workspace.tree.root());
        let mut reads = job.reads.clone();
        reads.extend(link_node_modules(self.request.context, tree, &job.project)?);
        reads.push(self.setup.exe.clone());
        let (report, coverage) = (dirs.temp.join(REPORT), dirs.temp.join(COVERAGE));
        if job.coverage.is_some() {
            fs::create_dir_all(&coverage).context("cannot make a folder for what was counted")?;
        }
        let (built, reporters, host) = (&*dirs.built, &*dirs.reporters, &*self.setup.exe);
        let places = JobPlaces { tree, built, reporters, host, report: &report, coverage: &coverage };
        let expanded = |word: &str| places.expand(word);
        let mut view: View = self.request.context.machine.view(tree, dirs, &reads);
        view.env.extend(job.env.iter().map(|(name, value)| (OsString::from(name), expanded(value).into())));
        let args: Vec<OsString> = job.args.iter().map(|word| expanded(word).into()).collect();
        let command = self.command(&job.program, &args, folder, &view);
        let exit = self.sandbox.run(&self.setup.exe, &command);
        exit.with_context(|| format!("cannot run {} in a sandbox", job.tool.name()))
    }

    fn command<'c>(
        &'c self,
        program: &'c Path,
        args: &'c [OsString],
        dir: &'c Path,
        view: &'c View,
    ) -> SandboxedCommand<'c> {
        let (limits, busy, report) = (self.request.limits, self.workspace.busy(), self.job.report);
        SandboxedCommand { program, args, dir, view, limits, busy, report }
    }
}
