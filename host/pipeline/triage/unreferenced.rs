//! Private functions that are removed, which nothing names.

use std::collections::BTreeSet;

use guardhost_engine::outlines::Outlines;

use super::code::{Sides, read, same_code};
use super::private::{Elsewhere, PrivateFunction, has_word, may_make_names, private_function};
use super::unproved::{Unproved, because};

/// The names of the functions that are gone; nothing else differs but formatting and plain comments.
///
/// # Errors
/// [`Unproved::Because`]: what else differs, or what may name them; [`Unproved::Stopped`]: the work was stopped.
pub fn unreferenced(
    sides: &Sides<'_>,
    elsewhere: &Elsewhere<'_>,
    outlines: &Outlines,
) -> Result<Vec<String>, Unproved> {
    let (old, new) = (read(sides, sides.old, outlines)?, read(sides, sides.new, outlines)?);
    let kept: BTreeSet<&str> = new.definitions.iter().map(|one| one.name.as_str()).collect();
    let gone: BTreeSet<&str> =
        old.definitions.iter().map(|one| one.name.as_str()).filter(|name| !kept.contains(name)).collect();
    if gone.is_empty() {
        return because("no function is gone");
    }
    let mut functions: Vec<PrivateFunction> = Vec::new();
    for name in gone {
        match private_function(name, sides.old, &old) {
            Some(function) => functions.push(function),
            None => return because(&format!("`{name}` is gone, which others may name")),
        }
    }
    let reduced: String = sides
        .old
        .split_inclusive('\n')
        .enumerate()
        .filter(|(number, _)| !functions.iter().any(|function| function.lines.contains(number)))
        .map(|(_, line)| line)
        .collect();
    if reduced != sides.new {
        same_code(&Sides { old: &reduced, ..*sides }, outlines)?;
    }
    // In Go it is an error to import what nothing uses, and in Rust it may be one.
    let imports = old.imports.iter().map(|import| import.line as usize);
    let lines: BTreeSet<usize> = imports.filter_map(|line| line.checked_sub(1)).collect();
    let imported = sides.old.lines().enumerate().filter(|(number, _)| lines.contains(number)).map(|(_, line)| line);
    let others = sides.new.lines().filter(|line| !imported.clone().any(|import| import == *line));
    let used = others.collect::<Vec<_>>().join("\n");
    let removed = sides.old.lines().enumerate();
    let removed = removed.filter(|(number, _)| functions.iter().any(|function| function.lines.contains(number)));
    let removed = removed.map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    for word in imported.clone().flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')) {
        if !word.is_empty() && has_word(&removed, word) && !has_word(&used, word) {
            return because("it may leave an import that nothing uses");
        }
    }
    may_make_names(&old, sides.old, elsewhere)?;
    for PrivateFunction { name, .. } in &functions {
        if has_word(sides.new, name) || elsewhere(name)? {
            return because(&format!("`{name}` is gone, and its name is still written somewhere"));
        }
    }
    Ok(functions.into_iter().map(|function| function.name).collect())
}
