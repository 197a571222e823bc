//! Tests that run and say less: what is compared no longer is, an assertion holds whatever the code does, or the test itself catches it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use guard_sdk::language::{Definition, DefinitionKind, Outline};
use guard_sdk::text::{LineStarts, lines_in};
use guard_sdk::{Change, File, Finding, Severity, Side};

use crate::caught;
use crate::check::{Check, check, is_truth};
use crate::parameters;
use crate::told;

/// Findings of one file that is run as a test, or of the tests that stand beside code.
pub fn find(change: &Change, file: File, before: &str, after: &str) -> Vec<Finding> {
    let added = lines_in(after, file.hunks().iter().map(|hunk| (hunk.new_start, hunk.new_lines)));
    let weaker = weakened(file, before, after);
    let constant = whole(&added).iter().any(|(_, line)| check(line).is_some_and(|check| check.always_holds()));
    let catches = added.iter().any(|(_, line)| caught::may_catch(line) || line.trim_start().starts_with("try"));
    let fewer = parameters::may_be_fewer(&file);
    let mocks = TELLS.iter().any(|sign| after.contains(sign)) && asks_mocks(&file, after, &added);
    if weaker.is_empty() && !constant && !catches && !fewer && !mocks {
        return Vec::new();
    }
    let Ok(new) = change.languages(Side::After).outline(file.path()) else { return Vec::new() };
    let old = match before.is_empty() {
        true => Outline::empty(),
        false => {
            let path = file.old_path().unwrap_or(file.path());
            change.languages(Side::Before).outline(path).unwrap_or_else(|_| Outline::empty())
        }
    };
    let code = new.code(after);
    let starts = LineStarts::new(&code);
    let added: BTreeSet<u32> = added.iter().map(|(number, _)| *number).collect();
    let stood: BTreeSet<(&str, Option<&str>)> = old
        .definitions
        .iter()
        .filter(|item| item.kind == DefinitionKind::Test)
        .map(|item| (item.name.as_str(), item.owner.as_deref()))
        .collect();
    let mut findings = Vec::new();
    if fewer {
        findings.extend(parameters::judge(change, file.path(), (&old, before), (&new, after)));
    }
    for test in new.definitions.iter().filter(|item| item.kind == DefinitionKind::Test && item.skip.is_none()) {
        let lines = test.lines.first..=test.lines.last;
        let had = stood.contains(&(test.name.as_str(), test.owner.as_deref()));
        if had {
            let of_it = weaker.iter().filter(|weaker| lines.contains(&weaker.line));
            findings.extend(of_it.map(|weaker| weaker.finding(file.path(), test)));
        }
        let text = starts.slice(&code, (test.lines.first, test.lines.last));
        let numbered: Vec<(u32, &str)> = (test.lines.first..).zip(text.lines()).collect();
        let asked =
            told::find(&numbered).into_iter().filter(|(asks, tells, _)| added.contains(asks) || added.contains(tells));
        findings.extend(asked.map(|(asks, tells, line)| asks_a_mock(file.path(), test, asks, tells, line)));
        findings.extend(says_nothing(file.path(), test, &numbered, &added, had));
        let hidden = caught::find(&numbered).filter(|(first, last)| (*first..=*last).any(|line| added.contains(&line)));
        findings.extend(hidden.map(|(first, last)| {
            let name = test.full_name();
            Finding::error("assertion-caught", format!("the test `{name}` catches its own assertions and goes on"))
                .at(file.path(), first)
                .to(last)
                .help("Let the assertion fail; where an error is expected, catch that kind alone.")
        }));
    }
    findings
}

/// Assertions of one file that are reported as weaker.
const MOST: usize = 50;

/// A line that compared something and asks only whether it is there now, or whether it is what it is.
struct Weaker {
    line: u32,
    is_itself: bool,
    was: String,
    is: String,
}

impl Weaker {
    fn finding(&self, path: &str, test: &Definition) -> Finding {
        let name = test.full_name();
        let (was, is) = (&self.was, &self.is);
        let why = if self.is_itself { "compares the value with itself" } else { "holds for nearly every value" };
        let message = format!("the test `{name}` compared by `{was}`, and `{is}` {why}");
        Finding::error("assertion-weakened", message)
            .at(path, self.line)
            .help("Keep the comparison. If it fails, fix the code that it tests; if another value is right now, compare with that.")
    }
}

/// Hunk by hunk: what was compared is only there, or compared with itself, and nothing that comes compares it or a part of it.
fn weakened(file: File, before: &str, after: &str) -> Vec<Weaker> {
    let mut found = Vec::new();
    let hunks = file.hunks();
    let removed = near(before, hunks.iter().map(|hunk| (hunk.old_start, hunk.old_lines)));
    let added = near(after, hunks.iter().map(|hunk| (hunk.new_start, hunk.new_lines)));
    for hunk in hunks {
        let removed = touched(&removed, hunk.old_start, hunk.old_lines);
        let added = touched(&added, hunk.new_start, hunk.new_lines);
        // By what each compared with something else than a constant truth.
        let mut compared: BTreeMap<&str, &str> = BTreeMap::new();
        for (_, old) in &removed {
            if let Some(Check::Equal(a, b)) = check(old).filter(|check| !is_itself(check)) {
                for (value, other) in [(a, b), (b, a)] {
                    if !is_truth(other) {
                        compared.entry(value).or_insert(old);
                    }
                }
            }
        }
        for (line, text) in &added {
            let Some(said) = check(text) else { continue };
            let is_itself = is_itself(&said);
            let subject = match said {
                Check::Present(subject) | Check::Same(subject) => subject,
                Check::Equal(subject, _) if is_itself => subject,
                Check::Equal(..) | Check::Constant | Check::Other => continue,
            };
            let Some(was) = compared.get(subject) else { continue };
            let goes_on = added.iter().any(|(other, text)| {
                other != line && text.contains(subject) && !matches!(check(text), None | Some(Check::Present(_)))
            });
            // Two hunks may touch one statement.
            let is_said = goes_on || is_found(after, *line, subject);
            if !is_said && !found.iter().any(|other: &Weaker| other.line == *line) {
                found.push(Weaker { line: *line, is_itself, was: shown(was), is: shown(text) });
            }
            // Each is looked for in the whole hunk, and nobody reads more of them.
            if found.len() == MOST {
                return found;
            }
        }
    }
    found
}

/// Signs of a line that tells a mock what to give.
const TELLS: [&str; 6] =
    [".return_value", ".mockReturnValue(", ".mockResolvedValue(", ".thenReturn(", ".willReturn(", "} returns "];

/// Whether a text may ask a mock for what it was told, in lines of which the change writes one: before an outline is asked for.
fn asks_mocks(file: &File, after: &str, added: &[(u32, &str)]) -> bool {
    let all = near(after, file.hunks().iter().map(|hunk| (hunk.new_start, hunk.new_lines)));
    let is_new = |line: u32| added.binary_search_by_key(&line, |(number, _)| *number).is_ok();
    told::find(&all).into_iter().any(|(asks, tells, _)| is_new(asks) || is_new(tells))
}

fn asks_a_mock(path: &str, test: &Definition, asks: u32, tells: u32, line: &str) -> Finding {
    let message =
        format!("the test `{}` asserts by `{}` what line {tells} told the mock to give", test.full_name(), shown(line));
    Finding::error("mock-asserted", message)
        .at(path, asks)
        .related(path, tells..=tells, "what the mock gives")
        .help("Call the code under test, and mock only what it depends on.")
}

fn is_itself(check: &Check) -> bool {
    matches!(check, Check::Same(_)) || matches!(check, Check::Equal(a, b) if a == b)
}

/// Whether a value was looked for by a condition: that there is one is then the comparison.
fn is_found(text: &str, line: u32, subject: &str) -> bool {
    const LOOKS: [&str; 10] = [
        ".find(",
        ".position(",
        ".filter(",
        ".first(where:",
        "next(",
        ".findIndex(",
        ".some(",
        ".any(",
        "FirstOrDefault(",
        ".firstOrNull",
    ];
    let name = subject.split(|c: char| !(c.is_alphanumeric() || c == '_')).find(|word| !word.is_empty());
    let Some(name) = name else { return false };
    let above: Vec<&str> = text.lines().take(line as usize - 1).collect();
    // The assignment may go on in the next lines.
    above.iter().enumerate().rev().take(LONGEST as usize).any(|(at, text)| {
        let assigns = text
            .split_once('=')
            .is_some_and(|(left, _)| left.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name));
        assigns && above[at..].iter().take(4).any(|text| LOOKS.iter().any(|call| text.contains(call)))
    })
}

/// An error where a test does nothing else; a warning where it also runs something, which may fail.
fn says_nothing(
    path: &str,
    test: &Definition,
    lines: &[(u32, &str)],
    added: &BTreeSet<u32>,
    had: bool,
) -> Option<Finding> {
    let lines = whole(lines);
    let checks: Vec<_> = lines.iter().filter_map(|(line, text)| Some((*line, text, check(text)?))).collect();
    let (line, text, _) = checks.iter().find(|(line, _, check)| check.always_holds() && added.contains(line))?;
    if checks.iter().any(|(.., check)| !check.always_holds()) {
        return None;
    }
    // Whether a value equals itself is what tests of equality ask.
    let name = test.full_name().to_lowercase();
    if ["eq", "same", "hash", "ident", "reflex", "cmp", "compar"].iter().any(|word| name.contains(word)) {
        return None;
    }
    let is_title = |at: u32| at == test.lines.first || at == test.lines.last;
    let calls = lines.iter().any(|(at, text)| {
        let text = text.trim();
        let is_head = ["def ", "async def ", "@", "fn ", "#[", "func ", "it(", "test(", "public ", "void "];
        text.contains('(')
            && check(text).is_none()
            && !is_title(*at)
            && !is_head.iter().any(|head| text.starts_with(head))
    });
    let severity = if calls || had { Severity::Warning } else { Severity::Error };
    let finding = Finding::error(
        "test-says-nothing",
        format!("the test `{}` asserts only `{}`, which always holds", test.full_name(), shown(text)),
    )
    .at(path, *line)
    .help("Assert what the code gives, or leave the test out.");
    Some(Finding { severity, ..finding })
}

/// Lines of one statement that are read as one. Longer ones compare more than a value.
const LONGEST: u32 = 20;

/// The lines of some runs, and those around them that may belong to their statements.
fn near(text: &str, runs: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, &str)> {
    let around = runs.map(|(start, count)| around(start, count)).map(|lines| (lines.start, lines.end - lines.start));
    lines_in(text, around)
}

fn around(start: u32, count: u32) -> Range<u32> {
    start.saturating_sub(LONGEST).max(1)..start.saturating_add(count).saturating_add(LONGEST)
}

/// Statements of which a run of lines holds a part.
fn touched<'t>(lines: &[(u32, &'t str)], start: u32, count: u32) -> Vec<(u32, Cow<'t, str>)> {
    // Between two lines stands no statement.
    if count == 0 {
        return Vec::new();
    }
    let around = around(start, count);
    let from = lines.partition_point(|(number, _)| *number < around.start);
    let to = lines.partition_point(|(number, _)| *number < around.end);
    let all = whole(&lines[from..to]);
    let ends = all.iter().skip(1).map(|(next, _)| *next).chain([u32::MAX]);
    let is_touched = |(first, end): (u32, u32)| first < start + count && end > start;
    let touched = all.iter().zip(ends).filter(|((first, _), end)| is_touched((*first, *end)));
    touched.map(|(statement, _)| statement.clone()).collect()
}

/// A statement that checks something and goes on behind an open bracket stands in its first line with its further ones.
fn whole<'t>(lines: &[(u32, &'t str)]) -> Vec<(u32, Cow<'t, str>)> {
    let open = |text: &str| text.matches(['(', '[', '{']).count() > text.matches([')', ']', '}']).count();
    let mut all: Vec<(u32, Cow<str>)> = Vec::new();
    for (at, (number, text)) in lines.iter().enumerate() {
        let is_next = at.checked_sub(1).is_some_and(|above| lines[above].0 + 1 == *number);
        let goes_on = |(first, text): &(u32, Cow<str>)| {
            is_next && *number - first < LONGEST && check(text).is_some() && open(text)
        };
        match all.last_mut().filter(|last| goes_on(last)) {
            Some((_, first)) => {
                let (head, next) = (first.trim_end(), text.trim());
                let closes = next.starts_with([')', ']', '.']);
                // A comma before the closing bracket stands for nothing.
                let head = if closes { head.trim_end_matches(',') } else { head };
                let blank = if head.ends_with(['(', '[']) || closes { "" } else { " " };
                *first = Cow::Owned(format!("{head}{blank}{next}"));
            }
            None => all.push((*number, Cow::Borrowed(text))),
        }
    }
    all
}

fn shown(line: &str) -> String {
    line.trim().trim_end_matches(';').chars().take(80).collect()
}
