//! What follows a failed build.

/// Runs of `fix-ci` for one pull request.
pub const MAX_FIXES: u32 = 2;

/// What was tried for one pull request.
#[derive(Debug, Clone, Default)]
pub struct Attempts {
    /// The failed jobs were started again.
    pub reran: bool,
    /// Changes that were asked for.
    pub fixes: u32,
    /// Signatures of the failures for which a change was requested.
    signatures: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// Start the failed jobs again: it may have been chance.
    Rerun,
    /// Ask for a change.
    Fix,
    Stop(StopReason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The same builds fail on the base: the pull request did not break them.
    BaseIsRed,
    /// A change was asked for because of this very failure, and it is still there.
    SameFailure,
    /// The limit on requested changes is reached.
    Enough,
    /// No log says what failed: the build was cancelled, or is of another service.
    NoLog,
}

impl StopReason {
    pub fn text(self) -> &'static str {
        match self {
            StopReason::BaseIsRed => "the same builds fail on the base, so the pull request did not break them",
            StopReason::SameFailure => "the failure is the one that a change was already asked for",
            StopReason::Enough => "no further change is asked for",
            StopReason::NoLog => "no log says what failed",
        }
    }
}

/// A failed build.
#[derive(Debug, Clone, Copy)]
pub struct FailedBuild<'a> {
    pub base_is_red: bool,
    /// Its jobs can be started again.
    pub can_rerun: bool,
    /// None without a log.
    pub signature: Option<&'a str>,
}

impl Attempts {
    /// What follows; it is counted as done. `allowed` is at most [`MAX_FIXES`].
    pub fn next(&mut self, failed: FailedBuild<'_>, allowed: u32) -> NextStep {
        if failed.base_is_red {
            return NextStep::Stop(StopReason::BaseIsRed);
        }
        if failed.can_rerun && !self.reran {
            self.reran = true;
            return NextStep::Rerun;
        }
        let Some(signature) = failed.signature else { return NextStep::Stop(StopReason::NoLog) };
        if self.signatures.iter().any(|known| known == signature) {
            return NextStep::Stop(StopReason::SameFailure);
        }
        if self.fixes >= allowed.min(MAX_FIXES) {
            return NextStep::Stop(StopReason::Enough);
        }
        self.fixes += 1;
        self.signatures.push(signature.to_owned());
        NextStep::Fix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_more_than_two_changes_and_never_two_for_one_failure() {
        let failed = |signature| FailedBuild { base_is_red: false, can_rerun: true, signature: Some(signature) };
        let mut attempts = Attempts::default();
        assert_eq!(attempts.next(failed("a"), 9), NextStep::Rerun);
        assert_eq!(attempts.next(failed("a"), 9), NextStep::Fix);
        assert_eq!(attempts.clone().next(failed("a"), 9), NextStep::Stop(StopReason::SameFailure));
        assert_eq!(attempts.next(failed("b"), 9), NextStep::Fix);
        assert_eq!(attempts.next(failed("c"), 9), NextStep::Stop(StopReason::Enough));
        assert_eq!(
            Attempts { reran: true, ..Attempts::default() }.next(failed("a"), 0),
            NextStep::Stop(StopReason::Enough)
        );
        let red = FailedBuild { base_is_red: true, ..failed("a") };
        assert_eq!(Attempts::default().next(red, 2), NextStep::Stop(StopReason::BaseIsRed));
        let silent = FailedBuild { can_rerun: false, signature: None, ..failed("a") };
        assert_eq!(Attempts::default().next(silent, 2), NextStep::Stop(StopReason::NoLog));
    }
}
