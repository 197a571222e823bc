//! Tests that went, and came back nowhere, while what they test stays.

use std::collections::BTreeSet;

use guard_sdk::{Change, Finding, Severity};

use crate::beside::Beside;
use crate::effort::Effort;
use crate::gone::{self, Gone};
use crate::phrases::words;
use crate::touched::Touched;
use crate::vanished;
use guard_sdk::files::Language;
use guard_sdk::language::{Body, Definition, DefinitionKind, Outline};
use outline::TestWishes;

pub fn find(change: &Change, effort: &Effort, touched: &[Touched], all: &[Gone]) -> Vec<Finding> {
    if all.is_empty() {
        return Vec::new();
    }
    let wishes = wishes(change);
    let mut findings = lost(change, effort, touched, all, &wishes);
    // What was asked for is said all the same: whoever reads the change should know.
    if wishes.to_lose() {
        findings.iter_mut().for_each(|finding| finding.severity = Severity::Warning);
    }
    findings
}

fn lost(change: &Change, effort: &Effort, touched: &[Touched], all: &[Gone], wishes: &TestWishes) -> Vec<Finding> {
    let beside = Beside::new(change, effort, touched);
    if beside.cut_short {
        return Vec::new();
    }
    let is_lost = |gone: &&Gone| {
        gone.item.skip.is_none()
            && gone.item.body != Body::Empty
            && !is_idle(gone.text)
            && !only_fails(gone)
            && !beside.has(gone.text)
    };
    // Whoever takes a test away on purpose does not leave it in a comment.
    let (hidden, mut lost): (Vec<&Gone>, Vec<&Gone>) = all.iter().filter(is_lost).partition(|gone| gone.is_hidden());
    let mut findings = findings(&hidden);
    beside.replaced(&mut lost);
    lost.retain(|gone| !is_rewritten(gone.touched, gone.lines()));
    let lines: usize = lost.iter().map(|gone| gone.lines()).sum();
    // Tests go with what they test: as much code as half of them, or code that speaks of the same things.
    if beside.code_went >= beside.code_came + lines / 2 || beside.manifests {
        return findings;
    }
    lost.retain(|gone| !beside.went_with_code(gone.item) && !wishes.to_remove_what_is_called(&gone.item.full_name()));
    let is_outdated = |gone: &Gone| {
        (gone.touched.is_deleted() && beside.writes_a_suite(lines))
            || beside.concerns(gone.text, gone.touched.old_path)
            || gains_cases(gone.touched)
            || gains_tests_of_macros(gone.touched)
            || loses_what_it_calls(gone)
    };
    let (outdated, lost): (Vec<&Gone>, Vec<&Gone>) = lost.into_iter().partition(|gone| is_outdated(gone));
    findings.extend(self::findings(&lost));
    findings.extend(self::findings(&outdated).into_iter().map(|each| Finding { severity: Severity::Warning, ..each }));
    findings
}

fn findings(tests: &[&Gone]) -> Vec<Finding> {
    gone::by_file(tests).iter().filter_map(|file| gone::finding(file)).collect()
}

/// Whether something that a test names, and that is no test, went from its file too: who only wants a test to be silent leaves its
/// helpers.
fn loses_what_it_calls(gone: &Gone) -> bool {
    let (Some(before), Some(after)) = (gone.touched.before(), gone.touched.after()) else { return false };
    let is_helper = |item: &&&Definition| {
        item.owner.is_none()
            && matches!(item.kind, DefinitionKind::Function | DefinitionKind::Class | DefinitionKind::Value)
    };
    let lost = vanished::definitions(before, after);
    lost.iter().filter(is_helper).any(|helper| words(gone.text).any(|word| word == helper.name))
}

/// Whether a test of the file runs over a table of cases now, and may have taken others in.
fn gains_cases(touched: &Touched) -> bool {
    const TABLES: [&str; 7] =
        ["parametrize", "subTest(", "it.each", "test.each", "describe.each", "#[case", "#[values"];
    let (Some(before), Some(after)) = (touched.before(), touched.after()) else { return false };
    let is_test = |item: &&Definition| item.kind == DefinitionKind::Test;
    let has = |text: &str| TABLES.iter().any(|table| text.contains(table));
    let count = |texts: &mut dyn Iterator<Item = &str>| texts.filter(|text| has(text)).count();
    let was = count(&mut before.definitions.iter().filter(is_test).map(|item| touched.text_before(item)));
    count(&mut after.definitions.iter().filter(is_test).map(|item| touched.text_after(item))) > was
}

/// Whether macros of the file write more tests than they did, each as often as it is called: `macro_rules! tests { … #[test] fn … }`.
fn gains_tests_of_macros(touched: &Touched) -> bool {
    let (Some(before), Some(after)) = (touched.before(), touched.after()) else { return false };
    let written = |outline: &Outline, text: &str| {
        let marked = text.lines().filter(|line| line.trim_start().starts_with("#[test]")).count();
        marked.saturating_sub(outline.definitions.iter().filter(|item| item.kind == DefinitionKind::Test).count())
    };
    let code = touched.code();
    touched.language == Some(Language::Rust) && written(after, &code.after) > written(before, &code.before)
}

/// Whether the tests of a file are written anew: most of them changed, and several came or were changed.
fn is_rewritten(touched: &Touched, lines: usize) -> bool {
    const SEVERAL: usize = 4;
    let (Some(before), Some(after)) = (touched.before(), touched.after()) else { return false };
    let is_test = |item: &&Definition| item.kind == DefinitionKind::Test;
    let old: BTreeSet<&str> = before.definitions.iter().filter(is_test).map(|item| touched.text_before(item)).collect();
    let texts: Vec<&str> = after.definitions.iter().filter(is_test).map(|item| touched.text_after(item)).collect();
    let stayed = texts.iter().filter(|text| old.contains(*text)).count();
    let new = texts.len() - stayed;
    new >= SEVERAL && stayed * 2 < old.len() && new * 4 >= lines / 4
}

/// What people say of the change.
pub fn wishes(change: &Change) -> TestWishes {
    TestWishes::from_texts(change.wishes().iter().map(String::as_str))
}

/// A test of which one line is all that it does, and that line fails: it says that something is not there yet, and tested nothing.
fn only_fails(gone: &Gone) -> bool {
    #[rustfmt::skip]
    const FAILS: [&str; 14] = [
        "XCTFail(", "Issue.record(", "fail(", "self.fail(", "$this->fail(", "Assert.Fail(", "Assert.fail(", "Assertions.fail(", "pytest.fail(", "t.Fatal(", "t.Fatalf(", "panic!(", "FAIL()", "flunk",
    ];
    let lines = gone.text.lines().map(str::trim).filter(|line| !line.is_empty());
    let body = lines.skip_while(|line| !line.contains(&gone.item.name)).skip(1);
    let mut body = body.filter(|line| *line != "end" && !line.chars().all(|c| "{}();".contains(c)));
    body.next().is_some_and(|line| FAILS.iter().any(|call| line.starts_with(call))) && body.next().is_none()
}

/// A test that is not run tests nothing.
pub fn is_idle(test: &str) -> bool {
    const MARKS: [&str; 12] = [
        ".skip(",
        ".skip\n",
        ".xfail",
        "@skip(",
        "#[ignore",
        "it.todo",
        "test.todo",
        "xit(",
        "xtest(",
        "pytest.skip(",
        ".fixme(",
        "unittest.skip(",
    ];
    let head: String = test.lines().take(6).map(|line| format!("{}\n", line.trim())).collect();
    MARKS.iter().any(|mark| head.contains(mark))
}
