//! An error that ended a command, with its cause and a hint.

use guardhost_core::error::{self, Error, Fault};
use guardhost_core::machine::{HINT, MACHINE, is_machine_lack};
use guardhost_core::setting::Frame;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "error")]
pub struct FailureReport {
    /// See [exit codes](#exit-codes).
    #[schemars(with = "error::FaultKind")]
    pub kind: &'static str,
    /// See [codes](#codes-of-errors).
    pub code: Option<&'static str>,
    pub message: String,
    /// Outermost first.
    pub causes: Vec<String>,
    pub hint: Option<String>,
    /// Of `guards.toml`.
    pub frame: Option<Frame>,
    /// Further mistakes in the file.
    pub others: Vec<Mistake>,
    pub exit_code: u8,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "mistake")]
pub struct Mistake {
    pub message: String,
    pub hint: Option<String>,
    pub frame: Option<Frame>,
}

impl From<&Fault> for Mistake {
    fn from(fault: &Fault) -> Self {
        Mistake { message: fault.what.clone(), hint: fault.hint.clone(), frame: fault.frame.as_deref().cloned() }
    }
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
            frame: error::fault(error).and_then(|fault| fault.frame.as_deref().cloned()),
            others: error::fault(error).into_iter().flat_map(|fault| &fault.others).map(Mistake::from).collect(),
            exit_code: kind.exit_code(),
        }
    }
}
