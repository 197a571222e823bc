//! Tests still test: no skip, focus, expected failure or early end comes in unasked, and no assertion that cannot fail.

mod caught;
mod check;
mod go;
mod logged;
mod meaning;
mod parameters;
mod rules;
mod screen;
mod suite;
mod test;
mod told;
mod tolerance;
mod unmade;
mod widened;

use std::cell::OnceCell;

use guard_sdk::language::{Skip, SkipKind};
use guard_sdk::{
    About, Change, File, Finding, Guard, NoSettings, Severity, Side, Stage, Status, Verdict, files, guard,
};
use outline::TestWishes;

use suite::Suite;
use test::Test;

pub struct NoSkippedTests;

impl Guard for NoSkippedTests {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Tests still test: no skip, focus, expected failure or early end comes in unasked, and no assertion that cannot fail.",
        stages: &[Stage::Content],
        globs: files::CODE,
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_no_skipped_tests.fail",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        let asked = OnceCell::new();
        let asked = || asked.get_or_init(|| TestWishes::from_texts(change.wishes().iter().map(String::as_str)));
        let mut findings = Vec::new();
        let mut judged = false;
        let files = change.files().filter(|file| Suite::reads(change, file.path()) && file.after().is_regular());
        for file in files {
            let Ok(after) = file.after().text() else { continue };
            judged = true;
            let is_new = !file.before().is_regular() || file.status() == Status::Copied;
            let before = if is_new { String::new() } else { file.before().text().unwrap_or_default() };
            findings.extend(meaning::find(change, file, &before, &after));
            findings.extend(unmade::find(&file, &before, &after));
            findings.extend(logged::find(&file, &before, &after));
            findings.extend(widened::find(&file, &before, &after));
            findings.extend(tolerance::find(&file, &before, &after));
            let marks = change.languages(Side::After).language(file.path()).map(|language| language.sleep_marks);
            if !screen::worth_reading(file, &after, &marks.unwrap_or_default()) {
                continue;
            }
            match compared(change, file, &after, asked) {
                Some(found) => findings.extend(found),
                None => findings.push(not_judged(file)),
            }
        }
        if !judged {
            return Ok(Verdict::not_applicable("no file that may hold tests is added or changed"));
        }
        if !findings.is_empty() && asked().to_put_asleep() {
            // What was asked for is said all the same: whoever reads the change should know. A focus is asked for by nobody who commits it.
            let asleep = findings.iter_mut().filter(|finding| !is_asked_by_nobody(&finding.rule));
            asleep.for_each(|finding| finding.severity = Severity::Warning);
        }
        Ok(Verdict::from_findings(findings))
    }
}

guard!(NoSkippedTests);

/// What no task and no message means when it speaks of tests that are skipped.
fn is_asked_by_nobody(rule: &str) -> bool {
    matches!(rule, "tests-focused" | "assertion-not-made" | "no-cases" | "failure-elsewhere" | "not-judged")
}

/// None when a side cannot be read.
fn compared<'a>(change: &Change, file: File, after: &str, asked: impl Fn() -> &'a TestWishes) -> Option<Vec<Finding>> {
    let old_path = file.old_path().unwrap_or(file.path());
    let is_new = !file.before().is_regular() || file.status() == Status::Copied;
    let before = if is_new { String::new() } else { file.before().text().ok()? };
    let new = Suite::new(change, Side::After, file.path(), after)?;
    if new.tests.iter().all(|test| test.skip.is_none()) && new.focused.is_empty() {
        return Some(Vec::new());
    }
    let old = Suite::new(change, Side::Before, old_path, &before)?;
    let mut findings: Vec<Finding> = Vec::new();
    for (mark, tests) in marks(&new) {
        let ran = tests.iter().filter(|test| old.ran(test) > new.ran(test)).count();
        let known = tests.iter().filter(|test| old.has(test)).count();
        if ran > 0 {
            let severity = if asked().explains(&mark.reason) { Severity::Warning } else { Severity::Error };
            findings.push(Finding { severity, ..skipped(file, mark, &tests, ran) });
        } else if known == 0 && matches!(mark.kind, SkipKind::Skipped | SkipKind::MayFail) {
            findings.push(Finding { severity: Severity::Warning, ..skipped(file, mark, &tests, 0) });
        }
    }
    let focused = |title: &String| old.focused.iter().any(|(other, _)| other == title);
    findings
        .extend(new.focused.iter().filter(|(title, _)| !focused(title)).map(|(title, mark)| alone(file, title, mark)));
    Some(findings)
}

/// Each mark with the tests that it skips.
fn marks(suite: &Suite) -> Vec<(&Skip, Vec<&Test>)> {
    let mut marks: Vec<(&Skip, Vec<&Test>)> = Vec::new();
    for test in &suite.tests {
        let Some(mark) = &test.skip else { continue };
        match marks.last_mut().filter(|(last, _)| *last == mark) {
            Some((_, tests)) => tests.push(test),
            None => marks.push((mark, vec![test])),
        }
    }
    marks
}

/// `ran`: how many of the tests ran before; 0 when they are new.
fn skipped(file: File, mark: &Skip, tests: &[&Test], ran: usize) -> Finding {
    let (path, name) = (file.path(), tests.first().map_or("", |test| &test.name));
    let (what, those, it) = match ran {
        0 => (format!("the new test `{name}` of {path}"), "", "it"),
        1 => (format!("the test `{name}` of {path}"), " ran before and", "it"),
        ran => (format!("{ran} tests of {path}, `{name}` among them,"), " ran before and", "them"),
    };
    let are = match ran {
        0 => "is",
        1 => "is now",
        _ => "are now",
    };
    let mark_ = &mark.mark;
    let (rule, message, help) = match mark.kind {
        SkipKind::Skipped => (
            "test-skipped",
            format!("{what}{those} {are} skipped by `{mark_}`"),
            format!(
                "Take `{mark_}` away and let {it} run. If the test fails, fix the code that it tests; if it cannot run everywhere, give the skip its condition."
            ),
        ),
        SkipKind::MayFail => (
            "test-may-fail",
            format!("{what}{} may fail now by `{mark_}`", if ran > 0 { " had to pass before and" } else { "" }),
            format!("Take `{mark_}` away. If the test fails, fix the code that it tests."),
        ),
        SkipKind::Empty => (
            "test-emptied",
            format!("{what}{those} has only its title now"),
            format!("Give `{name}` the body that it had. If it fails, fix the code that it tests."),
        ),
        SkipKind::Cut => (
            "test-cut-short",
            format!("{what} returns now before its last statements"),
            format!("Take the `return` away, so that `{name}` runs to its end."),
        ),
        SkipKind::Focused => (
            "tests-focused",
            format!("`{mark_}` in {path} keeps the other tests of the file from running"),
            format!("Take `{mark_}` away."),
        ),
    };
    Finding::error(rule, message).at(path, mark.line).help(help)
}

fn alone(file: File, title: &str, mark: &Skip) -> Finding {
    let (path, mark_) = (file.path(), &mark.mark);
    Finding::error("tests-focused", format!("`{mark_}` at `{title}` keeps the other tests of {path} from running"))
        .at(path, mark.line)
        .help("Take the mark away, so that all tests of the file run.")
}

fn not_judged(file: File) -> Finding {
    let path = file.path();
    let why = "it does not parse, or the change is larger than one call can read";
    Finding::info("not-judged", format!("{path} was not judged: {why}")).file(path)
}
