//! Names of Python.

mod builtin;
mod comments;

use std::collections::{BTreeSet, HashSet};

use guard_sdk::language::{Binding, BindingKind, Members, NameRole, Names, Origin, UnboundName};

use super::{Misspellings, owned, sorted};
use crate::scopes::Lines;
use crate::scopes::python::{self, ScopeKind, Source, Use};

pub fn names(source: &Source, scopes: &python::Names) -> Names {
    let lines = Lines::new(source.text);
    let mut names = Names {
        bindings: scopes.scopes.iter().map(|scope| scope.bindings.len() as u32).sum(),
        bound: bound(scopes, &lines),
        is_open: scopes.has_star || scopes.is_dynamic,
        is_silenced: comments::accept_all(source.text),
        is_module: true,
        origins: origins(),
        ..Names::empty()
    };
    // All names may come from another module.
    if scopes.has_star {
        return sorted(names);
    }
    let asked = names_in_strings(source.text);
    let mut misspellings = Misspellings::default();
    let mut unbound = |name: &str, at: usize, role, is_certain, from| {
        let line = lines.at(at);
        UnboundName {
            name: name.to_owned(),
            line,
            scope: String::new(),
            role,
            is_certain,
            nearest: misspellings.nearest(name, scopes.visible(from).chain(builtin::all())),
            silenced_by: comments::accept(lines.text(source.text, line)).then_some(line),
        }
    };
    for used in scopes.uses.iter().filter(|used| is_unbound(scopes, used)) {
        if asked.contains(used.name) {
            names.unsettled.push(used.name.to_owned());
            continue;
        }
        let at = used.range.start().to_usize();
        names.unbound.push(unbound(used.name, at, NameRole::Value, is_certain(scopes, used), used.scope));
    }
    for (name, at) in unbound_exports(scopes) {
        names.unbound.push(unbound(name, at, NameRole::Exported, true, 0));
    }
    sorted(names)
}

/// What the module binds a name to, or else the first of its scopes that does.
fn bound(scopes: &python::Names, lines: &Lines) -> Vec<Binding> {
    let mut known = HashSet::new();
    let all = scopes.scopes.iter().flat_map(|scope| scope.bindings.iter());
    let first = all.filter_map(|(name, bindings)| known.insert(*name).then_some((name, bindings.first()?)));
    first
        .map(|(name, binding)| Binding {
            name: (*name).to_owned(),
            scope: String::new(),
            kind: match binding.kind {
                python::BindingKind::Import => BindingKind::Imported,
                _ => BindingKind::Defined,
            },
            line: lines.at(binding.range.start().to_usize()),
        })
        .collect()
}

fn is_unbound(scopes: &python::Names, used: &Use) -> bool {
    !used.is_guarded && scopes.resolve(used.name, used.scope).is_none() && !builtin::is_builtin(used.name)
}

fn unbound_exports<'a>(scopes: &python::Names<'a>) -> Vec<(&'a str, usize)> {
    let binds = |name: &str| !scopes.module_bindings(name).is_empty();
    if scopes.is_dynamic || binds("__getattr__") {
        return Vec::new();
    }
    let is_loose = |(name, _): &&(&str, _)| !binds(name) && !builtin::is_builtin(name);
    scopes.exports.iter().filter(is_loose).map(|(name, range)| (*name, range.start().to_usize())).collect()
}

/// Not of code for both versions of Python, of a string that may be no annotation at all (a type has a capital), and of the body of a class
/// whose metaclass may provide names.
fn is_certain(scopes: &python::Names, used: &Use) -> bool {
    let scope = &scopes.scopes[used.scope];
    let is_no_annotation = used.is_quoted && !used.name.starts_with(char::is_uppercase);
    let is_given = scope.kind == ScopeKind::Class && scope.has_metaclass;
    !(builtin::is_old(used.name) || is_no_annotation || is_given)
}

/// Names in quotes, in a file that looks names up by strings.
fn names_in_strings(text: &str) -> BTreeSet<&str> {
    let asks = ["globals()", "locals()", "vars()", "dir("].iter().any(|call| text.contains(call));
    let is_name =
        |part: &&str| !part.is_empty() && part.len() < 200 && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    let parts = ['"', '\''].into_iter().filter(|_| asks).flat_map(|mark| text.split(mark));
    parts.filter(is_name).collect()
}

fn origins() -> Vec<Origin> {
    const LINTERS: [&str; 7] =
        ["pyproject.toml", "ruff.toml", ".ruff.toml", "setup.cfg", "tox.ini", ".flake8", ".pylintrc"];
    let members = Members { of: owned(&["__init__.py", "__init__.pyi"]), endings: owned(&[".py", ".pyi"]) };
    vec![Origin::Linters(owned(&LINTERS)), Origin::Runner, Origin::Members(members)]
}
