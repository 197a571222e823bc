//! What a file no longer defines.

use crate::came::Came;
use crate::needs::{How, Need, is_builtin, is_imported};
use crate::touched::Touched;
use outline::language::Language;
use outline::{Item, Kind, Outline};

/// Definitions of the base that the file, wherever it stands now, has under no name any more: neither defined nor
/// assigned nor imported.
pub fn of<'t>(before: &'t Outline, after: &Outline) -> Vec<&'t Item> {
    let mut lost: Vec<&Item> = Vec::new();
    for item in &before.items {
        let is_there = match (item.kind, &item.owner) {
            // One that moves to another group of the file is not lost; two groups may have tests of one title.
            (Kind::Test, _) => {
                let same = |other: &Item| other.is(item);
                let alike = |other: &Item| other.name == item.name;
                tests(after, same) >= tests(before, same) || tests(after, alike) >= tests(before, alike)
            }
            (Kind::Value, Some(_)) => true,
            // One that moves to another type of the file is not lost.
            (_, Some(_)) => after.has(item) || members(after, &item.name) >= members(before, &item.name),
            (Kind::Fixture, None) => after.has(item) || after.top.contains(&item.name),
            (_, None) => after.top.contains(&item.name),
        };
        if !is_there && !lost.iter().any(|other| other.is(item)) {
            lost.push(item);
        }
    }
    lost
}

fn members(outline: &Outline, name: &str) -> usize {
    outline.items.iter().filter(|item| item.owner.is_some() && item.name == name).count()
}

fn tests(outline: &Outline, wanted: impl Fn(&Item) -> bool) -> usize {
    outline.items.iter().filter(|item| item.kind == Kind::Test && wanted(item)).count()
}

/// Whether the rest of the file still uses it.
pub fn used_here(touched: &Touched, before: &Outline, after: &Outline, lost: &Item, came: &Came) -> Option<Need> {
    // What is poured in may offer what another file now has.
    let poured = || !after.globs.is_empty() && came.elsewhere(&lost.name, touched.path());
    // A macro of Rust is known in all modules that follow, whatever file has it.
    let is_macro = lost.word() == "macro" && came.elsewhere(&lost.name, touched.path());
    if lost.owner.is_some() || !after.globs.is_subset(&before.globs) || poured() || is_macro {
        return None;
    }
    let name = lost.name.as_str();
    // A whole program may go; what still names its file is found elsewhere.
    if name == "main" && is_program(touched) && !touched.is_deleted() {
        return Some(Need { path: touched.path().to_owned(), line: 1, how: How::Begins });
    }
    let line = match (touched.language, lost.kind) {
        (language, _) if is_builtin(language, name) => return None,
        (Language::Rust, Kind::Module) => *after.uses.get(&format!("{name}::"))?,
        // A function inside of a function.
        (Language::Rust, _) if after.bound.contains(name) => return None,
        (Language::Rust, _) => after.uses.get(name).copied().or_else(|| taken_from_itself(after, name))?,
        _ => *after.uses.get(name)?,
    };
    Some(Need { path: touched.path().to_owned(), line, how: How::Uses })
}

/// Whether the file is one that Cargo makes a program of, so that it begins with `main`.
fn is_program(touched: &Touched) -> bool {
    let path = touched.path();
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    touched.language == Language::Rust && (path.ends_with("src/main.rs") || folders.ends_with("src/bin"))
}

/// Whether a module of Python keeps the name as a key of a dictionary, from which it may offer it while it runs: as a name that is
/// deprecated, or imported late.
fn is_served(touched: &Touched, name: &str) -> bool {
    let text = &touched.lines.after;
    let is_key = |quote: char| text.contains(&format!("{quote}{name}{quote}:"));
    touched.language == Language::Python && text.contains("__name__") && (is_key('"') || is_key('\''))
}

/// `use super::name` in a module that is written inside the file.
fn taken_from_itself(after: &Outline, name: &str) -> Option<u32> {
    let takes = after.takes.iter().filter(|take| take.module == "self" && take.name.as_deref() == Some(name));
    takes.map(|take| take.line).next()
}

/// Names that others could take from the file, and can no longer.
pub fn offers(touched: &Touched, before: &Outline, after: &Outline, came: &Came) -> Vec<String> {
    if !is_imported(touched.old_path) {
        return Vec::new();
    }
    // What it pours in from a file that now has the name, it still offers.
    let poured = |name: &str| !after.globs.is_empty() && came.elsewhere(name, touched.path());
    let here = |name: &String| {
        !touched.left() && (after.offered.contains(name) || after.open || is_served(touched, name) || poured(name))
    };
    // What it only imported for itself is no definition; a package's front door is.
    let counts = |name: &&String| {
        touched.language == Language::JavaScript
            || before.items.iter().any(|item| item.owner.is_none() && item.name == **name)
            || touched.old_path.ends_with("__init__.py")
    };
    let new_globs = !touched.left() && !after.globs.is_subset(&before.globs);
    if new_globs {
        return Vec::new();
    }
    before.offered.iter().filter(counts).filter(|name| !here(name)).cloned().collect()
}
