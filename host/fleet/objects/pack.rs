//! The pack of a change, made where the change is.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::git::{Git, GitFailed};
use crate::job::Change;

/// A change is small, and its base is not in it.
const PACKING: Duration = Duration::from_secs(120);

/// A thin pack of all objects of the change that its base does not have.
///
/// # Errors
/// Git says why.
pub async fn pack(git_dir: &Path, change: &Change, env: &[(OsString, OsString)]) -> Result<Vec<u8>, GitFailed> {
    let wanted = change.tip.as_ref().unwrap_or(&change.tree);
    let revisions = format!("{wanted}\n^{}\n", change.base);
    let arguments = ["pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset", "--quiet", "--threads=1"];
    Git { folder: git_dir, env }.run(&arguments, revisions.as_bytes(), PACKING).await
}
