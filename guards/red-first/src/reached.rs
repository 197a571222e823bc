//! Tests that a change changes without touching a line of them: by the helpers, tables and data that they use, or by a class of tests
//! that theirs inherits.
//!
//! One that fails on the base's code with the tests and data of the change, and neither with the base's own nor on the candidate, was
//! changed by these, and is red first. Of one that passes there nothing is known: it counts as untouched.

use std::collections::BTreeSet;

use guard_sdk::{TestOutcome, TestReport};

use crate::fresh::Fresh;
use crate::proof::{Proof, Proofs};

/// Whether they are asked, which takes the whole suite: where no test whose own lines are touched was red first, or may have been.
pub fn are_asked(proofs: &Proofs) -> bool {
    proofs.count(Proof::RED_FIRST) + proofs.count(Proof::NOT_KNOWN) == 0
}

/// Those that pass on the candidate, and do not fail on the base with its own tests.
pub fn tests<'r>(base: &[TestReport], after: &'r [TestReport], fresh: &[Fresh]) -> Vec<Fresh<'r>> {
    let mut reached = Vec::new();
    for report in after {
        let is_same = |other: &TestReport| (&other.runner, &other.project) == (&report.runner, &report.project);
        let own = fresh.iter().filter(|fresh| is_same(fresh.report)).map(|fresh| fresh.test.id.as_str());
        let failing = base.iter().filter(|before| is_same(before)).flat_map(|before| &before.tests);
        let failing = failing.filter(|test| matches!(test.outcome, TestOutcome::Failed | TestOutcome::Errored));
        let others: BTreeSet<&str> = own.chain(failing.map(|test| test.id.as_str())).collect();
        let passing = report.tests.iter().filter(|test| test.outcome == TestOutcome::Passed);
        let passing = passing.filter(|test| !others.contains(test.id.as_str()));
        reached.extend(passing.map(|test| Fresh { report, test, written: None }));
    }
    reached
}
