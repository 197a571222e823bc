//! An error that ended a command, with its cause and a hint.

use guardhost_core::error::{self, Error};
use guardhost_core::machine::{HINT, MACHINE, is_machine_lack};

#[derive(Debug, Clone)]
pub struct FailureReport {
    /// [`error::Kind::name`].
    pub kind: &'static str,
    /// [`error::Fault::code`].
    pub code: Option<&'static str>,
    pub message: String,
    /// Outermost first, without the message itself.
    pub causes: Vec<String>,
    /// What to do about it.
    pub hint: Option<String>,
    pub exit_code: u8,
}

impl From<&Error> for FailureReport {
    fn from(error: &Error) -> Self {
        let kind = error::kind(error);
        let lack = is_machine_lack(error);
        FailureReport {
            kind: kind.name(),
            code: match lack {
                true => Some(MACHINE),
                false => error::fault(error).and_then(|fault| fault.code),
            },
            message: error.to_string(),
            causes: error.chain().skip(1).map(ToString::to_string).collect(),
            hint: match lack {
                true => Some(HINT.to_owned()),
                false => error::fault(error).and_then(|fault| fault.hint.clone()),
            },
            exit_code: kind.exit_code(),
        }
    }
}
