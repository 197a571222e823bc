//! The output of a process that ended by itself, and the failure in it when it holds no answer.

use std::process::ExitStatus;

use guardhost_os::signal_of;

use crate::{FailureClass, ProviderFailure, error_patterns};

pub(super) struct ProcessOutput {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    /// Its last part only.
    pub(super) stderr: Vec<u8>,
}

impl ProcessOutput {
    /// An error unless the process ended by itself with exit code 0.
    pub(super) fn check_exit(&self) -> Result<(), ProviderFailure> {
        if self.status.success() { Ok(()) } else { Err(self.failure(None, "")) }
    }

    /// Why there is no answer, when the structure of the output says no more than `class` and `what`.
    pub(super) fn failure(&self, class: Option<FailureClass>, what: &str) -> ProviderFailure {
        let exit = match (signal_of(self.status), self.status.code()) {
            (Some(signal), _) => {
                return ProviderFailure::new(
                    FailureClass::Crashed,
                    format!("killed by signal {signal}{}", self.excerpt()),
                );
            }
            (None, Some(0)) => String::new(),
            (None, code) => format!("exit code {}", code.unwrap_or_default()),
        };
        let default = match (self.status.success(), self.stdout.trim_ascii().is_empty()) {
            (true, true) => FailureClass::Empty,
            (true, false) => FailureClass::ProtocolError,
            (false, _) => FailureClass::Crashed,
        };
        let parts = [what, &exit].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        error_patterns::classify(class, &format!("{parts}{}", self.excerpt()), default)
    }

    /// `: ` and the end of stderr, or the beginning of stdout when stderr is empty. Cut between words, because half a secret would not
    /// be recognized and redacted.
    fn excerpt(&self) -> String {
        const MAX: usize = 600;
        let (stderr, stdout) = (self.stderr.trim_ascii(), self.stdout.trim_ascii());
        let space = |byte: &u8| byte.is_ascii_whitespace();
        let words = match (stderr.len(), stdout.len()) {
            (0, 0) => return String::new(),
            (0, ..=MAX) => stdout,
            (0, _) => &stdout[..stdout[..MAX].iter().rposition(space).unwrap_or(0)],
            (..=MAX, _) => stderr,
            (length, _) => {
                let end = &stderr[length - MAX..];
                &end[end.iter().position(space).unwrap_or(MAX)..]
            }
        };
        format!(": {}", String::from_utf8_lossy(words))
    }
}
