//! What every command gets.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{FalseyValueParser, TypedValueParser};

use crate::cli::Global;
use crate::hook::HookAgent;
use crate::missing_objects::MissingFetcher;
use guardhost_core::change::{DiskStep, Event, Observer, observe};
use guardhost_core::error::Result;
use guardhost_core::process_env::ProcessEnv;
use guardhost_core::renamed_guards::{former_id, notice};
use guardhost_engine::EmbeddedGuards;
use guardhost_gate::{ChangeAuthor, Door, RuleChanges, Terms};
use guardhost_git::Repo;
use guardhost_observer::client::ObserverTime;
use guardhost_policy::{PolicySource, Remember};
use guardhost_telemetry::Traces;

/// A person who maintains the rules sets this for one command.
pub(crate) const ALLOW_RULE_CHANGES: &str = "GUARDHOST_ALLOW_RULE_CHANGES";

/// `0` or `false` in it: no ruling is remembered.
pub(crate) const REMEMBER: &str = "GUARDHOST_REMEMBER";

/// Whether a variable says yes, as those do that take the place of an option.
fn is_set(value: &OsStr) -> bool {
    FalseyValueParser::new().parse_ref(&clap::Command::default(), None, value).unwrap_or(false)
}

/// The command line's global options, the process, and who watches.
pub struct CommandContext<'a> {
    pub global: &'a Global,
    pub process: &'a ProcessEnv,
    /// The default guard set.
    pub embedded: &'static EmbeddedGuards,
    /// Observers of the events of the command.
    pub watchers: &'a [&'a dyn Observer],
    /// The time that the command may wait for the observer.
    pub observer: &'a ObserverTime,
    /// Exports the spans of this program; None if no exporter is configured.
    pub traces: Option<&'a Traces>,
    /// The agent whose hook is answered.
    pub agent: Option<HookAgent>,
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
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn repo(&self) -> Result<Repo> {
        let repo = Repo::open(&self.path(self.global.repo.as_deref().unwrap_or(Path::new(""))))?;
        Ok(match self.is_offline() {
            true => repo,
            false => {
                let fetch = MissingFetcher::new(repo.common_dir(), self.process);
                repo.fetching(Arc::new(move |remote, objects| fetch.bring(remote, objects)))
            }
        })
    }

    /// The index that git is using.
    pub fn index(&self, repo: &Repo) -> Result<PathBuf> {
        repo.index_path(self.process.index.as_deref())
    }

    /// Files of the rules are not written. On build servers that is the default: what they judge was reviewed.
    pub(crate) fn locked(&self) -> bool {
        let ci = || self.process.var("CI").is_some_and(|value| value != "false" && value != "0");
        self.global.frozen || self.global.locked.unwrap_or_else(ci)
    }

    /// No network access.
    pub fn is_offline(&self) -> bool {
        self.global.offline || self.global.frozen
    }

    /// There must be a lock.
    pub(crate) fn demands_lock(&self) -> bool {
        self.global.frozen || self.global.locked == Some(true)
    }

    /// Who writes what is staged and committed here: a person, unless an agent's shell started this process.
    pub(crate) fn author(&self) -> ChangeAuthor {
        match HookAgent::from_shell(|name| self.process.var(name).is_some()) {
            Some(_) => ChangeAuthor::Model,
            None => ChangeAuthor::Person,
        }
    }

    /// What the person who started this process allows by a variable, for commands without an option for it. It counts for people alone: what an
    /// agent starts can set it.
    pub(crate) fn rule_changes(&self) -> RuleChanges {
        let is_allowed =
            self.author() == ChangeAuthor::Person && self.process.var(ALLOW_RULE_CHANGES).is_some_and(is_set);
        if is_allowed { RuleChanges::Allowed } else { RuleChanges::Kept }
    }

    /// Terms for a change by the user who started this process.
    pub(crate) fn terms(&self, door: Door) -> Terms<'static> {
        Terms::at(door).with_author(self.author()).with_rule_changes(self.rule_changes())
    }

    /// Where rules and guards are looked up.
    pub fn policies(&self) -> PolicySource<'_> {
        PolicySource {
            process: self.process,
            embedded: self.embedded,
            config: self.global.config.as_deref().map(|file| self.path(file)),
            offline: self.is_offline(),
            demands_lock: self.demands_lock(),
            fresh: self.global.fresh,
            shared: None,
            remember: self.remember(),
        }
    }

    /// Whose rulings are remembered; None where the person who started this process wants no record.
    fn remember(&self) -> Option<Remember> {
        if self.process.var(REMEMBER).is_some_and(|value| !is_set(value)) {
            return None;
        }
        let agent = self.agent.or_else(|| HookAgent::from_shell(|name| self.process.var(name).is_some()));
        Some(Remember { agent: agent.map(|agent| agent.as_str().to_owned()) })
    }

    /// The rules of a hook: those of the commit and nothing else. A program that an agent starts sets variables as it likes, and must not
    /// choose its judge by one.
    pub(crate) fn hook_policies(&self) -> PolicySource<'_> {
        PolicySource { config: None, ..self.policies() }
    }

    /// Where the rules are looked up by which a change comes into a branch: a model names no others.
    pub(crate) fn policies_of_branches(&self) -> PolicySource<'_> {
        match self.author() {
            ChangeAuthor::Model => self.hook_policies(),
            ChangeAuthor::Person => self.policies(),
        }
    }

    /// Says that a guard which the command line names by its former id has another one.
    pub(crate) fn note_former_id(&self, written: &str, id: &str) {
        if former_id(id) == Some(written) {
            self.see(&Event::Notice { text: notice("the command line", written) });
        }
    }

    /// A path as the command line means it.
    pub fn path(&self, path: &Path) -> PathBuf {
        // Without `/./`, which messages would show.
        self.process.cwd.join(path).components().collect()
    }
}
