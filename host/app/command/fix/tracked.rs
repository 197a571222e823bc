//! `host fix --issue N`: an issue of the repository's forge.

use guardhost_core::change::Tree;
use guardhost_core::error::Result;
use guardhost_forge::{ForgeError, TrackedIssue};
use guardhost_git::{Head, Repo};
use guardhost_pipeline::fix::issue::Issue;
use guardhost_pipeline::fix::source::tracked;
use guardhost_pipeline::plan::files_named_in;

use crate::cli::ForgeArgs;
use crate::command::pr::connect;
use crate::context::CommandContext;

/// Files that an issue cites and that are shown with it: a log cites those of a whole call stack.
const CITED: usize = 10;

/// One issue, with the files of the base that it cites.
///
/// # Errors
/// Of the forge and the repository.
pub fn read(number: u64, args: &ForgeArgs, base: &Head, repo: &Repo, ctx: &CommandContext) -> Result<Vec<Issue>> {
    let forge = connect(args, repo, ctx)?.forge;
    let TrackedIssue { number, url, title, body, is_open } = forge.issue(number).map_err(ForgeError::into_error)?;
    let mut issue = tracked(number, &url, &title, &body, is_open);
    let tree = Tree { objects: repo.store(), oid: base.tree };
    issue.cited = files_named_in(&tree, &format!("{}\n{}", issue.title, issue.text))?;
    issue.cited.truncate(CITED);
    Ok(vec![issue])
}
