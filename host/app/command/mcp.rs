//! `host mcp`: the tools that agents edit with.

use std::path::Path;

use crate::mcp::serve;
use crate::session::{Court, Law, Session};
use guardhost_core::error::Result;
use guardhost_git::{Head, Repo};

use super::CommandContext;
use guardhost_policy::Policy;

/// Serves until the client goes.
pub fn mcp(ctx: &CommandContext) -> Result<()> {
    let dir = ctx.path(ctx.global.repo.as_deref().unwrap_or(Path::new("")));
    serve(&mut Session::open(&dir, ctx)?)
}

impl Court for CommandContext<'_> {
    fn law(&self, repo: &Repo, head: &Head) -> Result<Law> {
        let Policy { rules, guards, .. } = self.policies().resolve(repo, head.commit, head.tree, &[], &[])?;
        Ok(Law { rules, guards })
    }
}
