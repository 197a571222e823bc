//! Guards as they stand where the command is run.

use crate::command::CommandContext;
use crate::command::guard::{stages, told};
use guardhost_authoring::producers;
use guardhost_core::error::{Error, Fault, Kind, Result};
use guardhost_engine::embedded::{Builtin, Rule};
use guardhost_engine::{Description, Failure, Inspection, inspect, inspect_embedded};
use guardhost_git::Repo;
use guardhost_policy::config::{ComponentSource, Config, Pin};
use guardhost_policy::limits;
use guardhost_policy::{Policy, embedded};
use guardhost_report::{ExplainRow, Explained, GuardRow, Judges};

use super::{examples::example, settings, unknown};

/// Who judges where the command is run.
pub struct Here<'a> {
    ctx: &'a CommandContext<'a>,
    /// None outside of a repository.
    repo: Option<Repo>,
    /// As HEAD has them, or the set without any.
    pins: Vec<Pin>,
}

impl<'a> Here<'a> {
    /// Without a repository the embedded guards can be explained all the same.
    pub fn read(ctx: &'a CommandContext) -> Result<Self> {
        let repo = match ctx.repo() {
            Err(error) if ctx.global.repo.is_some() => return Err(error),
            repo => repo.ok(),
        };
        let default = embedded(ctx.embedded, &[])?;
        let pins = match (&ctx.global.config, &repo) {
            (Some(file), _) => Config::of_file(&ctx.path(file))?.rules.guards,
            (None, Some(repo)) => {
                let head = repo.head()?;
                Config::of_tree(&*repo.store(), head.tree, "HEAD", default)?.rules.guards
            }
            (None, None) => default,
        };
        Ok(Here { ctx, repo, pins })
    }

    fn pin(&self, id: &str) -> Option<&Pin> {
        self.pins.iter().find(|pin| pin.id == id)
    }

    fn judges(&self, id: &str) -> Judges {
        if self.pin(id).is_some() { Judges::Here } else { Judges::WhenAsked }
    }

    /// Those that come from elsewhere.
    fn foreign(&self) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(|pin| pin.source != ComponentSource::Builtin)
    }

    /// First who judges here, in the order of the pins, then the others.
    pub fn all(&self) -> Result<Vec<ExplainRow>> {
        let mut rows = self.pins.iter().map(|pin| self.row(&pin.id)).collect::<Result<Vec<_>>>()?;
        let others = self.ctx.embedded.guards.iter().filter(|guard| self.pin(guard.id).is_none());
        rows.extend(others.map(|guard| self.row(guard.id)).collect::<Result<Vec<_>>>()?);
        Ok(rows)
    }

    fn row(&self, id: &str) -> Result<ExplainRow> {
        let source = self.pin(id).map_or(ComponentSource::Builtin, |pin| pin.source.clone());
        let Inspection { description, identity } = self.inspect(id)?;
        Ok(ExplainRow {
            stages: stages(&description),
            judges: self.judges(id),
            row: GuardRow {
                id: id.to_owned(),
                mark: description.mark,
                version: description.version,
                source: source.to_string(),
                digest: identity.digest,
                size: identity.size as u64,
                promise: description.promise,
                ..GuardRow::default()
            },
        })
    }

    /// By its id or, in any case, its mark.
    pub fn find(&self, name: &str) -> Result<Explained> {
        let builtin = |guard: &&Builtin| guard.id == name || is_mark(name, &mark(guard));
        let pinned = self.foreign().find(|pin| pin.id == name).map(|pin| pin.id.as_str());
        if let Some(id) = pinned.or_else(|| Some(self.ctx.embedded.guards.iter().find(builtin)?.id)) {
            return self.explained(id);
        }
        // A mark is known of a component that is loaded; only now is it worth that.
        for pin in self.foreign() {
            if is_mark(name, &self.inspect(&pin.id)?.description.mark) {
                return self.explained(&pin.id);
            }
        }
        let ids =
            self.ctx.embedded.guards.iter().map(|guard| guard.id).chain(self.foreign().map(|pin| pin.id.as_str()));
        Err(unknown("guard", name, &ids.collect::<Vec<_>>()).into())
    }

    fn explained(&self, id: &str) -> Result<Explained> {
        let pin = self.pin(id);
        let builtin = match pin.map(|pin| &pin.source) {
            None | Some(ComponentSource::Builtin) => self.ctx.embedded.get(id),
            Some(_) => None,
        };
        let introduction = self.inspect(id)?;
        let limits = limits(&pin.map(|pin| pin.limits).unwrap_or_default());
        let source = pin.map_or(ComponentSource::Builtin, |pin| pin.source.clone()).to_string();
        let made_by = builtin.map(|guard| producers(guard.wasm)).unwrap_or_default();
        let examples = builtin.map(|guard| guard.examples.iter().map(example).collect::<Result<_>>());
        let rule = |rule: &Rule| (rule.id.to_owned(), rule.meaning.to_owned());
        Ok(Explained {
            judges: self.judges(id),
            event: introduction.description.event.clone(),
            settings: settings::of(&introduction.description.settings_schema),
            info: told(introduction, source, pin, made_by),
            fuel: limits.fuel,
            memory: limits.memory,
            seconds: limits.seconds,
            rules: builtin.map(|guard| guard.rules.iter().map(rule).collect()),
            examples: examples.transpose()?.unwrap_or_default(),
        })
    }

    /// What its component says of itself.
    fn inspect(&self, id: &str) -> Result<Inspection> {
        let failed =
            |failure: Failure| Fault::new(Kind::GuardLoad, format!("guard `{id}`: {failure}")).code(failure.code);
        let component = match (&self.repo, self.foreign().any(|pin| pin.id == id)) {
            (Some(repo), true) => {
                let head = repo.head()?;
                let Policy { guards, .. } =
                    self.ctx.policies().resolve(repo, head.commit, head.tree, &[id.to_owned()], &[])?;
                guards.component(id).cloned()
            }
            _ => None,
        };
        let introduction = match component {
            Some(component) => inspect(&component, &self.ctx.policies().machine()),
            None => inspect_embedded(self.ctx.embedded, id)
                .ok_or_else(|| Error::msg(format!("the guard `{id}` needs a repository")))?,
        };
        Ok(introduction.map_err(failed)?)
    }
}

fn mark(guard: &Builtin) -> String {
    serde_json::from_str::<Description>(guard.description).map(|known| known.mark).unwrap_or_default()
}

/// `GΨ` is hard to type.
fn is_mark(name: &str, mark: &str) -> bool {
    !mark.is_empty() && (name.eq_ignore_ascii_case(mark) || name.eq_ignore_ascii_case(&mark.replace('Ψ', "PSI")))
}
