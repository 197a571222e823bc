//! Names of Rust, where they are certain: not below a glob import, and not what a macro may define.

use guard_sdk::{Change, Side, log};
use scopes::rust::{Bound, BoundKind, Module, Names, Position, Use, known, names};

use crate::Sides;
use crate::suspect::{Cause, Suspect, Suspects};

pub fn suspects(change: &Change, sides: &Sides) -> Vec<Suspect> {
    let Some(after) = names(&sides.after) else {
        log::info(format!("{}: it does not parse, or nests too deep", sides.path));
        return Vec::new();
    };
    if after.includes {
        return Vec::new();
    }
    let loose: Vec<(&Module, &Use)> = after.modules.iter().flat_map(|module| loose(&after, module)).collect();
    if loose.is_empty() {
        return Vec::new();
    }
    let Some(before) = names(&sides.before) else { return Vec::new() };
    let mut suspects = Suspects::default();
    for (module, used) in loose {
        let old = before.modules.iter().find(|old| old.path == module.path);
        let had = old.and_then(|old| old.bound.get(&used.name).copied());
        let cause = match had {
            Some(Bound { kind: BoundKind::Import, line }) => Cause::Import(line),
            Some(Bound { kind: BoundKind::Item, line }) => Cause::Definition(line),
            None => Cause::New,
        };
        let is_old = old.is_some_and(|old| old.uses.iter().any(|old| old.name == used.name));
        // A macro that has the name since the change may be what defines it now.
        let in_macro = after.in_macros.contains(&used.name);
        if in_macro && (cause == Cause::New || !before.in_macros.contains(&used.name)) {
            continue;
        }
        if cause == Cause::New && (is_old || !is_plain(used)) {
            continue;
        }
        if is_crate(change, used) || is_derived(change, sides.path, used) {
            continue;
        }
        let candidates = || after.bound.iter().chain(module.bound.keys()).map(String::as_str);
        suspects.add(&used.name, used.line, cause, || scopes::nearest(&used.name, candidates()).map(str::to_owned));
    }
    let mut suspects = suspects.into_vec(after.bound.len());
    // Without a definition that it had, only a misspelling is certain.
    suspects.retain(|suspect| suspect.cause != Cause::New || suspect.nearest.is_some());
    suspects
}

/// What a module uses and nothing in the file binds.
fn loose<'n>(names: &'n Names, module: &'n Module) -> Vec<(&'n Module, &'n Use)> {
    if module.is_rewritten {
        return Vec::new();
    }
    let is_loose = |used: &&Use| {
        let name = &used.name;
        // A glob import may bring anything but variables.
        (!module.has_glob || (used.position == Position::Operand && is_plain(used)))
            && !module.bound.contains_key(name)
            && !names.bound.contains(name)
            && !known::is_known(name)
    };
    module.uses.iter().filter(is_loose).map(|used| (module, used)).collect()
}

/// A value or a function by its bare name: what else a name may stand for is not told from one file.
fn is_plain(used: &Use) -> bool {
    matches!(used.position, Position::Value | Position::Operand | Position::Callee)
        && used.name.starts_with(char::is_lowercase)
}

/// Whether a path may start at a crate of that name.
fn is_crate(change: &Change, used: &Use) -> bool {
    let name = &used.name;
    let dashed = name.replace('_', "-");
    matches!(used.position, Position::Head | Position::Macro)
        && !change.repo(Side::After).search(&[name, &dashed], &["Cargo.toml"], 1).is_empty()
}

/// Whether `#[macro_use] extern crate` in the root of the crate may give the derive macro.
fn is_derived(change: &Change, path: &str, used: &Use) -> bool {
    if used.position != Position::Derive {
        return false;
    }
    let hits = change.repo(Side::After).search(&["macro_use"], &["*.rs"], 200);
    let of_crate = |other: &str| match path.split_once("src/") {
        Some((root, _)) => other.starts_with(&format!("{root}src/")),
        // Tests and examples are crates of their own.
        None => other == path,
    };
    hits.iter().any(|hit| of_crate(&hit.path))
}
