//! Tests that still run and assert nothing any more.

use guard_sdk::files::Language;
use guard_sdk::{Change, Finding, Severity};
use outline::is_test;

use crate::tests_gone::{is_idle, wishes};
use crate::touched::{Lines, Touched};
use guard_sdk::language::{Body, Definition, DefinitionKind, Outline};

/// How a line begins to check something; a helper that does has one of these in its name as a rule.
const WORDS: [&str; 9] = ["assert", "expect", "raises", "should", "check", "verify", "ensure", "warns", "panic"];
/// Test objects that are called `t`.
const CALLS: [&str; 5] = ["t.is(", "t.same(", "t.equal(", "t.deepEqual(", "t.ok("];
/// What is true whatever the code does.
#[rustfmt::skip]
const TRIVIAL: [&str; 21] = [
    "assert True", "assert 1", "assert not False", "assert 1 == 1", "assert True is True", "assert True == True", "assert!(true", "assert_eq!(1, 1", "assert_eq!(true, true", "expect(true).toBe(true)",
    "expect(true).toEqual(true)", "expect(1).toBe(1)", "expect(true).toBeTruthy()", "assert.ok(true)", "assert(true)", "self.assertTrue(True)",
    "Assert.True(true", "Assert.IsTrue(true", "Assert.That(true", "assertTrue(true", "$this->assertTrue(true",
];

/// How a line begins that gives a test its name.
const TITLES: [&str; 8] = ["it(", "it.", "test(", "test.", "describe(", "def ", "fn ", "async "];

/// Somewhere lines go that check something, and what comes in their place checks nothing, or begins another definition; or a line
/// comes that is true whatever the code does.
pub fn is_likely(language: Option<Language>, path: &str, lines: &Lines) -> bool {
    if language != Some(Language::Rust) && !is_test(path) {
        return false;
    }
    let (removed, added): (Vec<_>, Vec<_>) = (lines.removed().collect(), lines.added().collect());
    let within = |lines: &[(u32, &str)], start: u32, count: u32, has: &dyn Fn(&str) -> bool| {
        let from = lines.partition_point(|(number, _)| *number < start);
        lines[from..].iter().take_while(|(number, _)| *number < start + count).any(|(_, line)| has(line))
    };
    added.iter().any(|(_, line)| is_trivial(line))
        || lines.hunks.iter().any(|hunk| {
            within(&removed, hunk.old_start, hunk.old_lines, &asserts)
                && (!within(&added, hunk.new_start, hunk.new_lines, &asserts)
                    || within(&added, hunk.new_start, hunk.new_lines, &begins_definition))
        })
}

pub fn find(change: &Change, touched: &Touched, before: &Outline, after: &Outline) -> Vec<Finding> {
    if !is_likely(touched.language, touched.path(), &touched.lines) {
        return Vec::new();
    }
    let is_test = |item: &&Definition| item.kind == DefinitionKind::Test && item.body == Body::Real;
    let mut findings = Vec::new();
    for test in after.definitions.iter().filter(is_test) {
        let Some(was) = before.definitions.iter().filter(is_test).find(|was| was.is_named_as(test)) else { continue };
        let (old, new) = (touched.text_before(was), touched.text_after(test));
        // Whoever reads the language may know assertions that no word tells: `end.to change(…)`.
        let counted = test.assertions.is_some_and(|count| count > 0) && !new.lines().any(is_trivial);
        let weaker = old != new && !counted && !new.lines().any(asserts) && only_less(old, new) && checked(old, new);
        if weaker && test.skip.is_none() && !is_idle(new) {
            findings.push(finding(touched, test));
        }
    }
    if !findings.is_empty() && wishes(change).to_lose() {
        findings.iter_mut().for_each(|finding| finding.severity = Severity::Warning);
    }
    findings
}

/// Whether the old test checked something: by its own words, or, if what is left is only true by itself, by what it called.
fn checked(old: &str, new: &str) -> bool {
    let calls = |line: &str| line.contains('(') && !begins_definition(line) && !new.contains(line.trim());
    old.lines().any(asserts) || (new.lines().any(is_trivial) && old.lines().any(calls))
}

fn is_trivial(line: &str) -> bool {
    let line = line.trim();
    TRIVIAL.iter().any(|sign| {
        line.strip_prefix(sign)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || " =!<>.".contains(c)))
    })
}

fn begins_definition(line: &str) -> bool {
    let line = line.trim_start();
    TITLES.iter().any(|title| line.starts_with(title)) || line.starts_with("pub fn ")
}

/// Whether something is called, or stands at the beginning, whose name has such a word in it. A title has many words, and
/// `.expect("…")` of Rust takes a value out.
fn asserts(line: &str) -> bool {
    let line = line.trim();
    let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
    if is_comment(line) || begins(&TITLES) || is_trivial(line) {
        return false;
    }
    let calls = line.match_indices('(').any(|(at, _)| {
        let name = line[..at].trim_end_matches('!').trim_end();
        let name = name.rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').next().unwrap_or_default();
        let (name, argument) = (name.to_ascii_lowercase(), &line[at + 1..]);
        let unwraps = name.ends_with(".expect") && argument.starts_with(['"', '&']) && !argument.contains(',');
        !unwraps && WORDS.iter().any(|word| name.contains(word))
    });
    calls
        || begins(&["assert", "#[should_panic"])
        || line.contains(".should.")
        || CALLS.iter().any(|call| line.contains(call))
}

fn is_comment(line: &str) -> bool {
    line.starts_with('#') || line.starts_with("//") || line.starts_with('*')
}

/// Whether a test that is written otherwise now is none of this guard's business: here every line was there before.
fn only_less(old: &str, new: &str) -> bool {
    let known: Vec<&str> = old.lines().map(str::trim).collect();
    let says_nothing = |line: &str| line.is_empty() || line == "pass" || is_comment(line);
    let fine = |line: &str| known.contains(&line) || says_nothing(line) || is_trivial(line);
    new.lines().map(str::trim).all(fine)
}

fn finding(touched: &Touched, test: &Definition) -> Finding {
    let (path, name) = (touched.path(), test.full_name());
    Finding::error("test-weakened", format!("the test `{name}` of {path} asserts nothing any more"))
        .at(path, test.lines.first)
        .to(test.lines.last)
        .help(format!("Keep what `{name}` asserts. If it fails, fix the code that it tests."))
}

#[cfg(test)]
mod tests {
    use super::asserts;

    #[test]
    fn a_name_may_stand_behind_any_sign() {
        assert!(asserts("→check(a)") && asserts("x = “self.assertEqual(a)") && asserts("\u{feff}expect!(a)"));
        assert!(!asserts("→call(a)") && !asserts("“(") && !asserts(".expect(\"a\")"));
    }
}
