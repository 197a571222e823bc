//! `host mcp`: a session for one agent, over the Model Context Protocol.

use std::path::{Path, PathBuf};

use crate::mcp::{CallProgress, serve};
use crate::observing::runs_elsewhere;
use crate::session::{FixAsk, PullAsk, ReviewAsk, Session, SessionHost};
use guardhost_core::change::{HostRule, Observer, PastRun};
use guardhost_core::error::Result;
use guardhost_engine::GuardSet;
use guardhost_gate::{Door, Gate, RuleChanges, RulesAt, Terms};
use guardhost_git::{Head, Repo};
use guardhost_observer::client::ObserverTime;
use guardhost_provider::Cancel;
use guardhost_report::{LogReport, Report};

use super::log::newest;
use super::mcp_models::{fix_for, pull_for, review_for};
use crate::cli::McpArgs;
use crate::context::CommandContext;

/// Serves until the client closes the connection, or the process is asked to stop, which is an error.
pub fn mcp(args: &McpArgs, ctx: &CommandContext, cancel: Cancel) -> Result<()> {
    let progress = CallProgress::default();
    let watchers: Vec<&dyn Observer> = ctx.watchers.iter().copied().chain([&progress as &dyn Observer]).collect();
    let ctx = &CommandContext { watchers: &watchers, ..*ctx };
    let dir = ctx.path(ctx.global.repo.as_deref().unwrap_or(Path::new("")));
    let mut open = |roots: &[PathBuf]| {
        // Where `--repo` names a folder, no other is taken.
        let roots = if ctx.global.repo.is_none() { roots } else { &[] };
        let of_roots = |error| roots.iter().find_map(|root| Session::open(root, ctx).ok()).ok_or(error);
        Session::open(&dir, ctx).or_else(of_roots)
    };
    serve(&mut open, &progress, &cancel, args.pr)
}

impl SessionHost for CommandContext<'_> {
    fn gate(&self, repo: &Repo, head: &Head, rule_changes: RuleChanges) -> Result<Gate> {
        let rules = RulesAt { commit: head.commit, tree: head.tree };
        let skip = match rule_changes {
            RuleChanges::Kept => Vec::new(),
            RuleChanges::Allowed => vec![HostRule::LockFits.id().to_owned()],
        };
        Gate::open(&self.policies(), repo, rules, &Terms { rule_changes, skip: &skip, ..Terms::at(Door::Session) })
    }

    fn analyzers(&self, repo: &Repo, runs_code: bool) -> Result<GuardSet> {
        self.policies().analyzers(repo, runs_code)
    }

    /// A session is long: each call may wait as long for the observer as a command.
    fn runs_elsewhere(&self, repo: &Repo) -> (Vec<PastRun>, Vec<String>) {
        let budget = ObserverTime::default();
        runs_elsewhere(&CommandContext { observer: &budget, ..*self }, repo)
    }

    fn log(&self, repo: &Repo, limit: usize) -> Result<LogReport> {
        let budget = ObserverTime::default();
        newest(repo, limit, &CommandContext { observer: &budget, ..*self })
    }

    fn review(&self, workdir: &Path, ask: &ReviewAsk) -> Result<Report> {
        review_for(workdir, ask, self)
    }

    fn fix(&self, workdir: &Path, ask: &FixAsk) -> Result<Report> {
        fix_for(workdir, ask, self)
    }

    fn pull(&self, workdir: &Path, ask: &PullAsk) -> Result<Report> {
        pull_for(workdir, ask, self)
    }
}
