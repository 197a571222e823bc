//! Tests that are added, and nothing else: no line of the old text is gone, and every new line is part of a new test, or of an import that gives no
//! old name another meaning. Whether they pass is for a runner to say.

use std::collections::BTreeSet;
use std::ops::Range;

use guardhost_engine::code_text::{CodeDefinition, CodeText};
use guardhost_engine::outlines::Outlines;
use guardhost_git::hunks;

use super::unproved::{Unproved, because};

const CHECKS: [&str; 8] = ["assert", "expect", "fail", "must", "panic", "raises", "should", "verify"];

/// How many tests are new; `old` is None for a new file.
///
/// # Errors
/// [`Unproved::Because`]: what else may have changed.
pub fn tests_added(name: &str, old: Option<&str>, new: &str, outlines: &Outlines) -> Result<usize, Unproved> {
    let read = |text: &str| outlines.code(name, true, text).map_err(Unproved::Stopped)?.map_err(Unproved::Because);
    let after = read(new)?;
    let before = old.map(&read).transpose()?;
    let lines: Vec<&str> = new.lines().collect();
    let added = added(before.as_ref(), &after, &lines)?;
    if let (Some(old), Some(before)) = (old, &before) {
        let found = hunks(old.as_bytes(), new.as_bytes()).map_err(|error| Unproved::Stopped(format!("{error:#}")))?;
        if found.iter().any(|hunk| !hunk.old.is_empty()) {
            return because("lines of it changed or went away");
        }
        for hunk in &found {
            is_all_new(&hunk.new, &lines, &added, before, &after)?;
        }
    }
    Ok(added.len())
}

/// The new tests, if the old ones are all there as they were.
fn added<'c>(
    before: Option<&CodeText>,
    after: &'c CodeText,
    lines: &[&str],
) -> Result<Vec<&'c CodeDefinition>, Unproved> {
    if after.is_focused {
        return because("a mark in it keeps other tests from running");
    }
    let old: Vec<&CodeDefinition> = before.map(|code| code.definitions.iter().collect()).unwrap_or_default();
    let shape = |one: &CodeDefinition| (one.name.clone(), one.is_test, one.skip.clone(), one.assertions);
    let mut expected = old.iter().map(|one| shape(one)).peekable();
    let mut tests = Vec::new();
    for one in &after.definitions {
        // A group that holds a new test is an old one.
        if expected.next_if(|old| *old == shape(one)).is_none() {
            tests.push(one);
        }
    }
    if expected.next().is_some() {
        return because("a definition of it is not what it was");
    }
    let known: BTreeSet<&str> = old.iter().map(|one| one.name.as_str()).collect();
    let mut names = BTreeSet::new();
    if tests.iter().any(|test| known.contains(test.name.as_str()) || !names.insert(test.name.as_str())) {
        return because("a test has the name of another one, which may not run then");
    }
    tests.retain(|one| one.is_test);
    match tests.iter().find(|test| test.skip.is_some() || !checks(test, lines)) {
        Some(test) => because(&format!("the test `{}` is skipped, or checks nothing", test.name)),
        None if tests.is_empty() => because("no new test is found in it"),
        None => Ok(tests),
    }
}

/// `inserted`: numbers of lines, from 0.
fn is_all_new(
    inserted: &Range<usize>,
    lines: &[&str],
    added: &[&CodeDefinition],
    before: &CodeText,
    after: &CodeText,
) -> Result<(), Unproved> {
    let whole = |test: &&&CodeDefinition| test.first as usize > inserted.start && test.last as usize <= inserted.end;
    let tests: Vec<&&CodeDefinition> = added.iter().filter(whole).collect();
    for number in inserted.clone() {
        let line = number + 1;
        let is_in_test = tests.iter().any(|test| (test.first as usize..=test.last as usize).contains(&line));
        let imports = || after.imports.iter().filter(|import| import.line as usize == line);
        let is_import = imports().next().is_some()
            && imports().all(|import| !import.local.is_empty() && before.bound.binary_search(&import.local).is_err());
        if !is_in_test && !is_import && !lines.get(number).is_none_or(|line| line.trim().is_empty()) {
            return because("it has new lines outside of its new tests");
        }
    }
    Ok(())
}

/// A word by which tests check, where the reader does not count what they check.
fn checks(test: &CodeDefinition, lines: &[&str]) -> bool {
    match test.assertions {
        Some(count) => count > 0,
        None => {
            let own = lines.iter().take(test.last as usize).skip((test.first as usize).saturating_sub(1));
            own.map(|line| line.to_lowercase()).any(|line| CHECKS.iter().any(|word| line.contains(word)))
        }
    }
}
