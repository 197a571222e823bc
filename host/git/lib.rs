//! The git repository: objects, trees, index, refs, work tree.
//!
//! - `repo`, `open`, `refs`, `ambiguous`, `hooks_dir`: an opened repository, its HEAD, revisions, commits, branches and hooks.
//! - `store`, `tree`, `scratch`: objects and trees, of which new ones stay in memory.
//! - `staged`, `worktree`, `range`, `snapshot`, `candidate`: changes as candidates, from the index, the work tree or commits.
//! - `index`, `index_diff`, `tree_diff`, `diff_text`: what differs.
//! - `watch`: what another program did to the repository in the meantime.
//! - `merge`: merges of two commits, in memory.
//! - `history`, `commits`, `new_commits`: lists of commits; `past`: what they changed, and who wrote a line; `outcomes`: who made them, and what became of them; `identity`: what names the repository elsewhere; `made_here`: what was committed in this clone. `attributes`, `ignored`: what git attributes and ignore files say of a file.
//! - `loose`: whether a loose object is damaged; `missing`: objects that a partial clone does not have.
//! - `checkout`: writes a candidate into the index and the work tree, and undoes that of a killed host. `sync`: survives a loss of power.
//!
//! Only these write to disk: [`Repo::commit`], [`Repo::write_tree`] and the refs of [`Repo`], [`Repo::state_dir`], [`apply_to_worktree`], [`apply_to_index`],
//! [`check_applies`], [`recover`] and [`WorkTreeLock`].

mod ambiguous;
mod arrival;
mod attributes;
mod blobs;
mod candidate;
mod checkout;
mod commits;
mod config_entries;
mod diff_text;
mod fetched_refs;
mod folders;
mod history;
mod hooks_dir;
mod hunks;
mod identity;
mod ignored;
mod index;
mod index_diff;
mod loose;
mod made_here;
mod merge;
mod missing;
mod new_commits;
mod open;
mod outcomes;
mod past;
mod range;
mod recent_edits;
mod refs;
mod repo;
mod scratch;
mod snapshot;
mod staged;
mod store;
mod sync;
mod tree;
mod tree_diff;
mod watch;
mod worktree;

pub use arrival::{Arrival, arrival, move_change};
pub use attributes::is_converted;
pub use candidate::{candidate, whole_tree};
pub use checkout::{WorkTreeLock, apply_to_index, apply_to_worktree, check_applies, recover};
pub use commits::{clean_message, commits};
pub use diff_text::{changed_lines, diff_text, diff_text_at};
pub use hooks_dir::hooks_dir;
pub use hunks::{Hunk, hunks, with_hunks};
pub use identity::KnownRoots;
pub use ignored::is_ignored;
pub use merge::{Merged, MergedInMemory};
pub use missing::FetchObjects;
pub use new_commits::{changes_of, commit_change, new_commits, reworded};
pub use outcomes::{
    ChangeFate, ChangeMaker, ForgeSays, ForgeWord, ForgeWords, Landing, LandingWay, PULL_HEADS, PastChange,
    PastChangeKind, PastChanges, PastFacts, PastQuery, PullEnd, pull_number,
};
pub use past::{BlamedLine, PastCommit, TreeChange};
pub use range::{NOTHING, deletes, range, rules_commit};
pub use repo::{Head, Repo};
pub use scratch::{ScratchFiles, ScratchRepository};
pub use snapshot::{Snapshot, snapshot};
pub use staged::{staged, staged_in};
pub use store::{ObjectState, Store};
pub use watch::RepoWatch;
pub use worktree::worktree;

use guardhost_core::change::{MissingObject, Oid};
use guardhost_core::error::{Error, Fault, FaultKind};

/// An error that says what failed, with libgit2's message as its cause.
fn failed(what: impl std::fmt::Display, cause: git2::Error) -> guardhost_core::error::Error {
    let fault = Fault::new(FaultKind::Git, what);
    without_class(&cause).context(match remedy(&cause) {
        Some(remedy) => fault.hint(remedy),
        None => fault,
    })
}

/// What helps when git's own files are damaged, as after a loss of power, or of a kind that libgit2 does not read. By libgit2's words, since its classes do not tell damage from the
/// rest; only the hint depends on them.
fn remedy(cause: &git2::Error) -> Option<&'static str> {
    let says = |words: &str| cause.message().contains(words);
    match cause.class() {
        git2::ErrorClass::Index if says("extension") => Some(
            "if the index is sparse or split: git sparse-checkout reapply --no-sparse-index; git update-index --no-split-index",
        ),
        git2::ErrorClass::Index if says("invalid data in index") || says("no longer exists") => Some(
            "the index is damaged: remove it, then run `git reset`; the work tree stays as it is, and only what was staged must be staged again",
        ),
        _ if says("nesting too deep") => Some("remove the folder that is so deep, or name it in .gitignore"),
        git2::ErrorClass::Reference if says("corrupted") => Some(
            "`git fsck` names the refs that are damaged, and `git reflog` the commits that they named; restore one with `git update-ref`",
        ),
        _ if says("loose object") || says("object header") || says("cannot be peeled") => {
            Some("`git fsck` names the objects that are damaged or missing; another clone may have them")
        }
        _ => None,
    }
}

/// As [`failed`], for the reading of one object.
fn not_read(repo: &git2::Repository, oid: Oid, what: impl std::fmt::Display, cause: git2::Error) -> Error {
    if cause.code() != git2::ErrorCode::NotFound || missing::promisor(repo).is_none() {
        return failed(what, cause);
    }
    Error::new(MissingObject(oid)).context(Fault::new(FaultKind::Git, what).hint(MissingObject::REMEDY))
}

/// What libgit2 says, without its class and code, which are numbers of its source.
fn without_class(cause: &git2::Error) -> guardhost_core::error::Error {
    guardhost_core::error::Error::msg(cause.message().to_owned())
}
