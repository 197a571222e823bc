//! What the change did to the bindings of the names that a file uses.

use std::collections::BTreeSet;

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::language::{BindingKind, NameRole, Names, UnboundName};

use crate::origins::Origins;
use crate::sides::{NotJudged, Sides};
use crate::suspect::{Cause, Suspect, Suspects};

impl Sides<'_> {
    pub fn suspects(&self) -> Result<Vec<Suspect>, NotJudged> {
        let after = self.after()?;
        let is_silent = |used: &UnboundName| used.silenced_by.is_some_and(|comment| self.keeps(comment));
        let mut loose: Vec<&UnboundName> = after.unbound.iter().filter(|used| !is_silent(used)).collect();
        // A name that is used and offered is reported for its use.
        loose.sort_by_key(|used| used.role == NameRole::Exported);
        if after.is_open || loose.is_empty() || self.is_generated() {
            return Ok(Vec::new());
        }
        let before = self.before()?;
        // A change does not silence what it writes: comments for the whole file have to be in the base too.
        if after.is_silenced && (self.is_new() || before.is_silenced) {
            return Ok(Vec::new());
        }
        let known = known(&before);
        let mut suspects = Suspects::default();
        for used in loose {
            let is_declared = after.is_declared(&used.name) && (self.is_new() || before.is_declared(&used.name));
            if is_declared || before.is_declared(&used.name) || known.contains(&key(used)) {
                continue;
            }
            let cause = self.cause(&before, &after, used);
            if self.is_mistake(&before, &after, used, cause) {
                suspects.add(used, cause);
            }
        }
        let mut suspects = suspects.into_vec(after.bindings as usize);
        if suspects.is_empty() {
            return Ok(suspects);
        }
        // A test that speaks of what is not there says so in a comment; if it is a mistake, the test fails.
        let is_test = kind_of(self.path) == Kind::Test;
        let is_excused = |name: &str| {
            let mut uses = after.unbound.iter().filter(|used| used.name == name);
            is_test && uses.all(|used| used.silenced_by.is_some())
        };
        suspects.iter_mut().for_each(|suspect| {
            suspect.is_declared_here = after.is_declared(&suspect.name) || is_excused(&suspect.name)
        });
        // Without its only import, a module looks like a script.
        let is_module = after.is_module || before.is_module;
        let mut origins = Origins::new(self.change, self.path, &after.origins, is_module);
        for suspect in &mut suspects {
            let (name, cause) = (&suspect.name, suspect.cause);
            suspect.uses.retain(|(_, role)| !origins.provide(name, *role, cause));
        }
        suspects.retain(|suspect| !suspect.uses.is_empty());
        Ok(suspects)
    }

    fn cause(&self, before: &Names, after: &Names, used: &UnboundName) -> Cause {
        if used.role == NameRole::Exported {
            return Cause::Export;
        }
        // A new use of a name that another scope binds as before has lost nothing; one that was moved has.
        let is_new =
            || after.binding(&used.name, &used.scope).is_some() && !self.keeps(used.line) && !self.moves(used.line);
        match before.binding(&used.name, &used.scope) {
            Some(_) if is_new() => Cause::New,
            Some(had) if had.kind == BindingKind::Imported => Cause::Import(had.line),
            Some(had) => Cause::Definition(had.line),
            None => Cause::New,
        }
    }

    fn is_mistake(&self, before: &Names, after: &Names, used: &UnboundName, cause: Cause) -> bool {
        let is_new = cause == Cause::New;
        // A macro that has the name since the change may be what defines it now.
        if after.is_in_macros(&used.name) && (is_new || !before.is_in_macros(&used.name)) {
            return false;
        }
        !is_new || (used.is_certain && !before.is_unsettled(&used.name) && !is_given(self.path, &used.name))
    }
}

/// What the base uses without binding it, and without a comment that says so.
fn known(before: &Names) -> BTreeSet<(&str, &str, bool)> {
    before.unbound.iter().filter(|used| used.silenced_by.is_none()).map(key).collect()
}

/// A name by which a file is used is another thing than one that it uses.
fn key(used: &UnboundName) -> (&str, &str, bool) {
    (&used.name, &used.scope, used.role == NameRole::Exported)
}

/// Whether the program that runs a file of this name, as its configuration, gives it the name.
fn is_given(path: &str, name: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    match file {
        "conf.py" => name == "tags",
        _ if file.ends_with("_config.py") => matches!(name, "c" | "get_config" | "load_subconfig"),
        _ => file.starts_with("SCons") || file == "wscript.py",
    }
}
