//! The pack of a change, made where the change is.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::git::{Git, GitFailed};
use crate::job::Change;

/// A change is small, and its base is not in it.
const PACKING: Duration = Duration::from_secs(120);

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
