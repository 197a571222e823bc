//! The changes of a repository's past, who made each, and what became of it, from the history, and from the word of a forge where there is one.
//!
//! - `main_line`: the commits of HEAD, what each says of reverts and pull requests, and by which commit of the first-parent line it came.
//! - `branch`: where a branch left that line, and which commits are its own.
//! - `patches`: what a change does to lines, whatever its place; `facts`: what is known of these from earlier runs.
//! - `pulls`: the pull requests whose heads are here, and how they came into HEAD; `same_patches`: where only their patches tell.
//! - `told`: what a forge says of a pull request, beside the history.
//! - `fate`: whether what came in was taken back or fixed.

mod branch;
mod facts;
mod fate;
mod forge_words;
mod main_line;
mod patches;
mod pulls;
mod same_patches;

use git2::Repository;

pub use facts::PastFacts;
pub use forge_words::{ForgeSays, ForgeWord, ForgeWords, PullEnd};
pub use guard_files::makers::ChangeMaker;
pub use pulls::{PULL_HEADS, pull_number};

use super::{Repo, failed};
use fate::Fates;
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;
use main_line::MainLine;

/// Which changes of the past are wanted.
pub struct PastQuery<'q> {
    /// Pull requests instead of commits.
    pub pulls: bool,
    /// Of these, only those that agents made.
    pub agents: bool,
    /// At most so many, the newest.
    pub limit: usize,
    /// Seconds since 1970: none older.
    pub since: Option<i64>,
    /// Whether people write the file at this path: a line that only programs write is fixed by none.
    pub is_written: &'q dyn Fn(&RepoPath) -> bool,
    /// The states of pull requests according to a forge; None if no forge was queried.
    pub forge_words: Option<&'q ForgeWords>,
    /// What is known already, and where more is kept.
    pub facts: &'q PastFacts,
    pub stop: &'q StopToken,
}

/// A change of the past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastChange {
    pub what: PastChangeKind,
    /// None: the commit has no parent.
    pub base: Option<Oid>,
    pub tip: Oid,
    /// The first line of the message: of the commit, or of the last commit of a pull request; its title, if a forge told it.
    pub subject: String,
    /// Since 1970, of the committer's clock.
    pub seconds: i64,
    pub maker: ChangeMaker,
    /// How it came into HEAD; None: it did not.
    pub landing: Option<Landing>,
    pub fate: ChangeFate,
    pub forge: ForgeSays,
}

/// What a change of the past was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PastChangeKind {
    Commit,
    /// A commit of the first-parent line with more parents.
    Merge,
    /// With the number that the forge gave it.
    Pull(u64),
    /// The same at a forge that calls it a merge request.
    MergeRequest(u64),
}

/// How a change came into HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landing {
    /// The commit that brought it, on the first-parent line of HEAD where it is there.
    pub commit: Oid,
    pub how: LandingWay,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LandingWay {
    /// It is a commit of HEAD by itself.
    Direct,
    Merge,
    /// One commit with the same change.
    Squash,
    /// A commit for each of its commits, or these themselves.
    Rebase,
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeFate {
    /// It is in HEAD, or a forge says that it was merged, and neither of the following.
    Kept,
    /// This commit took it back.
    Reverted(Oid),
    /// This commit, which says that it fixes something, changed lines of it within a week.
    Mended(Oid),
    /// A pull request that is not in HEAD, or of which a forge says that it was closed.
    Closed,
    /// It is not in HEAD and may be open, or is.
    Undecided,
}

/// The changes, newest first, and how many were left out because nothing could be compared with them.
#[derive(Debug, Default)]
pub struct PastChanges {
    pub changes: Vec<PastChange>,
    /// Remarks for people, one sentence each.
    pub notices: Vec<String>,
}

impl Repo {
    /// The changes of the past with their fates.
    ///
    /// # Errors
    /// The history cannot be read, or the work was stopped.
    pub fn past_changes(&self, query: &PastQuery<'_>) -> Result<PastChanges> {
        let Some(head) = self.head()?.commit else { return Ok(PastChanges::default()) };
        self.on_disk(|repo| {
            let line = MainLine::new(repo, head, query.facts, query.stop)?;
            let mut found = match query.pulls {
                true => pulls::changes(repo, &line, query)?,
                false => commits(repo, &line, query)?,
            };
            found.changes.retain(|change| !query.agents || matches!(change.maker, ChangeMaker::Agent(_)));
            Fates::new(repo, &line, &found.changes, query)?.tell(&mut found)?;
            Ok(found)
        })
    }
}

impl Repo {
    /// The newest pull requests whose heads are here, by their number and this head: `limit` of those that are not older than `since`, which is in
    /// seconds since 1970.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: there are none; the references cannot be read.
    ///
    /// [`FaultKind::Usage`]: guardhost_core::error::FaultKind::Usage
    pub fn pull_heads(&self, limit: usize, since: Option<i64>) -> Result<Vec<(u64, Oid)>> {
        let heads = self.on_disk(|repo| pulls::heads(repo, limit, since))?;
        Ok(heads.iter().map(pulls::PullHead::named).collect())
    }

    /// Of each pair of a base and a tip, how the commits between them came into HEAD by a squash or a rebase: as one commit with the whole change, or
    /// one for each of them. None: they did not, as far as the patches tell.
    ///
    /// # Errors
    /// The history cannot be read, or the work was stopped.
    pub fn landings(&self, changes: &[(Oid, Oid)], stop: &StopToken) -> Result<Vec<Option<Landing>>> {
        match self.head()?.commit {
            Some(head) if !changes.is_empty() => self.on_disk(|repo| same_patches::landings(repo, head, changes, stop)),
            Some(_) | None => Ok(vec![None; changes.len()]),
        }
    }
}

/// Those of the first-parent line.
fn commits(repo: &Repository, line: &MainLine, query: &PastQuery<'_>) -> Result<PastChanges> {
    let mut found = PastChanges::default();
    for oid in &line.first_parents {
        query.facts.stopped(query.stop)?;
        let commit = repo.find_commit(*oid).map_err(|cause| failed(format!("cannot read commit {oid}"), cause))?;
        let seconds = commit.time().seconds();
        if found.changes.len() >= query.limit || query.since.is_some_and(|since| seconds < since) {
            break;
        }
        let base = commit.parent_ids().next();
        if base.is_none() && main_line::names_parent(&commit) {
            found.notices.push("the history ends where this shallow clone does".to_owned());
            break;
        }
        let is_merge = commit.parent_count() > 1;
        found.changes.push(PastChange {
            what: if is_merge { PastChangeKind::Merge } else { PastChangeKind::Commit },
            base,
            tip: *oid,
            subject: main_line::subject(&commit),
            seconds,
            maker: main_line::maker(repo, line, base, *oid)?,
            landing: Some(Landing { commit: *oid, how: if is_merge { LandingWay::Merge } else { LandingWay::Direct } }),
            fate: ChangeFate::Kept,
            forge: ForgeSays::NotAsked,
        });
    }
    Ok(found)
}
