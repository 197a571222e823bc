//! Errors that a user can act on: a kind (which decides the exit code), what failed, the cause, and a hint.
//!
//! They are passed as `anyhow::Error`: a [`Fault`] in the chain gives the kind and the hint, the rest of the
//! chain is the cause. A refused patch, a misfit or a rejection is not an error: see the module `change`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use anyhow::{Context, Error, Result};

use crate::machine::is_machine_lack;
use crate::setting::{Frame, SettingPath};
use crate::written::serialized_name;

/// See [exit codes](#exit-codes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "errorKind")]
pub enum FaultKind {
    Usage = 2,
    Config = 3,
    GuardLoad = 4,
    GuardRun = 5,
    Provider = 6,
    Git = 7,
    #[serde(rename = "nothing-to-check")]
    Nothing = 8,
    Interrupted = 130,
}

impl FaultKind {
    pub const ALL: [FaultKind; 8] = [
        FaultKind::Usage,
        FaultKind::Config,
        FaultKind::GuardLoad,
        FaultKind::GuardRun,
        FaultKind::Provider,
        FaultKind::Git,
        FaultKind::Nothing,
        FaultKind::Interrupted,
    ];

    pub fn exit_code(self) -> u8 {
        self as u8
    }

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        serialized_name(&self)
    }
}

/// One error, with its kind and what to do next.
#[derive(Debug, Clone)]
pub struct Fault {
    pub kind: FaultKind,
    pub what: String,
    pub hint: Option<String>,
    /// A stable name, for programs that tell errors of one kind apart.
    pub code: Option<&'static str>,
    /// The entry of `guards.toml` that is wrong.
    pub setting: Option<Box<SettingPath>>,
    /// Where that is, once the file was searched for it.
    pub frame: Option<Box<Frame>>,
    /// In the same file.
    pub others: Vec<Fault>,
}

impl Fault {
    pub fn new(kind: FaultKind, what: impl fmt::Display) -> Self {
        Fault { kind, what: what.to_string(), hint: None, code: None, setting: None, frame: None, others: Vec::new() }
    }

    /// What the user can do about it: a command, a setting, a place to look.
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    pub fn code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }

    pub fn setting(mut self, setting: SettingPath) -> Self {
        self.setting = Some(Box::new(setting));
        self
    }

    /// The first of them with the others; None when there is none.
    pub fn all(faults: impl IntoIterator<Item = Fault>) -> Option<Fault> {
        let mut faults = faults.into_iter();
        let mut first = faults.next()?;
        first.others.extend(faults);
        Some(first)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}

/// The first [`Fault`] of the chain, from the outside in.
pub fn fault(error: &Error) -> Option<&Fault> {
    // `anyhow` keeps a context value apart from the chain's sources, so ask it first.
    error.downcast_ref::<Fault>().or_else(|| error.chain().find_map(|cause| cause.downcast_ref::<Fault>()))
}

/// The kind of an error. One without a [`Fault`] comes from the repository or the disk, and so does every one that has this machine's
/// lack as its cause.
pub fn kind(error: &Error) -> FaultKind {
    match fault(error) {
        Some(fault) if !is_machine_lack(error) => fault.kind,
        _ => FaultKind::Git,
    }
}
