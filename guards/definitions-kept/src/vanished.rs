//! What a file no longer defines.

use guard_sdk::{Change, Side};

use crate::came::Came;
use crate::language::{globs, makes_with_a_word};
use crate::needs::{How, Need, is_builtin, is_imported};
use crate::touched::Touched;
use guard_sdk::files::Language;
use guard_sdk::language::{Definition, DefinitionKind, Outline};

/// Definitions of the base that the file, wherever it stands now, has under no name any more: neither defined nor
/// assigned nor imported.
pub fn definitions<'t>(before: &'t Outline, after: &Outline) -> Vec<&'t Definition> {
    let mut lost: Vec<&Definition> = Vec::new();
    for item in &before.definitions {
        let is_there = match (item.kind, &item.owner) {
            // One that moves to another group of the file is not lost; two groups may have tests of one title.
            (DefinitionKind::Test, _) => {
                let same = |other: &Definition| other.is_named_as(item);
                let alike = |other: &Definition| other.name == item.name;
                tests(after, same) >= tests(before, same) || tests(after, alike) >= tests(before, alike)
            }
            (DefinitionKind::Value, Some(_)) => true,
            // One that moves to another type of the file is not lost.
            (_, Some(_)) => after.defines(item) || members(after, &item.name) >= members(before, &item.name),
            (DefinitionKind::Fixture, None) => after.defines(item) || after.has_at_top(&item.name),
            (_, None) => after.has_at_top(&item.name),
        };
        if !is_there && !lost.iter().any(|other| other.is_named_as(item)) {
            lost.push(item);
        }
    }
    lost
}

fn members(outline: &Outline, name: &str) -> usize {
    outline.definitions.iter().filter(|item| item.owner.is_some() && item.name == name).count()
}

fn tests(outline: &Outline, wanted: impl Fn(&Definition) -> bool) -> usize {
    outline.definitions.iter().filter(|item| item.kind == DefinitionKind::Test && wanted(item)).count()
}

/// Whether the rest of the file still uses it.
pub fn used_here(
    change: &Change,
    touched: &Touched,
    before: &Outline,
    after: &Outline,
    lost: &Definition,
    came: &Came,
) -> Option<Need> {
    // What is poured in may offer what another file now has.
    let poured = || !after.globs.is_empty() && came.elsewhere(&lost.name, touched.path());
    // A macro of Rust is known in all modules that follow, whatever file has it.
    let is_macro = lost.noun() == "macro" && came.elsewhere(&lost.name, touched.path());
    if lost.owner.is_some() || !pours_as_before(before, after) || poured() || is_macro {
        return None;
    }
    let name = lost.name.as_str();
    // A whole program may go; what still names its file is found elsewhere.
    if name == "main" && is_program(touched) && !touched.is_deleted() {
        return Some(Need { path: touched.path().to_owned(), line: 1, how: How::Begins });
    }
    // Another file of its package may define it too.
    if touched.language.is_none() && (came.elsewhere(name, touched.path()) || is_named_elsewhere(change, touched, name))
    {
        return None;
    }
    let line = match (touched.language, lost.kind) {
        (language, _) if is_builtin(language, name) => return None,
        (Some(Language::Rust), DefinitionKind::Module) => after.line_of_use(&format!("{name}::"))?,
        // A function inside of a function.
        (Some(Language::Rust), _) if after.binds(name) => return None,
        (Some(Language::Rust), _) => after.line_of_use(name).or_else(|| taken_from_itself(after, name))?,
        // What has the name now, as a parameter of a record or a constant inside of a closure, is what the rest of the file means by it.
        (None, _) if after.binds(name) || is_declared_shortly(&touched.code().after, name) => return None,
        (None, DefinitionKind::Class)
            if makes_with_a_word(touched.path()) && is_only_called(&touched.code().after, name) =>
        {
            return None;
        }
        _ => after.line_of_use(name)?,
    };
    Some(Need { path: touched.path().to_owned(), line, how: How::Uses })
}

/// `name := …` of Go, alone or among others.
fn is_declared_shortly(code: &str, name: &str) -> bool {
    let names = code.lines().filter_map(|line| line.split_once(":=")).map(|(names, _)| names);
    names.flat_map(|names| names.split([',', ' ', '\t'])).any(|one| one == name)
}

/// Whether a name stands in code only where something is called: `Name(…)`, which where `new` makes an object is a method. What stands
/// behind `new`, behind a colon, in brackets and behind a comma may be a class.
fn is_only_called(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let places = code
        .match_indices(name)
        .filter(|(at, _)| !code[..*at].ends_with(is_word) && !code[at + name.len()..].starts_with(is_word));
    let mut is_called = false;
    for (at, _) in places {
        let before = code[..at].trim_end();
        let is_made =
            before.ends_with([':', ',', '[', '.']) || before.split(|c| !is_word(c)).next_back() == Some("new");
        if is_made || !code[at + name.len()..].trim_start().starts_with('(') {
            return false;
        }
        is_called = true;
    }
    is_called
}

/// Whether another file of the candidate has the name, or that could not be looked for.
pub fn is_named_elsewhere(change: &Change, touched: &Touched, name: &str) -> bool {
    if name.is_empty() || name.len() > 400 || !touched.may_search() {
        return true;
    }
    let hits = change.repo(Side::After).search(&[name], globs(touched.language), 4_000);
    hits.iter().any(|hit| hit.path != touched.path())
}

/// Whether the file is one that Cargo makes a program of, so that it begins with `main`.
fn is_program(touched: &Touched) -> bool {
    let path = touched.path();
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    touched.language == Some(Language::Rust) && (path.ends_with("src/main.rs") || folders.ends_with("src/bin"))
}

/// Whether a module of Python keeps the name as a key of a dictionary, from which it may offer it while it runs: as a name that is
/// deprecated, or imported late.
fn is_served(touched: &Touched, name: &str) -> bool {
    let text = &touched.lines.after;
    let is_key = |quote: char| text.contains(&format!("{quote}{name}{quote}:"));
    let is_late = ["__name__", "__getattr__", "lazy"].iter().any(|sign| text.contains(sign));
    touched.language == Some(Language::Python) && is_late && (is_key('"') || is_key('\''))
}

/// Whether no module comes whose names are all taken.
pub fn pours_as_before(before: &Outline, after: &Outline) -> bool {
    after.globs.iter().all(|module| before.globs.contains(module))
}

/// `use super::name` in a module that is written inside the file.
fn taken_from_itself(after: &Outline, name: &str) -> Option<u32> {
    let takes = after.imports.iter().filter(|take| take.module == "self" && take.name.as_deref() == Some(name));
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
        !touched.left() && (after.offers(name) || after.is_open || is_served(touched, name) || poured(name))
    };
    // What it only imported for itself is no definition; a package's front door is.
    let counts = |name: &&String| {
        touched.language == Some(Language::JavaScript)
            || before.definitions.iter().any(|item| item.owner.is_none() && item.name == **name)
            || touched.old_path.ends_with("__init__.py")
    };
    let new_globs = !touched.left() && !pours_as_before(before, after);
    if new_globs {
        return Vec::new();
    }
    before.offered.iter().filter(counts).filter(|name| !here(name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::is_only_called;

    #[test]
    fn calls_alone() {
        for (code, is) in [
            ("int f() => Sum(1) + (long) Sum(2);", true),
            ("var a = new Sum(1);", false),
            ("Sum a = Sum(1);", false),
            ("class B(int a) : Sum(a) { }", false),
            ("Summary(1)", false),
        ] {
            assert_eq!(is_only_called(code, "Sum"), is, "{code}");
        }
    }
}
