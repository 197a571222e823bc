//! The commits of pull requests and of their base, fetched into refs of the host's own.

use guardhost_core::change::{Event, Observer as _, Oid};
use guardhost_core::error::Result;
use guardhost_forge::{FetchRequest, PullRequest, fetch};
use guardhost_git::Repo;

use super::connection::ForgeConnection;
use crate::context::CommandContext;

/// What is fetched is kept under these refs: the next command fetches what is new alone.
const REFS: &str = "refs/guardhost/pulls";

/// The commit of the base, and those of the pull requests in their order.
pub fn fetch_pulls(
    repo: &Repo,
    connection: &ForgeConnection,
    base: &str,
    pulls: &[PullRequest],
    ctx: &CommandContext,
) -> Result<(Oid, Vec<Oid>)> {
    let base_ref = format!("{REFS}/base/{base}");
    let ours = |pull: &PullRequest| format!("{REFS}/{}", pull.number);
    let mut refs = vec![(format!("refs/heads/{base}"), base_ref.clone())];
    for pull in pulls {
        // One that was fetched before and has not moved is not asked for again.
        if repo.resolve(&ours(pull)).ok().is_none_or(|known| known.to_string() != pull.head_sha) {
            refs.push((connection.kind.head_ref(pull.number), ours(pull)));
        }
    }
    ctx.see(&Event::Notice { text: format!("fetching {} refs", refs.len()) });
    let (url, token) = (connection.url.as_str(), Some(&connection.token));
    fetch(&FetchRequest { repository: repo.git_dir(), url, refs: &refs, token }, ctx.process)?;
    let heads = pulls.iter().map(|pull| repo.resolve(&ours(pull))).collect::<Result<_>>()?;
    Ok((repo.resolve(&base_ref)?, heads))
}
