//! `host mcp`: the tools that agents edit with.

use std::path::Path;

use crate::mcp::serve;
use crate::session::{Court, Law, Session};
use guardhost_core::error::Result;
use guardhost_git::{Head, Repo};

use super::Desk;
use guardhost_policy::Policy;

/// Serves until the client goes.
pub fn mcp(desk: &Desk) -> Result<()> {
    let dir = desk.path(desk.global.repo.as_deref().unwrap_or(Path::new("")));
    serve(&mut Session::open(&dir, desk)?)
}

impl Court for Desk<'_> {
    fn law(&self, repo: &Repo, head: &Head) -> Result<Law> {
        let Policy { rules, guards, .. } = self.policies().resolve(repo, head.commit, head.tree, &[], &[])?;
        Ok(Law { rules, guards })
    }
}
