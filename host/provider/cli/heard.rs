//! What is left of a process that ended by itself, and what it tells when it holds no answer.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use crate::{FailureClass, ProviderFailure, signs};

pub(super) struct Heard {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    /// The end of it.
    pub(super) stderr: Vec<u8>,
}

impl Heard {
    /// Ended by itself, with exit code 0.
    pub(super) fn exited_well(&self) -> Result<(), ProviderFailure> {
        if self.status.success() { Ok(()) } else { Err(self.failure(None, "")) }
    }

    /// Why there is no answer, when the output's structure tells no more than `class` and `what`.
    pub(super) fn failure(&self, class: Option<FailureClass>, what: &str) -> ProviderFailure {
        let how = match (self.status.signal(), self.status.code()) {
            (Some(signal), _) => {
                return ProviderFailure::new(
                    FailureClass::Crashed,
                    format!("was ended by signal {signal}{}", self.last_words()),
                );
            }
            (None, Some(0)) => String::new(),
            (None, code) => format!("exit code {}", code.unwrap_or_default()),
        };
        let otherwise = match (self.status.success(), self.stdout.trim_ascii().is_empty()) {
            (true, true) => FailureClass::Empty,
            (true, false) => FailureClass::ProtocolError,
            (false, _) => FailureClass::Crashed,
        };
        let parts = [what, &how].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        signs::failure(class, &format!("{parts}{}", self.last_words()), otherwise)
    }

    /// `: ` and the end of stderr, or the beginning of stdout when there is none. Cut between words, because half a secret
    /// would not be known as one.
    fn last_words(&self) -> String {
        const SOME: usize = 600;
        let (stderr, stdout) = (self.stderr.trim_ascii(), self.stdout.trim_ascii());
        let space = |byte: &u8| byte.is_ascii_whitespace();
        let words = match (stderr.len(), stdout.len()) {
            (0, 0) => return String::new(),
            (0, ..=SOME) => stdout,
            (0, _) => &stdout[..stdout[..SOME].iter().rposition(space).unwrap_or(0)],
            (..=SOME, _) => stderr,
            (length, _) => {
                let end = &stderr[length - SOME..];
                &end[end.iter().position(space).unwrap_or(SOME)..]
            }
        };
        format!(": {}", String::from_utf8_lossy(words))
    }
}
