//! Fetching the newest heads of pull requests, when the user asks for it.

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_forge::{FetchRequest, fetch, remote_refs};
use guardhost_git::{PULL_HEADS, PastChangeKind, Repo, pull_number};

use crate::command::pr::remote_url;
use crate::context::CommandContext;

/// Brings the heads of the newest pull requests under the names that the forge gives them.
///
/// # Errors
/// The network is not to be used, there is no such remote, or it cannot be asked.
pub fn heads(repo: &Repo, remote: &str, limit: usize, ctx: &CommandContext) -> Result<()> {
    if ctx.is_offline() {
        return Err(Fault::new(FaultKind::Usage, "--fetch asks a remote, and --offline forbids it").into());
    }
    let url = remote_url(repo, remote)?;
    ctx.see(&Event::Progress { text: format!("asking {remote} for its pull requests") });
    let globs = PULL_HEADS.map(|(before, after)| format!("{before}*{after}"));
    let names = remote_refs(repo.common_dir(), &url, &globs, ctx.process)?;
    let mut numbered: Vec<(u64, String)> = names
        .into_iter()
        .filter_map(|name| match pull_number(&name)? {
            PastChangeKind::Pull(number) | PastChangeKind::MergeRequest(number) => Some((number, name)),
            PastChangeKind::Commit | PastChangeKind::Merge => None,
        })
        .collect();
    numbered.sort();
    let newest = numbered.split_off(numbered.len().saturating_sub(limit));
    ctx.see(&Event::Progress { text: format!("fetching {} pull requests from {remote}", newest.len()) });
    let refs: Vec<(String, String)> = newest.into_iter().map(|(_, name)| (name.clone(), name)).collect();
    fetch(&FetchRequest { repository: repo.common_dir(), url: &url, refs: &refs, token: None }, ctx.process)
}
