//! The repository beneath: objects, trees, index, refs.
//!
//! Reading goes through a [`Store`] that keeps whatever is new in memory; the few functions that write for real are
//! [`Store::keep`], the refs of [`Repo`], [`place_in_worktree`] and [`place_in_index`].

mod attributes;
mod candidate;
mod commits;
mod diff;
mod index;
mod open;
mod past;
mod place;
mod range;
mod refs;
mod repo;
mod scratch;
mod snapshot;
mod staged;
mod store;
mod text;
mod tree;
mod worktree;

pub use candidate::candidate;
pub use commits::commits;
pub use place::{check_place, place_in_index, place_in_worktree};
pub use range::range;
pub use repo::{Head, Repo};
pub use scratch::{Scratch, ScratchFiles};
pub use snapshot::{Snapshot, snapshot};
pub use staged::{staged, staged_in};
pub use store::Store;
pub use text::{changed_lines, diff_text, diff_text_at};
pub use worktree::worktree;

use guardhost_core::error::{Fault, Kind};

/// What failed, with libgit2's own words for the cause.
fn failed(what: impl std::fmt::Display, cause: git2::Error) -> guardhost_core::error::Error {
    guardhost_core::error::Error::new(cause).context(Fault::new(Kind::Git, what))
}
