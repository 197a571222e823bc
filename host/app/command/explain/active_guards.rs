//! The guards that judge in the current folder.

use crate::command::guard::{guard_info, stages};
use crate::context::CommandContext;
use guardhost_authoring::producers;
use guardhost_core::error::{Error, Result};
use guardhost_core::renamed_guards::means;
use guardhost_engine::embedded::Builtin;
use guardhost_engine::{GuardFailure, Inspection, RuleDoc, inspect, inspect_embedded};
use guardhost_git::Repo;
use guardhost_policy::config::{ComponentSource, Config, Pin};
use guardhost_policy::limits;
use guardhost_policy::{Policy, embedded};
use guardhost_report::{ExplainRow, Explained, GuardRow, Judges, RuleMeaning};

use super::{examples::example, settings, unknown};

/// The guards of the current repository; outside of one, the default set.
pub struct ActiveGuards<'a> {
    ctx: &'a CommandContext<'a>,
    /// None outside of a repository.
    repo: Option<Repo>,
    /// The pins of HEAD, or of the default set.
    pins: Vec<Pin>,
}

impl<'a> ActiveGuards<'a> {
    /// Works outside of a repository, too: the embedded guards need none.
    pub fn read(ctx: &'a CommandContext) -> Result<Self> {
        let repo = match ctx.repo() {
            Err(error) if ctx.global.repo.is_some() => return Err(error),
            repo => repo.ok(),
        };
        let default = embedded(ctx.embedded, &[])?;
        let pins = match (&ctx.global.config, &repo) {
            (Some(file), _) => Config::from_file(&ctx.path(file))?.rules.guards,
            (None, Some(repo)) => {
                let head = repo.head()?;
                {
                    let config = Config::from_tree(&*repo.store(), head.tree, "HEAD", default.clone())?;
                    config.with_default_set(default).rules.guards
                }
            }
            (None, None) => default,
        };
        Ok(ActiveGuards { ctx, repo, pins })
    }

    fn pin(&self, id: &str) -> Option<&Pin> {
        self.pins.iter().find(|pin| pin.id == id)
    }

    /// The id that the guard gives itself.
    fn component_id<'i>(&'i self, id: &'i str) -> &'i str {
        self.pin(id).map_or(id, Pin::component_id)
    }

    fn judges(&self, id: &str) -> Judges {
        let judges = self.pins.iter().any(|pin| pin.id == id || pin.component_id() == id);
        if judges { Judges::Here } else { Judges::WhenAsked }
    }

    /// Pins of guards that are not embedded.
    fn not_embedded(&self) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(|pin| pin.source != ComponentSource::Builtin)
    }

    /// The active guards in the order of the pins, then the other embedded ones.
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
                guard: self.pin(id).and_then(|pin| pin.guard.clone()),
                folder: self.pin(id).and_then(|pin| pin.folder.as_ref().map(ToString::to_string)),
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

    /// Finds a guard by its id, or by its mark in any letter case.
    pub fn find(&self, name: &str) -> Result<Explained> {
        let builtin = |guard: &&Builtin| means(name, guard.id) || is_mark(name, &mark(guard));
        let has_own_name = |pin: &&Pin| pin.source != ComponentSource::Builtin || pin.guard.is_some();
        let pinned = self.pins.iter().filter(has_own_name).find(|pin| pin.id == name).map(|pin| pin.id.as_str());
        if let Some(id) = pinned.or_else(|| Some(self.ctx.embedded.guards.iter().find(builtin)?.id)) {
            self.ctx.note_former_id(name, id);
            return self.explained(id);
        }
        // The mark of such a guard is known only after its component is loaded, so this comes last.
        for pin in self.not_embedded() {
            if is_mark(name, &self.inspect(&pin.id)?.description.mark) {
                return self.explained(&pin.id);
            }
        }
        let embedded = self.ctx.embedded.guards.iter().map(|guard| guard.id);
        let ids = embedded.chain(self.pins.iter().filter(has_own_name).map(|pin| pin.id.as_str()));
        Err(unknown("guard", name, &ids.collect::<Vec<_>>()).into())
    }

    /// Ids of the guards that describe a rule of this name.
    pub fn with_rule(&self, rule: &str) -> Result<Vec<String>> {
        let mut ids = Vec::new();
        for row in self.all()? {
            if self.inspect(&row.row.id)?.description.rules.iter().any(|known| known.rule == rule) {
                ids.push(row.row.id);
            }
        }
        Ok(ids)
    }

    fn explained(&self, id: &str) -> Result<Explained> {
        let pin = self.pin(id);
        let builtin = match pin.map(|pin| &pin.source) {
            None | Some(ComponentSource::Builtin) => self.ctx.embedded.get(self.component_id(id)),
            Some(_) => None,
        };
        let inspection = self.inspect(id)?;
        let limits = limits(&pin.map(|pin| pin.limits).unwrap_or_default());
        let source = pin.map_or(ComponentSource::Builtin, |pin| pin.source.clone()).to_string();
        let made_by = builtin.map(|guard| producers(guard.skeleton)).unwrap_or_default();
        let examples = builtin.map(|guard| guard.examples.iter().map(example).collect::<Result<_>>());
        let of_rules = builtin.map(|guard| guard.of_rules.iter().map(example).collect::<Result<_>>());
        let rule = |known: &RuleDoc| RuleMeaning { rule: known.rule.clone(), meaning: known.summary.clone() };
        let rules: Vec<_> = inspection.description.rules.iter().map(rule).collect();
        Ok(Explained {
            judges: self.judges(id),
            event: inspection.description.event.clone(),
            settings: settings::from_schema(&inspection.description.settings_schema),
            info: guard_info(inspection, source, pin, made_by),
            limits,
            rules: (!rules.is_empty()).then_some(rules),
            examples: examples.transpose()?.unwrap_or_default(),
            of_rules: of_rules.transpose()?.unwrap_or_default(),
        })
    }

    /// Loads the component and reads its description.
    fn inspect(&self, id: &str) -> Result<Inspection> {
        let failed = |failure: GuardFailure| failure.into_fault(format_args!("guard `{id}`"));
        let component = match (&self.repo, self.not_embedded().any(|pin| pin.id == id)) {
            (Some(repo), true) => {
                let head = repo.head()?;
                let Policy { guards, .. } =
                    self.ctx.policies().resolve(repo, head.commit, head.tree, &[id.to_owned()], &[])?;
                guards.component(id).transpose()?
            }
            _ => None,
        };
        let inspection = match component {
            Some(component) => inspect(&component, &self.ctx.policies().machine()),
            None => inspect_embedded(self.ctx.embedded, self.component_id(id))
                .ok_or_else(|| Error::msg(format!("the guard `{id}` needs a repository")))?,
        };
        Ok(inspection.map_err(failed)?)
    }
}

fn mark(guard: &Builtin) -> String {
    guard.description.get().mark.clone()
}

/// Accepts `GPSI` for `GΨ`, which is hard to type.
fn is_mark(name: &str, mark: &str) -> bool {
    !mark.is_empty() && (name.eq_ignore_ascii_case(mark) || name.eq_ignore_ascii_case(&mark.replace('Ψ', "PSI")))
}
