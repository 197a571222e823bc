//! `host doctor`: whether the environment is fit to run.

use guardhost_core::{serialized_names, written_as};
use schemars::JsonSchema;
use serde::Serialize;

/// What `host doctor` and the commands for providers found.
#[derive(Debug, Clone, Default)]
pub struct DoctorReport {
    pub checks: Vec<DoctorRow>,
}

impl DoctorReport {
    /// No check failed.
    pub fn is_ok(&self) -> bool {
        !self.checks.iter().any(|row| row.ok.is_failure())
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(remote = "DoctorReport")]
#[schemars(rename = "doctor")]
struct DoctorKeys {
    #[serde(getter = "DoctorReport::is_ok")]
    ok: bool,
    checks: Vec<DoctorRow>,
}

written_as!(DoctorReport, DoctorKeys);

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "doctorRow")]
pub struct DoctorRow {
    pub name: String,
    pub ok: Health,
    pub detail: String,
    pub hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "health")]
pub enum Health {
    Pass,
    /// The command succeeds.
    Warn,
    Fail,
}

serialized_names!(Health);

impl Health {
    pub fn is_failure(self) -> bool {
        match self {
            Health::Fail => true,
            Health::Pass | Health::Warn => false,
        }
    }
}
