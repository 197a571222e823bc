//! `host mcp`: the tools that agents edit with.

use std::path::Path;

use crate::error::Result;
use crate::git::{Head, Repo};
use crate::mcp::serve;
use crate::session::{Court, Law, Session};

use super::Desk;
use super::rules::{Ruled, ruled};

/// Serves until the client goes.
pub fn mcp(desk: &Desk) -> Result<()> {
    let dir = desk.path(desk.global.repo.as_deref().unwrap_or(Path::new("")));
    serve(&mut Session::open(&dir, desk)?)
}

impl Court for Desk<'_> {
    fn law(&self, repo: &Repo, head: &Head) -> Result<Law> {
        let Ruled { rules, guards, .. } = ruled(self, repo, head.commit, head.tree, &[], &[])?;
        Ok(Law { rules, guards })
    }
}
