//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("test-skipped", "a test that ran is skipped now, whatever the platform: by a mark on it, on its class, group, module or file, or by a call in its body. A new test that is skipped is a warning"),
    Rule::new("test-may-fail", "a test that had to pass may fail now: `xfail`, `expectedFailure`, `it.fails`, `it.failing`. A new test that may fail is a warning"),
    Rule::new("test-emptied", "a test that had a body has only its title now: `it.todo(\"…\")`, `it(\"…\")`"),
    Rule::new("test-cut-short", "a test that ran to its end returns before its last statements now"),
    Rule::new("tests-focused", "`.only`, `fit` or `fdescribe` comes in, so that the other tests of the file do not run"),
    Rule::new("assertion-weakened", "a test that compared a value only asks now whether there is one: `assertEqual` became `assertIsNotNone`, `toEqual` became `toBeTruthy`, `assert x == 1` became `assert x`; or it compares the value with itself, or takes any error where it expected one kind; or a failure of Go's tests is only written down: `t.Fatalf` became `t.Logf`"),
    Rule::new("test-says-nothing", "all that a new test asserts is true whatever the code does: `assert True`, `expect(x).toBe(x)`, `assert_eq!(1, 1)`. A warning where it also calls something, which may fail"),
    Rule::new("assertion-caught", "a test catches its own failed assertions and goes on: `try: assert … except AssertionError: pass`"),
    Rule::new("tolerance-raised", "a test lets two numbers lie farther apart: `places=7` became `places=1`, `abs=1e-6` became `abs=0.1`, `toBeCloseTo(x, 5)` became `toBeCloseTo(x, 1)`"),
    Rule::new("mock-asserted", "a test asserts that a mock gives what the test told it to give"),
    Rule::new("parameters-lost", "a test has half of its cases or fewer, and they stand nowhere else: `parametrize`, `it.each`, `#[case]`, `@ValueSource`, `[InlineData]`"),
    Rule::new("assertion-not-made", "an assertion stands there and is never made: `assert (x, \"…\")`, `expect(x).toBeTruthy;`, `assert mock.called_once_with(…)`, `expect(…).rejects` that nobody waits for"),
    Rule::new("no-cases", "a test is given an empty list of cases: `parametrize(\"x\", [])`, `it.each([])`, `tests := []struct{ … }{}`"),
    Rule::new("failure-elsewhere", "a test of Go calls `t.Fatal` in a goroutine of its own, which ends that and not the test"),
    Rule::new("not-judged", "info: a file was not judged, because it does not parse or the change is larger than one call can read"),
];
