//! What a runner says by its exit code, beside its report.

use crate::report::Test;

/// The exit codes of a run that told of every test.
pub struct ExitCodes {
    pub passed: &'static [u8],
    /// At least one test failed.
    pub failed: &'static [u8],
}

/// 1 when a test failed.
pub const USUAL: ExitCodes = ExitCodes { passed: &[0], failed: &[1] };

impl ExitCodes {
    /// Whether the exit code and the report say the same. They are written by different processes, or at different times, so that a
    /// report that was forged or cut off seldom agrees.
    pub fn agree(&self, code: u8, tests: &[Test]) -> Result<(), String> {
        let failures = tests.iter().filter(|test| test.outcome.is_failure()).count();
        match (self.passed.contains(&code), self.failed.contains(&code)) {
            (true, _) if failures == 0 => Ok(()),
            (_, true) if failures > 0 => Ok(()),
            (true, _) => Err(format!(
                "the test runner ended with exit code {code}, which means that all tests passed, and reported {failures} that did not"
            )),
            (_, true) => Err(format!(
                "the test runner ended with exit code {code}, which means that a test failed, and reported none that did"
            )),
            (false, false) => Err(format!("the test runner ended with exit code {code}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::TestOutcome;

    #[test]
    fn a_contradiction_is_an_error() {
        let tests = |outcome| vec![Test::new("a", TestOutcome::Passed), Test::new("b", outcome)];
        let (good, bad) = (tests(TestOutcome::Skipped), tests(TestOutcome::Errored));
        let agree = |code, tests: &[Test]| USUAL.agree(code, tests).is_ok();
        assert!(agree(0, &good) && agree(1, &bad) && agree(0, &[]));
        assert!(!agree(0, &bad) && !agree(1, &good) && !agree(2, &bad) && !agree(137, &good));
    }
}
