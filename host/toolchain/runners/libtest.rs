//! The text of libtest, the test harness of Rust: its JSON is not stable.

use crate::report::{Test, TestOutcome};

/// The tests of one harness's output, and why they are not all, if they are not. There may be several runs in it: rustdoc makes some.
pub fn parse(suite: &str, text: &str) -> (Vec<Test>, Result<(), String>) {
    let mut parser = LibtestParser { suite, tests: Vec::new(), run: None, detail: None, wrong: None };
    text.lines().for_each(|line| parser.line(line));
    if parser.run.is_some() {
        parser.is_wrong("it ended in the middle of a run");
    }
    let whole = parser.wrong.map_or(Ok(()), |why| Err(format!("the tests of {suite}: {why}")));
    (parser.tests, whole)
}

/// Whether the output is of libtest, or of a harness that imitates it.
pub fn is_libtest(text: &str) -> bool {
    text.lines().any(|line| announced(line).is_some())
}

struct LibtestParser<'a> {
    suite: &'a str,
    tests: Vec<Test>,
    run: Option<LibtestRun>,
    /// The failed test whose output comes.
    detail: Option<usize>,
    wrong: Option<&'static str>,
}

/// From `running 3 tests` to `test result: …`.
struct LibtestRun {
    announced: usize,
    /// Its first test among all.
    first: usize,
}

impl LibtestParser<'_> {
    fn is_wrong(&mut self, why: &'static str) {
        self.wrong.get_or_insert(why);
    }

    fn line(&mut self, line: &str) {
        if let Some(announced) = announced(line) {
            self.detail = None;
            if self.run.replace(LibtestRun { announced, first: self.tests.len() }).is_some() {
                self.is_wrong("a run begins in the middle of another");
            }
        } else if let Some(rest) = line.strip_prefix("test result: ") {
            self.result(rest);
        } else if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            let (id, first) = (id(self.suite, name), self.run.as_ref().map_or(0, |run| run.first));
            self.detail = self.tests[first..].iter().position(|test| test.id == id).map(|at| first + at);
        } else if line == "failures:" {
            self.detail = None;
        } else if let Some(at) = self.detail {
            self.tests[at].detail.push_str(line);
            self.tests[at].detail.push('\n');
        } else if self.run.is_some()
            && let Some(test) = test(self.suite, line)
        {
            self.tests.push(test);
        }
    }

    /// `ok. 1 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s`.
    fn result(&mut self, line: &str) {
        self.detail = None;
        let Some(LibtestRun { announced, first }) = self.run.take() else {
            return self.is_wrong("a run ends that did not begin");
        };
        let tests = &self.tests[first..];
        let counted = |outcome: TestOutcome| tests.iter().filter(|test| test.outcome == outcome).count();
        let count_of = |what: &str| {
            let counts = line.split(". ").nth(1)?.split("; ");
            counts.into_iter().find_map(|count| count.strip_suffix(what)?.trim().parse::<usize>().ok())
        };
        let agrees = count_of(" passed") == Some(counted(TestOutcome::Passed))
            && count_of(" failed") == Some(counted(TestOutcome::Failed))
            && count_of(" ignored") == Some(counted(TestOutcome::Skipped))
            && line.starts_with("ok. ") == (counted(TestOutcome::Failed) == 0)
            // Benchmarks are announced, and have no outcome.
            && count_of(" measured").is_some_and(|measured| measured + tests.len() == announced);
        let mut ids: Vec<&str> = tests.iter().map(|test| test.id.as_str()).collect();
        ids.sort_unstable();
        // Documentation tests of one item have one id: they are told apart by lines, which move.
        let twice = !self.suite.ends_with(DOC) && ids.windows(2).any(|pair| pair[0] == pair[1]);
        match (agrees, twice) {
            (true, false) => {}
            (false, _) => self.is_wrong("the outcomes are not as many as it announced or summed up"),
            (true, true) => self.is_wrong("a test has two outcomes"),
        }
    }
}

/// At the end of the name of the suite of a package's documentation tests.
pub const DOC: &str = " doc";

/// `running 3 tests`.
fn announced(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("running ")?;
    rest.strip_suffix(" tests").or_else(|| rest.strip_suffix(" test"))?.parse().ok()
}

/// `test a::b ... ok`.
fn test(suite: &str, line: &str) -> Option<Test> {
    let (name, outcome) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let outcome = match outcome.split([',', ' ']).next()? {
        "ok" => TestOutcome::Passed,
        "FAILED" => TestOutcome::Failed,
        "ignored" => TestOutcome::Skipped,
        _ => return None,
    };
    Some(Test::new(id(suite, name), outcome))
}

/// Without a documentation test's line, which moves with every edit above it.
fn id(suite: &str, name: &str) -> String {
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    let name = match name.split_once(" (line ") {
        Some((before, rest)) => format!("{before}{}", rest.split_once(')').map_or("", |(_, after)| after)),
        None => name.to_owned(),
    };
    format!("{suite} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
running 3 tests
test tests::bad ... FAILED
test tests::ok ... ok
test tests::slow ... ignored, takes long

failures:

---- tests::bad stdout ----

thread 'tests::bad' panicked at src/lib.rs:9:5:
assertion failed: false
test tests::ok ... ok

failures:
    tests::bad

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

    #[test]
    fn output_of_libtest() {
        let (tests, whole) = parse("demo", OUTPUT);
        let ids: Vec<_> = tests.iter().map(|test| (test.id.as_str(), test.outcome)).collect();
        assert_eq!(
            ids,
            [
                ("demo tests::bad", TestOutcome::Failed),
                ("demo tests::ok", TestOutcome::Passed),
                ("demo tests::slow", TestOutcome::Skipped)
            ]
        );
        assert_eq!(whole, Ok(()));
        assert!(tests[0].detail.contains("assertion failed: false"), "{}", tests[0].detail);
        let text = "running 1 test\ntest src/lib.rs - add (line 3) - compile ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; \
                    0 measured; 0 filtered out; finished in 0.20s";
        let (tests, whole) = parse("demo doc", text);
        assert_eq!((tests[0].id.as_str(), whole), ("demo doc src/lib.rs - add - compile", Ok(())));
    }

    #[test]
    fn outcomes_that_contradict_one_another_are_not_whole() {
        let crashed = &OUTPUT[..OUTPUT.find("failures:").unwrap()];
        let printed = OUTPUT.replacen("test tests::bad", "test tests::bad ... ok\ntest tests::bad", 1);
        let summed_up = OUTPUT.replace("1 failed", "0 failed");
        let twice = format!("{OUTPUT}{OUTPUT}");
        for wrong in [crashed, &printed, &summed_up] {
            assert!(parse("demo", wrong).1.is_err(), "{wrong}");
        }
        assert!(parse("demo", &twice).1.is_ok(), "two runs, each with its own end");
    }
}
