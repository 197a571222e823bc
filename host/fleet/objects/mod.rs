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
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{ObjectType, Oid, Repository};

use crate::job::{Change, Job};
use crate::queue::Queue;
use crate::worker::JobFailure;
use git::Git;
use locks::Locks;

pub use git::GitFailed;
pub use pack::pack;
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

impl Mirrors {
    /// `env` is that of the process: git finds its credentials by it.
    pub fn new(folder: PathBuf, remotes: Remotes, env: Vec<(OsString, OsString)>) -> Self {
        Mirrors { folder, remotes, env, locks: Locks::default() }
    }

    /// A bare repository that has all objects of the change.
    ///
    /// # Errors
    /// The remote is not allowed, cannot be reached, or does not have the base; the pack is gone, or is none.
    pub async fn prepare(&self, job: &Job, queue: &dyn Queue) -> Result<PathBuf, JobFailure> {
        let folder = self.folder.join(format!("{}.git", job.change.repository));
        if is_complete(&folder, &job.change) {
            return Ok(folder);
        }
        let lock = self.locks.of(&job.change.repository);
        let _held = lock.lock().await;
        let git = Git { folder: &folder, env: &self.env };
        if Repository::open_bare(&folder).is_err() {
            make(&git).await?;
        }
        if !has(&folder, &job.change.base, ObjectType::Commit) {
            self.fetch(&git, job, &job.change.base).await?;
        }
        let no_rules = match has(&folder, job.change.rules(), ObjectType::Commit) {
            true => None,
            false => self.fetch(&git, job, job.change.rules()).await.err(),
        };
        if !is_complete(&folder, &job.change) {
            match (&job.transport.pack, &job.change.tip) {
                (Some(pack), _) => self.unpack(&git, pack, queue).await?,
                (None, Some(tip)) => self.fetch(&git, job, tip).await?,
                (None, None) => return Err(final_failure("the job has no pack, and its change is in no commit")),
            }
        }
        // What the submitter's remote does not have yet is in the pack.
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
            let what = format!("this worker may not fetch from {remote:?}: allow it with --allow-remote");
            // Another worker may be allowed to.
            return Err(passing(what));
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
        let found = queue.object(name).await.map_err(|error| passing(format!("the job's pack: {error}")))?;
        let Some(bytes) = found else {
            return Err(final_failure("the job's pack is not kept any more: submit it again"));
        };
        let (size, bytes) = tokio::task::spawn_blocking(move || (measure(&bytes), bytes))
            .await
            .map_err(|error| passing(format!("the job's pack: {error}")))?;
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
    std::fs::create_dir_all(git.folder).map_err(|error| passing(format!("cannot make a mirror: {error}")))?;
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
    JobFailure { reason: reason.to_owned(), is_passing: false }
}

fn passing(reason: String) -> JobFailure {
    JobFailure { reason, is_passing: true }
}

impl From<GitFailed> for JobFailure {
    fn from(error: GitFailed) -> Self {
        passing(error.to_string())
    }
}
