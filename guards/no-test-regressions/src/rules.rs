//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("test-fails", "a test that passed on the base fails or errors"),
    Rule::new("test-lost", "a test that passed is gone, and the task does not ask for that. Without a task this is a warning where a person's message speaks of it, and where the test does not run on the new code any more, since what it calls went too"),
    Rule::new("test-skipped", "a test that passed is skipped, and the task does not ask for that. Without a task this is a warning where a person's message speaks of it"),
    Rule::new("test-replaced", "warning: a test is gone, and the change adds as many new ones"),
    Rule::new("test-rewritten", "a rewritten test passes, and the base's version of it fails or does not run on the new code"),
    Rule::new("suite-broken", "a file, a package or the whole suite no longer runs, or its results contradict one another"),
    Rule::new("not-run", "info: beside other findings: a suite, or the tests behind the nearest ones, were not run; the message says why"),
    Rule::new("more", "there are findings about more than a hundred tests; the message says how many"),
];
