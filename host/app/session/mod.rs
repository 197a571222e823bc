//! A model that edits the work tree file by file: it reads, it patches, it writes, and every write is judged.
//!
//! A content's SHA-256 is the lock: who writes names the hash of what they read, and a file that has changed since is not
//! overwritten. A patch goes through the same stations as everywhere (repair, extract, sanitize, apply, guard).
//!
//! What the guards judge is the step from the work tree as it stands, all that is not committed included, to the same tree with
//! this one file changed. So a guard hears of what this write brings in, never of what was there before it; and what it looks up
//! elsewhere (a link's target, a manifest, another module) is what the model has before it. Steps that are small one by one
//! and a loss together are found by [`Session::check`], which judges against HEAD, as a commit is judged.
//!
//! A session may live long while other people commit: repository, rules and guards are taken anew at every call.

mod answer;
mod file;
mod halt;
mod locate;
mod lock;
mod meant;
mod sha256;
mod strikes;
mod write;

pub use answer::{Answer, Encoding, ErrorType, FileState, Objection, Span};
pub use write::Content;

use std::path::{Path, PathBuf};

use file::Standing;
use guardhost_core::change::{Observer, RefusedKind, RepoPath};
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_engine::{Context, GuardSet, guard};
use guardhost_git::{Head, Repo, staged, worktree};
use guardhost_patch::sanitize::{self, check_paths, check_rule_files};
use guardhost_report::{CheckReport, Refusal};
use halt::{Step, settled};
use strikes::Strikes;

/// What judges a change.
pub struct Law {
    pub rules: sanitize::Rules,
    pub guards: GuardSet,
}

/// Gives the law of a repository, and watches the guards at work.
pub trait Court: Observer {
    fn law(&self, repo: &Repo, head: &Head) -> Result<Law>;
}

/// What a check looks at; each against HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changes {
    /// The work tree, untracked files included, ignored ones not.
    WorkTree,
    Staged,
}

/// One model's view of one work tree. Two sessions on one repository take turns at writing.
pub struct Session<'c> {
    workdir: PathBuf,
    court: &'c dyn Court,
    /// Counts reads and writes, so that a model can tell the newer of two states.
    version: u64,
    strikes: Strikes,
}

impl<'c> Session<'c> {
    /// Errors ([`Kind::Git`]): no repository at `dir` or above it, or a bare one.
    pub fn open(dir: &Path, court: &'c dyn Court) -> Result<Self> {
        let repo = Repo::open(dir)?;
        let Some(workdir) = repo.workdir() else {
            return Err(Fault::new(Kind::Git, "a bare repository has no files to edit").hint("clone it").into());
        };
        Ok(Session { workdir: workdir.to_path_buf(), court, version: 0, strikes: Strikes::default() })
    }

    /// Content and hash of a file. The hash is of the whole file, whatever part of it is asked for.
    ///
    /// `path` is relative to the work tree's root, or absolute below it. Files that hold credentials, and git's own, are not read.
    pub fn read_file(&mut self, path: &str, span: Span) -> Result<Result<FileState, Answer>> {
        settled(self.read(path, span))
    }

    /// Places a unified diff of the one file at `path`. `base` is the SHA-256 of the content that it was made from; that of a
    /// missing file is the hash of nothing.
    ///
    /// The second [`ErrorType::InvalidPatch`] in a row for one file becomes [`ErrorType::InvalidPatchLimitExceeded`].
    pub fn safe_patch(&mut self, path: &str, unified_diff: &str, base: &str) -> Result<Answer> {
        let path = match self.locate(path) {
            Ok(path) => path,
            Err(halt) => return settled(Err(halt)).map(either),
        };
        let outcome = settled(self.patch(&path, unified_diff, base)).map(either);
        self.strikes.count(path, outcome)
    }

    /// Replaces a file as a whole. A file that exists needs the SHA-256 of its content; a new one does not.
    ///
    /// Text keeps the line endings and the final newline of the file that stands there, since models see neither.
    pub fn write_file(&mut self, path: &str, content: Content, base: Option<&str>) -> Result<Answer> {
        settled(self.locate(path).and_then(|path| self.overwrite(&path, content, base))).map(either)
    }

    /// What the guards say of all that is not committed, as `host check` does. No change at all passes.
    pub fn check(&self, changes: Changes) -> Result<CheckReport> {
        let repo = Repo::open(&self.workdir)?;
        let law = self.court.law(&repo, &repo.head()?)?;
        let candidate = match changes {
            Changes::WorkTree => worktree(&repo)?,
            Changes::Staged => staged(&repo)?,
        };
        let report = CheckReport {
            base: candidate.base,
            candidate: Some(candidate.tree),
            notes: candidate.notes.clone(),
            ..CheckReport::default()
        };
        let touched = candidate.files.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten();
        if let Err(refused) = check_rule_files(&touched.cloned().collect::<Vec<_>>()) {
            return Ok(CheckReport { refusal: Some(Refusal::from(&refused)), ..report });
        }
        let judgement = guard(&candidate, &law.guards, &Context { task: None, observer: self.court });
        Ok(CheckReport { judgement, ..report })
    }

    fn read(&mut self, path: &str, span: Span) -> Step<FileState> {
        let path = self.locate(path)?;
        // What is protected may be read; only what nobody should see may not.
        let readable = sanitize::Rules { protect: Vec::new(), ..sanitize::Rules::default() };
        match check_paths(std::slice::from_ref(&path), &readable) {
            Err(refused) if refused.kind != RefusedKind::Protected => return Err(refused.into()),
            _ => {}
        }
        match file::look(&self.workdir, &path)? {
            Standing::File { bytes, .. } => Ok(self.state(&path, &bytes, span)),
            Standing::Nothing => Err(Answer::not_found(&path).into()),
        }
    }

    fn locate(&self, path: &str) -> Step<RepoPath> {
        Ok(locate::locate(&self.workdir, path)?)
    }

    fn state(&mut self, path: &RepoPath, bytes: &[u8], span: Span) -> FileState {
        self.version += 1;
        FileState::of(path, bytes, self.version, span)
    }
}

fn either(result: Result<Answer, Answer>) -> Answer {
    result.unwrap_or_else(|denied| denied)
}
