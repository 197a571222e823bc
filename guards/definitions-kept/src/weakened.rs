//! Tests that still run and assert nothing any more.

use guard_sdk::{Change, Finding};

use outline::{Body, Item, Kind, Outline};
use crate::tests_gone::{asked_for, is_idle};
use crate::touched::{Lines, Touched};

/// How a line begins to check something; a helper that does has one of these in its name as a rule.
const WORDS: [&str; 9] = ["assert", "expect", "raises", "should", "check", "verify", "ensure", "warns", "panic"];
/// Test objects that are called `t`.
const CALLS: [&str; 5] = ["t.is(", "t.same(", "t.equal(", "t.deepEqual(", "t.ok("];
/// What is true whatever the code does.
#[rustfmt::skip]
const TRIVIAL: [&str; 8] = [
    "assert True", "assert 1", "assert!(true)", "expect(true).toBe(true)", "expect(true).toEqual(true)", "assert.ok(true)", "assert(true)", "self.assertTrue(True)",
];

/// How a line begins that gives a test its name.
const TITLES: [&str; 8] = ["it(", "it.", "test(", "test.", "describe(", "def ", "fn ", "async "];

/// Only lines go that check something, and what comes in their place checks nothing.
pub fn is_likely(lines: &Lines) -> bool {
    lines.removed().any(|(_, line)| asserts(line)) && !lines.added().any(|(_, line)| asserts(line))
}

pub fn find(change: &Change, touched: &Touched, before: &Outline, after: &Outline) -> Vec<Finding> {
    if !is_likely(&touched.lines) || asked_for(change) {
        return Vec::new();
    }
    let is_test = |item: &&Item| item.kind == Kind::Test && item.body == Body::Real;
    let mut findings = Vec::new();
    for test in after.items.iter().filter(is_test) {
        let Some(was) = before.items.iter().filter(is_test).find(|was| was.is(test)) else { continue };
        let (old, new) = (touched.text_before(was), touched.text_after(test));
        if old != new && old.lines().any(asserts) && !new.lines().any(asserts) && only_less(old, new) && !is_idle(new) {
            findings.push(finding(touched, test));
        }
    }
    findings
}

/// Whether something is called, or stands at the beginning, whose name has such a word in it. A title has many words, and
/// `.expect("…")` of Rust takes a value out.
fn asserts(line: &str) -> bool {
    let line = line.trim();
    let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
    if is_comment(line) || begins(&TITLES) || begins(&TRIVIAL) {
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
    let fine =
        |line: &str| known.contains(&line) || says_nothing(line) || TRIVIAL.iter().any(|sign| line.starts_with(sign));
    new.lines().map(str::trim).all(fine)
}

fn finding(touched: &Touched, test: &Item) -> Finding {
    let (path, name) = (touched.path(), test.full_name());
    Finding::error("test-weakened", format!("the test `{name}` of {path} asserts nothing any more"))
        .at(path, test.lines.0)
        .to(test.lines.1)
        .help(format!("Keep what `{name}` asserts. If it fails, mend the code that it tests."))
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
