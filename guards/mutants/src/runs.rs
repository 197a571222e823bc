//! What tests say of mutants.

use std::collections::BTreeSet;

use guard_sdk::{Change, Denied, Replaced, Selection, Side, TestOutcome, TestReport};
use nearest::nearest;

use crate::mutants::Mutant;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A test that passes without the edit fails with it.
    Killed,
    /// All tests pass, so many.
    Survived(usize),
    /// Why nobody knows.
    NotRun(String),
}

/// Runs that do not end in time, after which no other is begun: mutants are cheap, and seconds are not.
const MOST_TIME_OUTS: usize = 3;

/// Some tests of the candidate, and those of them that pass there.
struct Suite {
    selection: Selection,
    passing: BTreeSet<(String, String)>,
}

/// Runs mutants, nearest tests first.
pub struct Runs<'c> {
    change: &'c Change,
    suites: Vec<Suite>,
    time_outs: usize,
}

impl<'c> Runs<'c> {
    /// `after`: what all tests say of the candidate.
    pub fn new(change: &'c Change, after: &[TestReport], seconds: u32) -> Result<Self, Denied> {
        let whole = Suite::new(Vec::new(), after, seconds);
        let near = nearest(change, Side::After, after);
        let mut suites = Vec::new();
        if !near.is_empty() {
            let alone = Selection { paths: near.clone(), until_failure: false, seconds };
            match change.toolchain().tests_with(Side::After, &[], &alone) {
                // What passes only behind other tests would count as noticed.
                Ok(reports) => suites.push(Suite::new(near, &reports, seconds)),
                Err(Denied::TimedOut(_)) => {}
                Err(why) => return Err(why),
            }
        }
        suites.retain(|near| !near.passing.is_empty());
        suites.push(whole);
        Ok(Runs { change, suites, time_outs: 0 })
    }

    /// Whether any test could notice something.
    pub fn have_tests(&self) -> bool {
        self.suites.iter().any(|suite| !suite.passing.is_empty())
    }

    pub fn fate(&mut self, mutant: &Mutant) -> Fate {
        match self.change.languages(Side::After).problems_of_text(&mutant.path, &mutant.text) {
            Ok(problems) if !problems.is_empty() => return Fate::NotRun("it does not parse".to_owned()),
            // Who cannot tell leaves it to the runner.
            Ok(_) | Err(_) => {}
        }
        let replaced = [Replaced::content(&mutant.path, mutant.text.as_str())];
        let mut fate = Fate::NotRun("there are no tests".to_owned());
        for suite in &self.suites {
            if self.time_outs >= MOST_TIME_OUTS {
                return Fate::NotRun(format!("{MOST_TIME_OUTS} runs did not end in time, and no other was begun"));
            }
            fate = match self.change.toolchain().tests_with(Side::After, &replaced, &suite.selection) {
                Ok(reports) => suite.fate(&reports),
                Err(Denied::TimedOut(_)) => {
                    self.time_outs += 1;
                    Fate::NotRun("its tests did not end in time".to_owned())
                }
                Err(why) => Fate::NotRun(why.reason().to_string()),
            };
            match fate {
                Fate::Survived(_) => {}
                Fate::Killed | Fate::NotRun(_) => return fate,
            }
        }
        fate
    }
}

impl Suite {
    fn new(paths: Vec<String>, reports: &[TestReport], seconds: u32) -> Self {
        let all = || reports.iter().flat_map(|report| report.tests.iter().map(move |test| (report, test)));
        let passing =
            all().filter(|(_, test)| test.outcome == TestOutcome::Passed).map(|(report, test)| key(report, &test.id));
        let fails = all().any(|(_, test)| matches!(test.outcome, TestOutcome::Failed | TestOutcome::Errored));
        // The first test that fails must be one that passes without the edit.
        let selection = Selection { paths, until_failure: !fails, seconds };
        Suite { selection, passing: passing.collect() }
    }

    fn fate(&self, reports: &[TestReport]) -> Fate {
        let mut passed = 0;
        for report in reports {
            for test in &report.tests {
                let is_known = self.passing.contains(&key(report, &test.id));
                match test.outcome {
                    TestOutcome::Failed | TestOutcome::Errored if is_known => return Fate::Killed,
                    TestOutcome::Passed if is_known => passed += 1,
                    TestOutcome::Failed | TestOutcome::Errored | TestOutcome::Passed | TestOutcome::Skipped => {}
                }
            }
        }
        if let Some(why) = reports.iter().find_map(|report| report.not_run.clone()) {
            return Fate::NotRun(why);
        }
        // A file that parses and cannot be loaded breaks what it holds; a package that cannot be built was never run.
        let is_compiled = |report: &TestReport| matches!(report.runner.as_str(), "cargo-test" | "go-test");
        let unloaded = |report: &&TestReport| report.tests.iter().any(|test| test.outcome == TestOutcome::Errored);
        match reports.iter().find(unloaded) {
            Some(report) if is_compiled(report) => {
                return Fate::NotRun("it does not build, or its tests crash".to_owned());
            }
            Some(_) => return Fate::Killed,
            None => {}
        }
        match passed == self.passing.len() && reports.iter().all(|report| report.is_complete) {
            true => Fate::Survived(passed),
            false if reports.iter().any(is_compiled) => {
                Fate::NotRun("it does not build, or its tests do not end".to_owned())
            }
            false => Fate::NotRun("not all tests have a result".to_owned()),
        }
    }
}

fn key(report: &TestReport, id: &str) -> (String, String) {
    (format!("{} {}", report.runner, report.project), id.to_owned())
}
