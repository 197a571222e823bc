//! The pack of a change, made where the change is.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::git::{Git, GitFailed};
use crate::job::Change;

/// A change is small, and its base is not in it.
const PACKING: Duration = Duration::from_secs(120);

/// A thin pack of all objects of the change that its base does not have, with the commit of its rules if no remote is known to have that.
///
/// # Errors
/// Git says why.
pub async fn pack(git_dir: &Path, change: &Change, env: &[(OsString, OsString)]) -> Result<Vec<u8>, GitFailed> {
    let wanted = change.tip.as_ref().unwrap_or(&change.tree);
    let git = Git { folder: git_dir, env };
    let mut revisions = format!("{wanted}\n^{}\n", change.base);
    if let Some(rules) = &change.rules {
        let known = ["for-each-ref", "--count=1", "--format=%(refname)", "--contains", rules, "refs/remotes"];
        if git.run(&known, &[], PACKING).await?.is_empty() {
            revisions.push_str(&format!("{rules}\n"));
        }
    }
    let arguments = ["pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset", "--quiet", "--threads=1"];
    git.run(&arguments, revisions.as_bytes(), PACKING).await
}
