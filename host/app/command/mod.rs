//! What the command line can do: one file a command, each a function from arguments to a report.

mod apply;
mod audit;
mod author;
mod check;
mod demo;
mod doctor;
mod exceptions;
mod explain;
mod fix;
#[cfg(feature = "fleet")]
mod fleet;
mod guard;
mod hook;
mod improve;
mod init;
mod install;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "mcp")]
mod mcp_models;
mod patch;
mod patch_file;
mod plan;
mod planning;
mod pr;
mod provider;
mod replay;
mod report;
mod review;
mod run;
mod run_result;
mod seals;
mod select_run;
#[cfg(feature = "serve")]
mod serve;
mod start_run;
mod take;

pub use apply::apply;
pub use audit::audit;
pub use author::{author, watch};
pub use check::check;
pub use demo::demo;
pub use doctor::doctor;
pub use explain::explain;
pub use fix::fix;
#[cfg(feature = "fleet")]
pub use fleet::{Shown, machines};
pub use guard::guard;
pub use hook::{hook, hook_deadline, late_hook};
pub use improve::improve;
pub use init::{Ask, ask_init, init};
pub use install::install;
pub use log::{log, show};
#[cfg(feature = "mcp")]
pub use mcp::mcp;
pub use patch::patch;
pub use plan::plan;
pub use pr::pr;
pub use provider::{providers, test_provider};
pub use replay::replay;
pub use report::report;
pub use run::run;
#[cfg(feature = "serve")]
pub use serve::serve;
pub use take::{accept, diff, discard};

#[cfg(feature = "fleet")]
pub(crate) use check::{hints, with_judgement};

use std::path::{Path, PathBuf};

use crate::cli::{Global, ReviewArgs};
use guardhost_core::change::{DiskStep, Event, Observer, observe};
use guardhost_core::error::Result;
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::EmbeddedGuards;
use guardhost_git::Repo;
use guardhost_observer::client::Budget;
use guardhost_policy::PolicySource;
use guardhost_provider::Cancel;
use guardhost_report::Report;

/// `host review`: of what is here, or of a pull request.
pub fn review(args: &ReviewArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    match args.pr {
        Some(number) => pr::review_pull(number, args, ctx, cancel),
        None => Ok(Report::Review(Box::new(review::review_change(args, ctx, cancel)?))),
    }
}

/// What every command gets.
pub struct CommandContext<'a> {
    pub global: &'a Global,
    pub process: &'a ProcessEnv,
    /// The default guard set.
    pub embedded: &'static EmbeddedGuards,
    /// Observers of the events of the command.
    pub watchers: &'a [&'a dyn Observer],
    /// The time that the command may wait for the observer.
    pub observer: &'a Budget,
}

/// Passes each event on to every observer.
impl Observer for CommandContext<'_> {
    fn see(&self, event: &Event) {
        observe(self.watchers, event);
    }

    fn disk(&self, step: &DiskStep<'_>) {
        self.watchers.iter().for_each(|watcher| watcher.disk(step));
    }
}

impl CommandContext<'_> {
    /// The repository that `--repo` names, or the one around the current folder.
    pub(crate) fn repo(&self) -> Result<Repo> {
        Repo::open(&self.path(self.global.repo.as_deref().unwrap_or(Path::new(""))))
    }

    /// The index that git is using.
    fn index(&self, repo: &Repo) -> Result<PathBuf> {
        repo.index_path(self.process.index.as_deref())
    }

    /// Files of the rules are not written. On build servers that is the default: what they judge was reviewed.
    fn locked(&self) -> bool {
        let ci = || self.process.var("CI").is_some_and(|value| value != "false" && value != "0");
        self.global.frozen || self.global.locked.unwrap_or_else(ci)
    }

    /// No network access.
    fn is_offline(&self) -> bool {
        self.global.offline || self.global.frozen
    }

    /// There must be a lock.
    fn demands_lock(&self) -> bool {
        self.global.frozen || self.global.locked == Some(true)
    }

    /// Where rules and guards are looked up.
    pub(crate) fn policies(&self) -> PolicySource<'_> {
        PolicySource {
            process: self.process,
            embedded: self.embedded,
            config: self.global.config.as_deref().map(|file| self.path(file)),
            offline: self.is_offline(),
            demands_lock: self.demands_lock(),
            fresh: self.global.fresh,
            shared: None,
        }
    }

    /// A path as the command line means it.
    pub(crate) fn path(&self, path: &Path) -> PathBuf {
        self.process.cwd.join(path)
    }
}
