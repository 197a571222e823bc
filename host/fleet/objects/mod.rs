//! The objects of a change, from the repository of whoever submits it to the mirror of the worker that judges it.
//!
//! A worker keeps one bare repository for each repository. What it lacks comes from two places: the base from the remote, if the worker was
//! allowed that remote; the change itself as a pack through the queue. Git computes the name of each object from its bytes, so that it
//! does not matter who packed them. There is no work tree, no ref moves, and nothing is ever collected behind a job's back.

mod git;
mod locks;
mod pack;
mod pack_size;
mod pulls;
mod remote;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{ObjectType, Oid, Repository};

use crate::failure::{FailureOwner, JobFailure};
use crate::job::{Change, Job};
use crate::queue::Queue;
use git::Git;
use locks::Locks;

pub use git::GitFailed;
pub use pack::{Packer, name, pack};
pub use pack_size::{PackRefused, PackSize, measure};
pub use pulls::{Fetched, Pull, PullMirrors};
pub use remote::{NotPlain, Remotes, without_password};

/// For a whole fetch.
const FETCH: Duration = Duration::from_secs(10 * 60);
/// For unpacking what came through the queue.
const UNPACK: Duration = Duration::from_secs(60);
/// A pack of more objects stays a pack.
const LOOSE: u32 = 1000;
/// And so does one of more bytes.
const LOOSE_BYTES: u64 = 64 << 20;

/// The repositories of a worker.
pub struct Mirrors {
    folder: PathBuf,
    remotes: Remotes,
    env: Vec<(OsString, OsString)>,
    locks: Locks,
}

/// Why a worker does not fetch from a remote.
fn not_allowed(remote: &str) -> String {
    format!("this worker may not fetch from {remote:?}: allow it with --allow-remote")
}

impl Mirrors {
    /// `env` is that of the process: git finds its credentials by it.
    pub fn new(folder: PathBuf, remotes: Remotes, env: Vec<(OsString, OsString)>) -> Self {
        Mirrors { folder, remotes, env, locks: Locks::default() }
    }

    /// Whether this worker can have the objects of a job: they are here, or it may fetch them.
    ///
    /// # Errors
    /// Why not.
    pub fn may_take(&self, job: &Job) -> Result<(), String> {
        match &job.transport.remote {
            Some(remote) if !self.remotes.allow(remote) && !is_complete(&self.folder_of(job), &job.change) => {
                Err(not_allowed(remote))
            }
            Some(_) | None => Ok(()),
        }
    }

    pub fn announced(&self) -> Vec<String> {
        self.remotes.announced()
    }

    /// Whether mirrors can be written, and git can be started.
    ///
    /// # Errors
    /// What is wrong.
    pub async fn probe(&self) -> Result<(), String> {
        /// As much as a small fetch.
        const ROOM: usize = 4 << 20;
        let cannot = |error: std::io::Error| format!("cannot write to {}: {error}", self.folder.display());
        std::fs::create_dir_all(&self.folder).map_err(cannot)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(cannot)?;
        file.write_all(&vec![1; ROOM]).and_then(|()| file.as_file().sync_all()).map_err(cannot)?;
        let git = Git { folder: &self.folder, env: &self.env };
        git.run(&["version"], &[], UNPACK).await.map(drop).map_err(|error| error.to_string())
    }

    fn folder_of(&self, job: &Job) -> PathBuf {
        self.folder.join(format!("{}.git", job.change.repository))
    }

    /// A bare repository that has all objects of the change.
    ///
    /// # Errors
    /// The remote is not allowed, cannot be reached, or does not have the base; the pack is gone, or is none.
    pub async fn prepare(&self, job: &Job, queue: &dyn Queue) -> Result<PathBuf, JobFailure> {
        let folder = self.folder_of(job);
        if is_complete(&folder, &job.change) {
            return Ok(folder);
        }
        let lock = self.locks.get(&job.change.repository);
        let _held = lock.lock().await;
        let git = Git { folder: &folder, env: &self.env };
        if Repository::open_bare(&folder).is_err() {
            make(&git).await?;
        }
        // A base that no remote has yet comes in the pack, which builds upon what the remote has.
        let no_base = match has(&folder, &job.change.base, ObjectType::Commit) {
            true => None,
            false => self.fetch(&git, job, &job.change.base).await.err(),
        };
        if let Some(failure) = no_base.as_ref().filter(|_| job.transport.pack.is_none()) {
            return Err(failure.clone());
        }
        let no_rules = match has(&folder, job.change.rules(), ObjectType::Commit) {
            true => None,
            false => self.fetch(&git, job, job.change.rules()).await.err(),
        };
        if !is_complete(&folder, &job.change) {
            match (&job.transport.pack, &job.change.tip) {
                (Some(pack), _) => match (self.unpack(&git, pack, queue).await, &no_base) {
                    // Without the base the pack has nothing to build upon.
                    (Err(_), Some(failure)) => return Err(failure.clone()),
                    (done, _) => done?,
                },
                (None, Some(tip)) => self.fetch(&git, job, tip).await?,
                (None, None) => return Err(final_failure("the job has no pack, and its change is in no commit")),
            }
        }
        if let Some(missing) = no_base.filter(|_| !has(&folder, &job.change.base, ObjectType::Commit)) {
            return Err(missing);
        }
        if let Some(missing) = no_rules.filter(|_| !has(&folder, job.change.rules(), ObjectType::Commit)) {
            return Err(missing);
        }
        match is_complete(&folder, &job.change) {
            true => Ok(folder),
            false => Err(final_failure("neither the remote nor the job's pack has all objects of the change")),
        }
    }

    async fn fetch(&self, git: &Git<'_>, job: &Job, oid: &str) -> Result<(), JobFailure> {
        let Some(remote) = &job.transport.remote else {
            return Err(final_failure(&format!("the mirror has no {oid}, and the job names no remote")));
        };
        if !self.remotes.allow(remote) {
            return Err(JobFailure::new(FailureOwner::Worker, not_allowed(remote)));
        }
        // What is gone goes first: `release` makes room for `release/1`. Objects stay.
        let fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--"];
        let fetch = [&fetch[..], &[remote]].concat();
        // What is on a branch comes with its neighbours, which are the bases of other jobs: one fetch for many.
        let mut branches = [fetch.as_slice(), &["+refs/heads/*:refs/remotes/origin/*"]].concat();
        branches.insert(1, "--prune");
        let fetched = git.run(&branches, &[], FETCH).await;
        if has(git.folder, oid, ObjectType::Commit) {
            return Ok(());
        }
        // A commit that is on no branch, as that of a pull request; or branches whose names contradict those of the mirror.
        let one = [fetch.as_slice(), &[oid]].concat();
        git.run(&one, &[], FETCH).await.map_err(|error| fetched.err().unwrap_or(error))?;
        Ok(())
    }

    async fn unpack(&self, git: &Git<'_>, name: &str, queue: &dyn Queue) -> Result<(), JobFailure> {
        let found = queue.object(name).await;
        let found = found.map_err(|error| JobFailure::new(FailureOwner::Queue, format!("the job's pack: {error}")))?;
        let Some(bytes) = found else {
            return Err(final_failure("the job's pack was deleted: submit it again"));
        };
        let (size, bytes) = tokio::task::spawn_blocking(move || (measure(&bytes), bytes))
            .await
            .map_err(|error| JobFailure::new(FailureOwner::Crash, format!("the job's pack: {error}")))?;
        let size = size.map_err(|error| final_failure(&format!("the job's pack is not taken: {error}")))?;
        // What is small becomes loose objects: git keeps all of them in memory while it does so. The rest it makes one after another.
        let arguments: &[&str] = match size.entries > LOOSE || size.made > LOOSE_BYTES {
            true => &[
                "-c",
                "core.deltaBaseCacheLimit=64m",
                "-c",
                "core.bigFileThreshold=16m",
                "index-pack",
                "--stdin",
                "--fix-thin",
                "--strict",
                "--threads=1",
            ],
            false => &["unpack-objects", "-q", "--strict"],
        };
        git.run(arguments, &bytes, UNPACK).await?;
        Ok(())
    }
}

async fn make(git: &Git<'_>) -> Result<(), JobFailure> {
    std::fs::create_dir_all(git.folder)
        .map_err(|error| JobFailure::new(FailureOwner::Worker, format!("cannot make a mirror: {error}")))?;
    // Objects of jobs are reachable from no ref: nothing may collect them.
    git.run(&["init", "--quiet", "--bare", "."], &[], UNPACK).await?;
    git.run(&["config", "gc.auto", "0"], &[], UNPACK).await?;
    git.run(&["config", "maintenance.auto", "false"], &[], UNPACK).await?;
    Ok(())
}

/// Every object that a job names is there. What they name is there too: git takes nothing in whose links are broken.
fn is_complete(folder: &Path, change: &Change) -> bool {
    let tip = change.tip.as_ref().is_none_or(|tip| has(folder, tip, ObjectType::Commit));
    let is_commit = |oid: &str| has(folder, oid, ObjectType::Commit);
    tip && is_commit(&change.base) && is_commit(change.rules()) && has(folder, &change.tree, ObjectType::Tree)
}

fn has(folder: &Path, oid: &str, kind: ObjectType) -> bool {
    let header = || {
        let repository = Repository::open_bare(folder)?;
        repository.odb()?.read_header(Oid::from_str(oid)?)
    };
    header().is_ok_and(|(_, found)| found == kind)
}

fn final_failure(reason: &str) -> JobFailure {
    JobFailure::new(FailureOwner::Job, reason)
}

impl From<GitFailed> for JobFailure {
    fn from(error: GitFailed) -> Self {
        JobFailure::new(error.owner(), error.to_string())
    }
}
