//! Names of Python.

use std::collections::BTreeSet;

use guard_sdk::{Change, Side, log};
use scopes::python::{Binding, BindingKind, Names, ScopeKind, Source, Use, builtin};
use scopes::{Lines, nearest};

use crate::Sides;
use crate::suspect::{Cause, Suspect, Suspects};

pub fn suspects(change: &Change, sides: &Sides) -> Vec<Suspect> {
    let source = Source::parse(&sides.after);
    let Some((source, after)) = source.as_ref().and_then(|source| Some((source, source.names()?))) else {
        log::info(format!("{}: it does not parse, or nests too deep", sides.path));
        return Vec::new();
    };
    // A change does not silence what it writes: the whole file has to be silenced in the base too.
    let is_silenced = is_silenced(source.text) && (sides.before.is_empty() || is_silenced(&sides.before));
    if after.has_star || after.is_dynamic || is_silenced {
        return Vec::new();
    }
    let unbound: Vec<&Use> = after.uses.iter().filter(|used| is_unbound(&after, used)).collect();
    let exports = unbound_exports(&after);
    if unbound.is_empty() && exports.is_empty() {
        return Vec::new();
    }
    let old = Source::parse(&sides.before);
    let Some((old, before)) = old.as_ref().and_then(|source| Some((source, source.names()?))) else {
        return Vec::new();
    };
    // What a star may have bound is no problem of the base.
    let known: BTreeSet<&str> = match before.has_star {
        true => BTreeSet::new(),
        false => before.uses.iter().filter(|used| is_unbound(&before, used)).map(|used| used.name).collect(),
    };
    let (lines, old_lines) = (Lines::of(source.text), Lines::of(old.text));
    let quoted = Quoted::of(&sides.after);
    let is_silent = |line: u32| is_allowed(lines.text(source.text, line)) && sides.keeps(line);
    let mut suspects = Suspects::default();
    for used in unbound.into_iter().filter(|used| !known.contains(used.name)) {
        let line = lines.at(used.range.start().to_usize());
        // A new use of a name that another scope binds as before has lost nothing; one that was moved has.
        let is_new =
            || bound(&after, used.name).is_some() && !sides.keeps(line) && !sides.moves(lines.text(source.text, line));
        let cause = match bound(&before, used.name).filter(|_| !is_new()) {
            Some(Binding { kind: BindingKind::Import, range }) => Cause::Import(old_lines.at(range.start().to_usize())),
            Some(Binding { range, .. }) => Cause::Definition(old_lines.at(range.start().to_usize())),
            None => Cause::New,
        };
        if !is_certain(&after, used, cause, sides) || quoted.has(used.name) || is_silent(line) {
            continue;
        }
        let candidates = || after.visible(used.scope).chain(builtin::all());
        suspects.add(used.name, line, cause, || nearest(used.name, candidates()).map(str::to_owned));
    }
    let old_exports: BTreeSet<&str> = unbound_exports(&before).into_iter().map(|(name, _)| name).collect();
    for (name, at) in exports.into_iter().filter(|(name, _)| !old_exports.contains(name)) {
        let line = lines.at(at);
        if !is_submodule(change, sides.path, name) && !is_silent(line) {
            suspects.add(name, line, Cause::Export, || nearest(name, after.visible(0)).map(str::to_owned));
        }
    }
    let mut suspects = suspects.into_vec(after.scopes.iter().map(|scope| scope.bindings.len()).sum());
    suspects.retain(|suspect| {
        suspect.cause != Cause::New
            || !(is_configured(change, &suspect.name) || is_given_beside(change, sides.path, &suspect.name))
    });
    suspects
}

fn is_unbound(names: &Names, used: &Use) -> bool {
    !used.is_guarded && names.resolve(used.name, used.scope).is_none() && !builtin::is_builtin(used.name)
}

fn unbound_exports<'a>(names: &Names<'a>) -> Vec<(&'a str, usize)> {
    let binds = |name: &str| !names.module_bindings(name).is_empty();
    if names.has_star || names.is_dynamic || binds("__getattr__") {
        return Vec::new();
    }
    let is_loose = |(name, _): &&(&str, _)| !binds(name) && !builtin::is_builtin(name);
    names.exports.iter().filter(is_loose).map(|(name, range)| (*name, range.start().to_usize())).collect()
}

/// What the base binds a name to: in the module, or else in any of its scopes.
fn bound(names: &Names, name: &str) -> Option<Binding> {
    let mut scopes = names.scopes.iter();
    scopes.find_map(|scope| scope.bindings.get(name)?.first().copied())
}

fn is_certain(names: &Names, used: &Use, cause: Cause, sides: &Sides) -> bool {
    let file = sides.path.rsplit('/').next().unwrap_or(sides.path);
    let is_new = cause == Cause::New;
    // Code for both versions of Python; configuration that a program runs with names of its own.
    if is_new && (builtin::is_old(used.name) || is_given(file, used.name)) {
        return false;
    }
    // A string may be no annotation at all. A type has a capital.
    if used.is_quoted && is_new && !used.name.starts_with(char::is_uppercase) {
        return false;
    }
    // A metaclass may provide the names of a class's body.
    if is_new && names.scopes[used.scope].kind == ScopeKind::Class && names.scopes[used.scope].has_metaclass {
        return false;
    }
    true
}

/// Names in quotes, in a file that looks names up by strings.
struct Quoted<'t>(BTreeSet<&'t str>);

impl<'t> Quoted<'t> {
    fn of(text: &'t str) -> Self {
        let asks = ["globals()", "locals()", "vars()", "dir("].iter().any(|call| text.contains(call));
        let is_name =
            |part: &&str| !part.is_empty() && part.len() < 200 && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        let parts = ['"', '\''].into_iter().filter(|_| asks).flat_map(|mark| text.split(mark));
        Quoted(parts.filter(is_name).collect())
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

fn is_given(file: &str, name: &str) -> bool {
    match file {
        "conf.py" => name == "tags",
        _ if file.ends_with("_config.py") => matches!(name, "c" | "get_config" | "load_subconfig"),
        _ => file.starts_with("SCons") || file == "wscript.py",
    }
}

/// Linters are told to leave the whole file alone, or the names are those of a notebook.
fn is_silenced(text: &str) -> bool {
    text.lines().filter(|line| line.starts_with('#')).any(|line| {
        let words = line.trim_start_matches('#').trim();
        let noqa = words.strip_prefix("ruff: noqa").or_else(|| words.strip_prefix("flake8: noqa"));
        noqa.is_some_and(|rules| rules.is_empty() || rules.contains("F821"))
            || matches!(
                words,
                "type: ignore" | "mypy: ignore-errors" | "pylint: skip-file" | "Databricks notebook source"
            )
    })
}

/// A comment in the line says that the name is known to be missing.
fn is_allowed(line: &str) -> bool {
    let Some((_, comment)) = line.split_once('#') else { return false };
    ["noqa", "type: ignore", "type:ignore", "pyright: ignore", "pylint: disable"]
        .iter()
        .any(|mark| comment.contains(mark))
}

/// `__all__` of a package may list its modules.
fn is_submodule(change: &Change, path: &str, name: &str) -> bool {
    let Some(package) = path.strip_suffix("__init__.py").or_else(|| path.strip_suffix("__init__.pyi")) else {
        return false;
    };
    let repo = change.repo(Side::After);
    let is_file = |end: &str| repo.stat(&format!("{package}{name}{end}")).is_ok_and(|blob| blob.is_some());
    // Compiled modules have no file of a known ending.
    is_file(".py")
        || is_file(".pyi")
        || repo.is_dir(&format!("{package}{name}")).unwrap_or(true)
        || !repo.find(&[&format!("/{package}{name}.*")], 1).is_empty()
}

/// Files beside one that are read to see who gives them a name, how many of them have to lack it, and bytes of the longest.
const BESIDE: (usize, usize, usize) = (4, 2, 50_000);

/// Whether files of the same folder use the name in the base without binding it: whatever runs them gives it to them.
fn is_given_beside(change: &Change, path: &str, name: &str) -> bool {
    let Some((folder, _)) = path.rsplit_once('/').filter(|_| !path.contains(['*', '?', '[', '{', '\\'])) else {
        return false;
    };
    let repo = change.repo(Side::Before);
    let hits = repo.search(&[name], &[&format!("/{folder}/*.py")], 60);
    let paths: BTreeSet<String> = hits.into_iter().map(|hit| hit.path).filter(|other| other != path).collect();
    let texts = paths.iter().take(BESIDE.0).filter_map(|path| repo.text(path).ok());
    let lacks = |text: &String| {
        let source = Source::parse(text);
        let names = source.as_ref().and_then(|source| source.names());
        names.is_some_and(|names| {
            !names.has_star
                && !names.is_dynamic
                && names.uses.iter().any(|used| used.name == name && is_unbound(&names, used))
        })
    };
    texts.filter(|text| text.len() <= BESIDE.2).filter(lacks).count() >= BESIDE.1
}

/// `builtins = ["name"]` in the configuration of a linter.
fn is_configured(change: &Change, name: &str) -> bool {
    const GLOBS: [&str; 7] =
        ["pyproject.toml", "ruff.toml", ".ruff.toml", "setup.cfg", "tox.ini", ".flake8", ".pylintrc"];
    !change.repo(Side::After).search(&[name], &GLOBS, 1).is_empty()
}
