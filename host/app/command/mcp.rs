//! `host mcp`: a session for one agent, over the Model Context Protocol.

use std::path::Path;

use crate::mcp::serve;
use crate::session::{Session, SessionHost};
use guardhost_core::error::Result;
use guardhost_engine::GuardSet;
use guardhost_git::{Head, Repo};
use guardhost_policy::Policy;
use guardhost_provider::Cancel;

use super::CommandContext;

/// Serves until the client closes the connection, or the process is asked to stop, which is an error.
pub fn mcp(ctx: &CommandContext, cancel: Cancel) -> Result<()> {
    let dir = ctx.path(ctx.global.repo.as_deref().unwrap_or(Path::new("")));
    serve(&mut Session::open(&dir, ctx)?, &cancel)
}

impl SessionHost for CommandContext<'_> {
    fn policy(&self, repo: &Repo, head: &Head) -> Result<Policy> {
        self.policies().resolve(repo, head.commit, head.tree, &[], &[])
    }

    fn analyzers(&self, repo: &Repo, runs_code: bool) -> Result<GuardSet> {
        self.policies().analyzers(repo, runs_code)
    }
}
