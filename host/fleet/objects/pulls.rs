//! The commits of pull requests, as a forge has them, in mirrors of whoever submits them.
//!
//! GitHub, Gitea and Forgejo keep the head of each pull request as `refs/pull/NUMBER/head`, also where it comes from a fork.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{ObjectType, Reference, Repository};

use super::git::Git;
use super::locks::Locks;
use super::remote::{Remotes, without_password};
use super::{FETCH, UNPACK, final_failure, has, make};
use crate::failure::{FailureOwner, JobFailure};
use crate::hex;

/// A pull request, as its forge said it.
#[derive(Debug, Clone, Copy)]
pub struct Pull<'a> {
    /// From where git fetches the repository that it goes to.
    pub remote: &'a str,
    pub number: u64,
    /// Its commit when the forge said so. What is judged is the one that it has when it is fetched: deliveries come late, and again.
    pub head: &'a str,
    /// The branch that it goes to.
    pub base: &'a str,
}

/// One bare repository for each remote.
pub struct PullMirrors {
    folder: PathBuf,
    remotes: Remotes,
    env: Vec<(OsString, OsString)>,
    locks: Locks,
}

/// Where the commits of a pull request are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// A bare repository. Its HEAD is the default branch of the remote, and `origin` is the remote.
    pub folder: PathBuf,
    /// The commit that the base branch has now. 40 hex digits.
    pub base: String,
    /// The commit that the pull request has now.
    pub head: String,
}

impl PullMirrors {
    /// `env` is that of the process: git finds its credentials by it.
    pub fn new(folder: PathBuf, remotes: Remotes, env: Vec<(OsString, OsString)>) -> Self {
        PullMirrors { folder, remotes, env, locks: Locks::default() }
    }

    /// Fetches the base branch as it is now, and the head.
    ///
    /// # Errors
    /// The remote is not allowed, or a name is none of git's (both final); the remote cannot be reached or does not have the head.
    pub async fn fetch(&self, pull: Pull<'_>) -> Result<Fetched, JobFailure> {
        let Pull { remote, number, head, base } = pull;
        if !self.remotes.allow(remote) {
            return Err(final_failure(&format!("nothing is fetched from {remote:?}: allow it with --allow-remote")));
        }
        let branch = format!("refs/heads/{base}");
        // Such a name holds no `*` and no `:`, which would be more than one ref.
        if !Reference::is_valid_name(&branch) || !hex::is_hex(head, 40) {
            return Err(final_failure("the branch or the commit of the pull request has a name that git never gives"));
        }
        let name = hex::sha256(remote.as_bytes());
        let folder = self.folder.join(format!("{name}.git"));
        let lock = self.locks.get(&name);
        let _held = lock.lock().await;
        let git = Git { folder: &folder, env: &self.env };
        if Repository::open_bare(&folder).is_err() {
            make(&git).await?;
            git.run(&["symbolic-ref", "HEAD", DEFAULT], &[], UNPACK).await?;
        }
        git.run(&["config", "remote.origin.url", &without_password(remote)], &[], UNPACK).await?;
        // By its digest: the name of a branch that is gone could stand in the way of another's, `release` in that of `release/1`.
        let kept = format!("refs/guardhost/base/{}", hex::sha256(base.as_bytes()));
        let (default, base, heads) = (
            format!("+HEAD:{DEFAULT}"),
            format!("+{branch}:{kept}"),
            format!("+refs/pull/{number}/head:refs/guardhost/pull/{number}"),
        );
        let fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
        let all = [&fetch[..], &["--update-head-ok", "--", remote, &default, &base, &heads]].concat();
        git.run(&all, &[], FETCH).await?;
        let named = format!("refs/guardhost/pull/{number}");
        if at(&folder, &named)? != head && !has(&folder, head, ObjectType::Commit) {
            // It was pushed over since; or it is newer than what the remote gives out, which takes some forges a moment.
            tokio::time::sleep(LATE).await;
            git.run(&all, &[], FETCH).await?;
        }
        Ok(Fetched { base: at(&folder, &kept)?, head: at(&folder, &named)?, folder })
    }
}

/// What HEAD of a mirror names.
const DEFAULT: &str = "refs/heads/default-of-remote";

/// Between a forge's word of a commit and the commit.
const LATE: Duration = Duration::from_secs(3);

/// The commit of a ref.
fn at(folder: &Path, name: &str) -> Result<String, JobFailure> {
    let commit = || Ok::<_, git2::Error>(Repository::open_bare(folder)?.find_reference(name)?.peel_to_commit()?.id());
    let failed = |error| JobFailure::new(FailureOwner::Remote, format!("cannot read {name}: {error}"));
    Ok(commit().map_err(failed)?.to_string())
}
