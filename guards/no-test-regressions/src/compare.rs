//! What became of the tests that passed on the base.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::{Test, TestOutcome, TestReport};

use crate::names;

#[derive(Default)]
pub struct Compared<'r> {
    passed: BTreeSet<&'r str>,
    /// Passed on the base, and fail or err now.
    pub failing: Vec<&'r Test>,
    /// Passed on the base, and are skipped or not there any more; the test as it was on the base.
    pub lost: Vec<(&'r Test, Loss)>,
    /// Pass now and were not there.
    pub new: Vec<&'r Test>,
    /// Suites that ran on the base and do not now: the base's report, and the candidate's if there is one.
    pub broken: Vec<(&'r TestReport, Option<&'r TestReport>)>,
    /// Files or packages that cannot be run any more, and how many tests that passed went with them.
    pub unrunnable: Vec<(&'r Test, usize)>,
    /// Suites whose runner fails on both sides: the candidate's report, and how many tests that passed on the base it does not tell of.
    pub unknown: Vec<(&'r TestReport, usize)>,
    /// Suites whose runner fails on both sides and tells of no test that passed: the candidate's report.
    pub untold: Vec<&'r TestReport>,
    /// Suites that ran on neither side.
    pub not_run: Vec<&'r TestReport>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    Deleted,
    Skipped,
}

impl<'r> Compared<'r> {
    pub fn new(base: &'r [TestReport], after: &'r [TestReport]) -> Self {
        let mut compared = Compared::default();
        for base in base {
            let now = after.iter().find(|after| (&after.runner, &after.project) == (&base.runner, &base.project));
            if base.not_run.is_some() {
                compared.not_run.push(base);
                continue;
            }
            match now {
                Some(now) if now.not_run.is_none() => compared.suite(base, now),
                _ if base.tests.iter().any(is_passed) => compared.broken.push((base, now)),
                // A base that failed without a test that passed, and nothing to compare it with.
                _ if !base.is_complete => compared.untold.push(base),
                _ => {}
            }
        }
        compared
    }

    pub fn passed_on_base(&self, id: &str) -> bool {
        self.passed.contains(id)
    }

    fn suite(&mut self, base: &'r TestReport, now: &'r TestReport) {
        let index: BTreeMap<&str, &'r Test> = now.tests.iter().map(|test| (test.id.as_str(), test)).collect();
        let known: BTreeMap<&str, &'r Test> = base.tests.iter().map(|test| (test.id.as_str(), test)).collect();
        let new: Vec<&'r Test> =
            now.tests.iter().filter(|test| is_passed(test) && !known.contains_key(test.id.as_str())).collect();
        let errors: Vec<&'r Test> = now.tests.iter().filter(|test| test.outcome == TestOutcome::Errored).collect();
        let mut gone_with: Vec<usize> = vec![0; errors.len()];
        let mut unknown = 0;
        for test in base.tests.iter().filter(|test| is_passed(test)) {
            self.passed.insert(&test.id);
            match index.get(test.id.as_str()) {
                Some(now) => match now.outcome {
                    TestOutcome::Passed => {}
                    TestOutcome::Failed | TestOutcome::Errored => self.failing.push(now),
                    TestOutcome::Skipped => self.lost.push((test, Loss::Skipped)),
                },
                None => match errors.iter().position(|error| names::holds(&error.id, &test.id)) {
                    Some(at) => gone_with[at] += 1,
                    None if new.iter().any(|new| names::bare(&new.id) == names::bare(&test.id)) => {}
                    None if now.is_complete => self.lost.push((test, Loss::Deleted)),
                    // What a runner that failed does not tell of may be there.
                    None => unknown += 1,
                },
            }
        }
        self.unrunnable.extend(errors.into_iter().zip(gone_with).filter(|(_, gone)| *gone > 0));
        match (base.is_complete, now.is_complete) {
            (true, false) => self.broken.push((base, Some(now))),
            (false, false) if unknown > 0 => self.unknown.push((now, unknown)),
            (false, false) if !base.tests.iter().any(is_passed) => self.untold.push(now),
            (_, true) | (false, false) => {}
        }
        self.new.extend(new);
    }
}

fn is_passed(test: &Test) -> bool {
    test.outcome == TestOutcome::Passed
}
