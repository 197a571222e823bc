//! Names of JavaScript and TypeScript.

use std::collections::BTreeSet;

use guard_sdk::{Change, log};
use scopes::javascript::{self, BoundKind, Names, Unbound, global};

use crate::Sides;
use crate::elsewhere::Elsewhere;
use crate::suspect::{Cause, Suspect, Suspects};

pub fn suspects(change: &Change, sides: &Sides) -> Vec<Suspect> {
    // A declaration file, and what a program bundled, describe other code.
    if sides.path.contains(".d.") || sides.path.ends_with(".min.js") {
        return Vec::new();
    }
    let Some(mut after) = javascript::with(sides.path, &sides.after, |source| source.names()) else {
        log::info(format!("{}: it does not parse, or nests too deep", sides.path));
        return Vec::new();
    };
    let asked_for = std::mem::take(&mut after.asked_for);
    let is_silent = |used: &Unbound| used.silenced.is_some_and(|comment| sides.keeps(comment));
    after.unbound.retain(|used| !asked_for.contains(&used.name) && !is_known(used, true) && !is_silent(used));
    if after.unbound.is_empty() {
        return Vec::new();
    }
    let declared = std::mem::take(&mut after.declared);
    let Some(before) = javascript::with(sides.old_path, &sides.before, |source| source.names()) else {
        return Vec::new();
    };
    // A change does not silence what it writes: comments for the whole file have to be in the base too.
    let is_new = sides.before.is_empty();
    if before.is_silenced || (after.is_silenced && is_new) {
        return Vec::new();
    }
    after.unbound.retain(|used| !declared.contains(&used.name) || !(is_new || before.declared.contains(&used.name)));
    let known: BTreeSet<&str> = before
        .unbound
        .iter()
        .filter(|used| used.silenced.is_none())
        .map(|used| used.name.as_str())
        .chain(before.asked_for.iter().chain(&before.declared).map(String::as_str))
        .collect();
    let mut suspects = Suspects::default();
    for used in after.unbound.iter().filter(|used| !known.contains(used.name.as_str())) {
        let cause = cause(&before, &used.name);
        // Which types the environment has is known of those that the file imported or defined before.
        if is_known(used, cause != Cause::New) || (used.is_type && cause == Cause::New) {
            continue;
        }
        suspects.add(&used.name, used.line, cause, || used.nearest.clone());
    }
    let mut suspects = suspects.into_vec(after.bound.len());
    suspects.iter_mut().for_each(|suspect| suspect.is_declared_here = declared.contains(&suspect.name));
    if !suspects.is_empty() {
        // Without its only import, a module looks like a script.
        let elsewhere = Elsewhere::of(change, sides.path, after.is_module || before.is_module);
        suspects.retain(|suspect| !elsewhere.provides(&suspect.name));
    }
    suspects
}

fn cause(before: &Names, name: &str) -> Cause {
    match before.bound.get(name) {
        Some(bound) if bound.kind == BoundKind::Import => Cause::Import(bound.line),
        Some(bound) => Cause::Definition(bound.line),
        None => Cause::New,
    }
}

fn is_known(used: &Unbound, known_before: bool) -> bool {
    // `__DEV__` and the like are written in by a bundler.
    let is_constant = used.name.starts_with("__") && used.name.ends_with("__");
    // What a theme of manuals gives to their scripts.
    let is_stream = matches!(used.name.as_str(), "document$" | "location$" | "target$" | "keyboard$" | "viewport$");
    is_constant
        || is_stream
        || global::is_global(&used.name, known_before)
        || (used.is_type && global::is_global_type(&used.name))
}
