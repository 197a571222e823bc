//! A model that edits the work tree file by file: it reads, it patches, it writes, and every write is judged.
//!
//! The SHA-256 of a file's content is an optimistic lock: a write names the hash of the content that the model read, and a file
//! that has changed since is not overwritten. A patch passes the usual stages (repair, extract, sanitize, apply, guard).
//!
//! The guards judge the step from the current work tree, uncommitted changes included, to the same tree with this one file
//! changed. So a guard sees only what this write brings in, and whatever it looks up elsewhere (a link's target, a manifest,
//! another module) is what the model sees too. [`Session::check`] judges against HEAD, as a commit is judged: it finds losses
//! that are spread over many small writes.
//!
//! A session may live long while other people commit: every call reads repository, rules and guards again.

mod answer;
mod error;
mod file;
mod locate;
mod lock;
mod models;
mod retry_limit;
mod sha256;
mod single_file_patch;
mod write;

pub use answer::{Encoding, ErrorType, LineRange, SessionFile, SessionFinding, WriteAnswer};
pub use models::{FixAsk, PullAsk, ReviewAsk};
pub use write::NewFileContent;

use std::path::{Path, PathBuf};
use std::time::Instant;

use error::{SessionResult, split_denial};
use file::SessionDiskState;
use guardhost_core::change::{LayerReport, Observer, PastRun, Quotes, Refused, RefusedKind, RepoPath, Task, Tree};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::sensitive::hidden;
use guardhost_engine::GuardSet;
use guardhost_gate::{Case, ExistingChange, Gate, RuleChanges};
use guardhost_git::{Head, Repo, recover};
use guardhost_patch::sanitize::{self, check_paths};
use guardhost_pipeline::measure::{MeasureRequest, measured};
use guardhost_pipeline::plan::context::AuditFile;
use guardhost_pipeline::plan::{EarlierRuns, Plan, layered, plan};
use guardhost_report::journal::latest_listed;
use guardhost_report::{AuditReport, CheckReport, LogReport, Report};
use retry_limit::RetryLimit;

use crate::command::with_ruling;

/// What a session needs from the program around it: the gate of the repository, and an observer of the guards at work.
pub trait SessionHost: Observer {
    /// The gate for edits of this session. With [`RuleChanges::Allowed`] it is for one edit of the rules that a person saw and allows: an edit
    /// is of one file, so whether `guards.toml` and `guards.lock` fit is left to the commit.
    ///
    /// # Errors
    /// Of the rules and the guards.
    fn gate(&self, repo: &Repo, head: &Head, rule_changes: RuleChanges) -> Result<Gate>;

    /// The embedded analyzers. Without `runs_code` those that build and test find nothing to ask.
    fn analyzers(&self, repo: &Repo, runs_code: bool) -> Result<GuardSet>;

    /// Runs of the same repository on other machines, and, in words, why nothing tells of them. Both are empty where nothing could.
    fn runs_elsewhere(&self, _repo: &Repo) -> (Vec<PastRun>, Vec<String>) {
        Default::default()
    }

    /// The newest runs of the repository, here and elsewhere.
    ///
    /// # Errors
    /// Of the records.
    fn log(&self, repo: &Repo, limit: usize) -> Result<LogReport> {
        Ok(LogReport { runs: latest_listed(&repo.state_dir()?, limit)?, ..LogReport::default() })
    }

    /// As `host review`.
    ///
    /// # Errors
    /// Where no provider can be asked.
    fn review(&self, _workdir: &Path, _ask: &ReviewAsk) -> Result<Report> {
        Err(no_models())
    }

    /// As `host fix`.
    ///
    /// # Errors
    /// Where no provider can be asked.
    fn fix(&self, _workdir: &Path, _ask: &FixAsk) -> Result<Report> {
        Err(no_models())
    }

    /// As `host pr open` or `host pr status`.
    ///
    /// # Errors
    /// Where no forge may be asked.
    fn pull(&self, _workdir: &Path, _ask: &PullAsk) -> Result<Report> {
        let fault = Fault::new(FaultKind::Usage, "this session reaches no forge");
        Err(fault.hint("start the server with: host mcp --pr").into())
    }
}

fn no_models() -> guardhost_core::error::Error {
    Fault::new(FaultKind::Provider, "no provider can be asked here").into()
}

/// What a check compares with HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckedChanges {
    /// The work tree, untracked files included, ignored ones not.
    WorkTree,
    Staged,
}

/// One model's view of one work tree. Two sessions on one repository take turns at writing.
pub struct Session<'c> {
    workdir: PathBuf,
    host: &'c dyn SessionHost,
    /// Counts reads and writes, so that a model can tell which of two states is newer.
    version: u64,
    retry_limit: RetryLimit,
    /// What a person allows the write that is being made.
    rule_changes: RuleChanges,
}

impl<'c> Session<'c> {
    /// Errors ([`FaultKind::Git`]): no repository at `dir` or above it, or a bare one.
    pub fn open(dir: &Path, host: &'c dyn SessionHost) -> Result<Self> {
        let repo = Repo::open(dir)?;
        let Some(workdir) = repo.workdir() else {
            return Err(Fault::new(FaultKind::Git, "a bare repository has no files to edit").hint("clone it").into());
        };
        let (workdir, retry_limit) = (workdir.to_path_buf(), RetryLimit::default());
        Ok(Session { workdir, host, version: 0, retry_limit, rule_changes: RuleChanges::Kept })
    }

    /// Makes writes of which a person says whether they may change the rules. Only what [`WriteAnswer::rule_change`] shows may be allowed.
    pub fn decided<T>(&mut self, rule_changes: RuleChanges, write: impl FnOnce(&mut Self) -> T) -> T {
        self.rule_changes = rule_changes;
        let written = write(self);
        self.rule_changes = RuleChanges::Kept;
        written
    }

    /// Content and hash of a file. The hash covers the whole file, even if `span` selects a part.
    ///
    /// `path` is relative to the root of the work tree, or absolute and below it. Files with credentials and git's own files are
    /// not read.
    pub fn read_file(&mut self, path: &str, span: LineRange) -> Result<Result<SessionFile, WriteAnswer>> {
        split_denial(self.read(path, span))
    }

    /// Applies a unified diff of the one file at `path`. `base` is the SHA-256 of the content that the diff was made from; a
    /// missing file has the hash of the empty string.
    ///
    /// The second [`ErrorType::InvalidPatch`] in a row for one file becomes [`ErrorType::InvalidPatchLimitExceeded`].
    pub fn safe_patch(&mut self, path: &str, unified_diff: &str, base: &str) -> Result<WriteAnswer> {
        let path = match self.locate(path) {
            Ok(path) => path,
            Err(halt) => return split_denial(Err(halt)).map(into_answer),
        };
        let outcome = split_denial(self.patch(&path, unified_diff, base)).map(into_answer);
        self.retry_limit.count(path, outcome)
    }

    /// Replaces a file as a whole. `base`, the SHA-256 of its content, is required if the file exists.
    ///
    /// Text keeps the line endings and the final newline of the existing file, since models see neither.
    pub fn write_file(&mut self, path: &str, content: NewFileContent, base: Option<&str>) -> Result<WriteAnswer> {
        split_denial(self.locate(path).and_then(|path| self.overwrite(&path, content, base))).map(into_answer)
    }

    /// Measures HEAD, as `host audit` does.
    ///
    /// # Errors
    /// Of the repository, the rules and the analyzers; [`FaultKind::Usage`] when nothing measures what is wanted.
    pub fn audit(&self, runs_code: bool, metrics: &[String]) -> Result<AuditReport> {
        let begun = Instant::now();
        let repo = Repo::open(&self.workdir)?;
        let head = repo.head()?;
        let gate = self.host.gate(&repo, &head, RuleChanges::Kept)?;
        let analyzers = self.host.analyzers(&repo, runs_code)?;
        let audit = measured(&repo, gate.policy(), &analyzers, head.tree, &MeasureRequest { runs_code, metrics })?;
        let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok(AuditReport { audit, revision: "HEAD".to_owned(), micros, notices: gate.notices().to_vec() })
    }

    /// Asks models what they think of what is not committed.
    ///
    /// # Errors
    /// Of the review.
    pub fn review(&self, ask: &ReviewAsk) -> Result<Report> {
        self.host.review(&self.workdir, ask)
    }

    /// Has issues fixed, on a branch of the run's own.
    ///
    /// # Errors
    /// Of the fixes.
    pub fn fix(&self, ask: &FixAsk) -> Result<Report> {
        self.host.fix(&self.workdir, ask)
    }

    /// Opens a pull request, or tells how one stands.
    ///
    /// # Errors
    /// Of the forge, or none may be asked.
    pub fn pull(&self, ask: &PullAsk) -> Result<Report> {
        self.host.pull(&self.workdir, ask)
    }

    /// The newest runs of the repository, as `host log` lists them.
    ///
    /// # Errors
    /// Of the repository and the records.
    pub fn log(&self, limit: usize) -> Result<LogReport> {
        self.host.log(&Repo::open(&self.workdir)?, limit)
    }

    /// Applies the layers to a plan for HEAD and asks the guards of the plan stage, as `host run --plan` does before its first step. `json` is the plan as in a file, and
    /// `audit` the report that it was made from. The texts say what the layers had to do without.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: they are no plan and no report, or the plan names a scope that does not exist; of the repository, the rules and the records.
    /// [`FaultKind::GuardRun`]: a guard of the plan stage failed.
    pub fn plan(&self, json: &[u8], audit: Option<&[u8]>) -> Result<(Plan, Vec<LayerReport>, Vec<String>)> {
        let repo = Repo::open(&self.workdir)?;
        let head = repo.head()?;
        let gate = self.host.gate(&repo, &head, RuleChanges::Kept)?;
        let mut plan = plan(json, "the plan")?;
        if let Some(audit) = audit {
            let audit = AuditFile::parse(audit, "`audit`")?;
            let tree = Tree { objects: repo.store(), oid: head.tree };
            plan.context = std::mem::take(&mut plan.context).with_audit(&audit, &tree)?;
        }
        let (elsewhere, absences) = self.host.runs_elsewhere(&repo);
        let earlier = EarlierRuns { elsewhere: &elsewhere, ..EarlierRuns::default() };
        let layers = layered(&repo, &mut plan, head.tree, gate.policy(), earlier)?.allowed()?.reports;
        Ok((plan, layers, absences))
    }

    /// The task of a step, from the file of a plan in the work tree.
    ///
    /// Errors ([`FaultKind::Usage`]): the path is not allowed, there is no such step, or the file is no plan.
    pub fn plan_step(&self, plan: &str, step: &str) -> Result<Task> {
        let path =
            locate::locate(&self.workdir, plan).map_err(|refused| Fault::new(FaultKind::Usage, refused.to_string()))?;
        let missing = || Fault::new(FaultKind::Usage, format!("there is no plan {plan}"));
        let bytes = match split_denial(file::read(&self.workdir, &path))? {
            Ok(SessionDiskState::File { bytes, .. }) => bytes,
            Ok(SessionDiskState::Missing) | Err(_) => return Err(missing().into()),
        };
        let open = guardhost_pipeline::plan::plan(&bytes, plan)?.requests();
        let known: Vec<&str> = open.iter().map(|step| step.id.as_str()).collect();
        let hint = format!("its open steps are {}", known.join(", "));
        let found = open.iter().find(|found| found.id == step);
        let found =
            found.ok_or_else(|| Fault::new(FaultKind::Usage, format!("{plan} has no step `{step}`")).hint(hint))?;
        Ok(Task { text: found.text.clone(), hints: found.hints.clone(), ..Task::default() })
    }

    /// Judges everything that is not committed, as `host check` does; with a task, as a change that was made for it. An empty change
    /// passes.
    pub fn check(&self, changes: CheckedChanges, task: Option<&Task>) -> Result<CheckReport> {
        let repo = Repo::open(&self.workdir)?;
        recover(&repo, self.host)?;
        let gate = self.host.gate(&repo, &repo.head()?, RuleChanges::Kept)?;
        let index;
        let change = match changes {
            CheckedChanges::WorkTree => ExistingChange::WorkTree,
            CheckedChanges::Staged => {
                index = repo.index_path(None)?;
                ExistingChange::Staged { index: &index }
            }
        };
        let candidate = change.propose(&repo)?.candidate;
        let report = CheckReport { notes: candidate.notes.clone(), ..CheckReport::default() };
        let ruling = gate.rule(Case::report(candidate, task), self.host)?;
        let report = with_ruling(report, &ruling);
        let judgement = report.judgement.for_model(&report.quotes);
        Ok(CheckReport { judgement, quotes: Quotes::default(), ..report })
    }

    fn read(&mut self, path: &str, span: LineRange) -> SessionResult<SessionFile> {
        let path = self.locate(path)?;
        // Protected files may be read, but not files with credentials.
        let readable = sanitize::Rules { protect: Vec::new(), ..sanitize::Rules::default() };
        match check_paths(std::slice::from_ref(&path), &readable) {
            Err(refused) if refused.kind != RefusedKind::Protected => return Err(refused.into()),
            _ => {}
        }
        match file::read(&self.workdir, &path)? {
            SessionDiskState::File { bytes, .. } => match hidden(&path, &bytes) {
                Some(why) => {
                    Err(Refused::at(RefusedKind::Sensitive, &path, format_args!("{why}; it is not shown")).into())
                }
                None => Ok(self.state(&path, &bytes, span)),
            },
            SessionDiskState::Missing => Err(WriteAnswer::not_found(&path).into()),
        }
    }

    fn locate(&self, path: &str) -> SessionResult<RepoPath> {
        Ok(locate::locate(&self.workdir, path)?)
    }

    fn state(&mut self, path: &RepoPath, bytes: &[u8], span: LineRange) -> SessionFile {
        self.version += 1;
        SessionFile::new(path, bytes, self.version, span)
    }
}

/// A write answers in the same form whether it was done or denied.
fn into_answer(result: Result<WriteAnswer, WriteAnswer>) -> WriteAnswer {
    result.unwrap_or_else(|denied| denied)
}
