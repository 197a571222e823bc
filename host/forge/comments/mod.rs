//! Which finding becomes which comment. Pure: text in, a plan out.
//!
//! - `hunks` reads a diff: on which lines a forge takes comments.
//! - `fingerprint` says which finding of this push is one of an earlier push.
//! - `plan` decides what is kept, new, resolved, or only in the summary.
//! - `body` writes the comments, with their hidden markers.

pub mod body;
mod fingerprint;
mod hunks;
mod plan;

pub use fingerprint::CommentFingerprint;
pub use hunks::{CommentPosition, DiffLines};
pub use plan::{CommentPlan, Existing, ExistingComment, Remark, Summarised, plan};

/// New comments on lines at one push.
pub const MAX_NEW: usize = 10;
