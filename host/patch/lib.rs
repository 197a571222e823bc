//! From the bytes of a reply to a candidate tree: repair, extract, sanitize, apply.
//!
//! [`propose::propose`] is the front door. What it cannot place for certain, or not account for, it refuses, and nothing of the reply is placed.
//!
//! ```
//! use guardhost_core::change::{FileMode, Objects as _, RepoPath, Reply, RoundFailure, Tree, TreeEntry};
//! use guardhost_core::stop::StopToken;
//! use guardhost_patch::{apply::ApplyBase, propose::propose, sanitize::Rules};
//!
//! # fn main() -> guardhost_core::error::Result<()> {
//! let folder = tempfile::tempdir()?;
//! git2::Repository::init(folder.path())?;
//! let repo = guardhost_git::Repo::open(folder.path())?;
//! let store = repo.store();
//! let path = RepoPath::from("greeting.py");
//! let entry = TreeEntry { oid: store.put_blob(b"def greet():\n    return 'hi'\n")?, mode: FileMode::File };
//! let oid = store.edit_tree(repo.empty_tree()?, &[(path.clone(), Some(entry))])?;
//! let base = ApplyBase::new(None, Tree { objects: store, oid });
//!
//! // The header counts lines that the hunk does not have; each line that it has fits, at one position.
//! let diff = b"Here it is:\n```diff\n--- a/greeting.py\n+++ b/greeting.py\n@@ -1,9 +1,9 @@\n def greet():\n-    return 'hi'\n+    return 'hello'\n```\n";
//! let reply = |bytes: &[u8]| Reply { bytes: bytes.to_vec(), ..Reply::default() };
//! let stop = StopToken::default();
//! let candidate = propose(&reply(diff), &[], &base, &Rules::default(), &mut (), &stop).ok().expect("it fits");
//! assert_eq!(candidate.files[0].path, path);
//!
//! // The same change of a line that is not there is refused, with what a model has to send instead.
//! let other = String::from_utf8_lossy(diff).replace("'hi'", "'hey'");
//! let refused = propose(&reply(other.as_bytes()), &[], &base, &Rules::default(), &mut (), &stop);
//! let failure = refused.err().expect("nothing is guessed").into_failure()?;
//! assert!(matches!(failure, RoundFailure::Misfit(_)));
//! # Ok(())
//! # }
//! ```

mod answer;
pub mod apply;
mod definition;
mod end_tokens;
pub mod extract;
mod fence;
pub mod formats;
mod html;
mod limits;
mod numbered;
pub mod propose;
mod quoted_printable;
pub mod repair;
pub mod sanitize;

pub use sanitize::CleanPatch;
