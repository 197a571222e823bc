//! What `host doctor` found, and why a command could not do its work.

use guardhost_core::error::{self, Error};

/// One thing that `host doctor` looked at.
#[derive(Debug, Clone)]
pub struct DoctorRow {
    pub name: String,
    pub ok: Health,
    pub detail: String,
    /// What to do about it.
    pub hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    Pass,
    Warn,
    Fail,
}

/// A command that could not do its work.
#[derive(Debug, Clone)]
pub struct FailureReport {
    /// [`error::Kind::name`].
    pub kind: &'static str,
    /// [`error::Fault::code`].
    pub code: Option<&'static str>,
    pub message: String,
    /// From the outside in, without the message itself.
    pub causes: Vec<String>,
    pub hint: Option<String>,
    pub exit_code: u8,
}

impl From<&Error> for FailureReport {
    fn from(error: &Error) -> Self {
        let kind = error::kind(error);
        FailureReport {
            kind: kind.name(),
            code: error::fault(error).and_then(|fault| fault.code),
            message: error.to_string(),
            causes: error.chain().skip(1).map(ToString::to_string).collect(),
            hint: error::fault(error).and_then(|fault| fault.hint.clone()),
            exit_code: kind.exit_code(),
        }
    }
}

impl Health {
    pub fn word(self) -> &'static str {
        match self {
            Health::Pass => "pass",
            Health::Warn => "warn",
            Health::Fail => "fail",
        }
    }
}
