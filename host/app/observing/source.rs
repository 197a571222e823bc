//! Where a run goes on, as the observer's pages name it.

use guardhost_git::Repo;
use guardhost_observer::repository::normalise;
use guardhost_observer::wire::EventSource;

use super::machine::machine;
use crate::context::CommandContext;
use crate::hook::HookAgent;

/// What is not known is empty.
pub fn event_source(ctx: &CommandContext, repo: &Repo) -> EventSource {
    let remote = repo.remote_url().ok().flatten();
    let agent = HookAgent::from_shell(|name| ctx.process.var(name).is_some());
    EventSource {
        repository: remote.and_then(|remote| normalise(&remote)).unwrap_or_default(),
        person: repo.user_name().unwrap_or_default(),
        machine: machine(ctx).unwrap_or_default(),
        agent: agent.map(|agent| agent.as_str().to_owned()).unwrap_or_default(),
    }
}
