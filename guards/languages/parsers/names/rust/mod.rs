//! Names of Rust, where they are certain: not below a glob import, and not what a macro may define.

mod imports;
mod known;
mod modules;
mod tokens;
mod walk;

use guard_sdk::language::{Binding, NameRole, Names, Origin, UnboundName};
use ra_ap_parser::StrStep;

use super::{Misspellings, owned, sorted};
use crate::scopes::Lines;
use crate::texts::rust::Tree;
use modules::{Module, Modules, Position, Use};
use walk::Walk;

pub fn names(text: &str, tree: &Tree) -> Names {
    let lines = Lines::new(text);
    let mut walk = Walk::new(&lines);
    tree.steps(&mut |step| match step {
        StrStep::Enter { kind } => walk.enter(kind),
        StrStep::Exit => walk.exit(),
        StrStep::Token { kind, text } => walk.token(kind, text),
        StrStep::Error { .. } => {}
    });
    let found = walk.finish();
    let mut names = Names {
        bindings: found.bound.len() as u32,
        in_macros: found.in_macros.iter().cloned().collect(),
        is_open: found.includes,
        is_module: true,
        origins: origins(),
        ..Names::empty()
    };
    let mut misspellings = Misspellings::default();
    for module in &found.modules {
        let scope = module.path.join("::");
        for used in &module.uses {
            match is_loose(&found, module, used) {
                true => names.unbound.push(unbound(&found, module, &scope, used, &mut misspellings)),
                false if module.bound.contains_key(&used.name) || known::is_known(&used.name) => {}
                false => names.unsettled.push(used.name.clone()),
            }
        }
        names.bound.extend(module.bound.iter().map(|(name, bound)| Binding {
            name: name.clone(),
            scope: scope.clone(),
            kind: bound.kind,
            line: bound.line,
        }));
    }
    sorted(names)
}

/// Whether nothing in the file binds what a module uses.
fn is_loose(found: &Modules, module: &Module, used: &Use) -> bool {
    let name = &used.name;
    !module.is_rewritten
        // A glob import may bring anything but variables.
        && (!module.has_glob || (used.position == Position::Operand && is_plain(used)))
        && !module.bound.contains_key(name)
        && !found.bound.contains(name)
        && !known::is_known(name)
}

fn unbound(found: &Modules, module: &Module, scope: &str, used: &Use, misspellings: &mut Misspellings) -> UnboundName {
    let candidates = found.bound.iter().chain(module.bound.keys()).map(String::as_str);
    let nearest = misspellings.nearest(&used.name, candidates);
    UnboundName {
        name: used.name.clone(),
        line: used.line,
        scope: scope.to_owned(),
        role: match used.position {
            Position::Head | Position::Macro => NameRole::PathHead,
            Position::Type => NameRole::AType,
            Position::Derive => NameRole::Derived,
            Position::Value | Position::Operand | Position::Callee => NameRole::Value,
        },
        // Without a definition that it had, only a misspelling is certain.
        is_certain: is_plain(used) && nearest.is_some(),
        nearest,
        silenced_by: None,
    }
}

/// A value or a function by its bare name: what else a name may stand for is not told from one file.
fn is_plain(used: &Use) -> bool {
    matches!(used.position, Position::Value | Position::Operand | Position::Callee)
        && used.name.starts_with(char::is_lowercase)
}

fn origins() -> Vec<Origin> {
    vec![Origin::Packages(owned(&["Cargo.toml"])), Origin::Macros((owned(&["*.rs"]), "macro_use".to_owned()))]
}
