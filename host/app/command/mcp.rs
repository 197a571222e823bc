//! `host mcp`: a session for one agent, over the Model Context Protocol.

use std::path::Path;

use crate::mcp::serve;
use crate::session::{Session, SessionHost};
use guardhost_core::error::Result;
use guardhost_git::{Head, Repo};
use guardhost_policy::Policy;

use super::CommandContext;

/// Serves until the client closes the connection.
pub fn mcp(ctx: &CommandContext) -> Result<()> {
    let dir = ctx.path(ctx.global.repo.as_deref().unwrap_or(Path::new("")));
    serve(&mut Session::open(&dir, ctx)?)
}

impl SessionHost for CommandContext<'_> {
    fn policy(&self, repo: &Repo, head: &Head) -> Result<Policy> {
        self.policies().resolve(repo, head.commit, head.tree, &[], &[])
    }
}
