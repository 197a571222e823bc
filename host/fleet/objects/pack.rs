//! The pack of a change, made where the change is.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use git2::{Oid, Repository};

use super::git::{Git, GitFailed};
use crate::job::Change;

/// A change is small, and its base is not in it.
const PACKING: Duration = Duration::from_secs(120);

/// Bytes beyond which a pack is made again by git, which sends differences to what the other side has.
const SMALL: usize = 64 << 10;

/// Packs many changes of one repository, without a process for each.
pub struct Packer<'a> {
    repo: Repository,
    env: &'a [(OsString, OsString)],
}

impl<'a> Packer<'a> {
    /// # Errors
    /// What git's library says of the repository.
    pub fn open(git_dir: &Path, env: &'a [(OsString, OsString)]) -> Result<Self, String> {
        let repo = Repository::open(git_dir).map_err(|error| error.message().to_owned())?;
        Ok(Packer { repo, env })
    }

    /// As [`pack`]. None: a remote has all of it.
    ///
    /// # Errors
    /// As of [`pack`].
    pub async fn pack(&self, change: &Change) -> Result<Option<Vec<u8>>, GitFailed> {
        match built_here(&self.repo, change) {
            Ok(BuiltPack::OnRemote) => Ok(None),
            Ok(BuiltPack::Pack(bytes)) if bytes.len() <= SMALL => Ok(Some(bytes)),
            // What libgit2 cannot do, or does worse.
            Ok(BuiltPack::Pack(_) | BuiltPack::NotHere) | Err(_) => {
                pack(self.repo.path(), change, self.env).await.map(Some)
            }
        }
    }
}

/// How the queue names an object.
pub fn name(bytes: &[u8]) -> String {
    crate::hex::sha256(bytes)
}

enum BuiltPack {
    Pack(Vec<u8>),
    OnRemote,
    /// It is in no commit.
    NotHere,
}

fn built_here(repo: &Repository, change: &Change) -> Result<BuiltPack, git2::Error> {
    let Some(tip) = &change.tip else { return Ok(BuiltPack::NotHere) };
    let walk = || -> Result<_, git2::Error> {
        let mut walk = repo.revwalk()?;
        walk.push(Oid::from_str(tip)?)?;
        if let Some(rules) = &change.rules {
            walk.push(Oid::from_str(rules)?)?;
        }
        let mut has_remotes = false;
        for reference in repo.references_glob("refs/remotes/*")? {
            if let Ok(commit) = reference?.peel_to_commit() {
                walk.hide(commit.id())?;
                has_remotes = true;
            }
        }
        if !has_remotes {
            walk.hide(Oid::from_str(&change.base)?)?;
        }
        Ok(walk)
    };
    if walk()?.next().is_none() {
        return Ok(BuiltPack::OnRemote);
    }
    let mut builder = repo.packbuilder()?;
    builder.set_threads(1);
    builder.insert_walk(&mut walk()?)?;
    let mut bytes = git2::Buf::new();
    builder.write_buf(&mut bytes)?;
    Ok(BuiltPack::Pack(bytes.to_vec()))
}

/// A thin pack of all objects of the change that no remote is known to have. Where nothing is known of remotes, workers fetch from this
/// repository, which has the base.
///
/// # Errors
/// Git says why.
pub async fn pack(git_dir: &Path, change: &Change, env: &[(OsString, OsString)]) -> Result<Vec<u8>, GitFailed> {
    let wanted = change.tip.as_ref().unwrap_or(&change.tree);
    let git = Git { folder: git_dir, env };
    let of_remotes = git.run(&["for-each-ref", "--format=%(objectname)", "refs/remotes"], &[], PACKING).await?;
    let of_remotes = String::from_utf8_lossy(&of_remotes).into_owned();
    let mut revisions = format!("{wanted}\n");
    let contains = ["for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes", "--contains"];
    // The rules may be on no branch of any remote; the base is where workers fetch from, if nothing is known of remotes.
    for (commit, is_fetched) in [(Some(&change.base), of_remotes.is_empty()), (change.rules.as_ref(), false)] {
        let Some(commit) = commit else { continue };
        let is_known = is_fetched || !git.run(&[&contains[..], &[commit]].concat(), &[], PACKING).await?.is_empty();
        let sign = if is_known { "^" } else { "" };
        revisions.push_str(&format!("{sign}{commit}\n"));
    }
    revisions.extend(of_remotes.lines().map(|commit| format!("^{commit}\n")));
    let arguments = ["pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset", "--quiet", "--threads=1"];
    git.run(&arguments, revisions.as_bytes(), PACKING).await
}
