//! Many patches judged against one base in one process, for services and workers: what is the same for all of them is made once.

use std::sync::{Mutex, PoisonError};

use guardhost_core::change::{Reply, RoundFailure, Task, Tree};
use guardhost_core::error::Result;
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::JudgeContext;
use guardhost_gate::{Case, Door, Gate, RulesAt, Ruling, Terms};
use guardhost_git::{Head, Repo};
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::propose;
use guardhost_policy::PolicySource;

/// Checks that share one handle of the repository. It keeps the objects of each in memory until it is closed, and opening one costs a
/// tenth of a check.
const CHECKS: u32 = 32;

/// Judges patches on one commit by the rules of that commit. A call uses one thread: call it from as many threads as there are
/// processors. Memory does not grow with the number of calls.
pub struct PatchJudge {
    base: Head,
    gate: Gate,
    /// Opened for new handles.
    repo: Repo,
    free: Mutex<Vec<RepositoryHandle>>,
}

struct RepositoryHandle {
    repo: Repo,
    checks: u32,
}

impl PatchJudge {
    /// # Errors
    /// As of [`Gate::open`], with all guards that the rules name.
    pub fn new(repo: Repo, base: Head, source: &PolicySource<'_>) -> Result<Self> {
        let process = ProcessEnv { threads: 1, ..source.process.clone() };
        let source = PolicySource {
            process: &process,
            config: source.config.clone(),
            fresh: true,
            shared: None,
            remember: None,
            ..*source
        };
        let rules = RulesAt { commit: base.commit, tree: base.tree };
        let gate = Gate::open(&source, &repo, rules, &Terms::at(Door::Library))?;
        Ok(PatchJudge { base, gate, repo, free: Mutex::default() })
    }

    /// Places the patch in a reply on the base, in memory, and asks the guards. What is judged keeps the objects of up to 32 checks in
    /// memory until it is dropped.
    ///
    /// # Errors
    /// Of the repository, or [`Stopped`](guardhost_core::stop::Stopped). A patch that cannot be placed is the inner error.
    pub fn judge(&self, reply: &Reply, context: &JudgeContext) -> Result<Result<Ruling, RoundFailure>> {
        let handle = self.handle()?;
        let hints = context.task.map_or(&[][..], |task: &Task| &task.hints);
        let tree = Tree { objects: handle.repo.store(), oid: self.base.tree };
        let base = ApplyBase { base: self.base.commit, tree, seen_by_provider: None };
        let (rules, stop) = (&self.gate.policy().rules, self.gate.guards().stop());
        let judged = match propose(reply, hints, &base, rules, &mut (), stop) {
            Ok(candidate) => self.gate.rule(Case::report(candidate, context.task), context.observer).map(Ok),
            Err(stop) => stop.into_failure().map(Err),
        };
        self.put_back(handle);
        judged
    }

    fn handle(&self) -> Result<RepositoryHandle> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match free {
            Some(handle) => Ok(handle),
            None => Ok(RepositoryHandle { repo: self.repo.again()?, checks: 0 }),
        }
    }

    fn put_back(&self, handle: RepositoryHandle) {
        let checks = handle.checks + 1;
        if checks < CHECKS {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).push(RepositoryHandle { checks, ..handle });
        }
    }
}
