//! `host doctor`: whether the environment is fit to run.

/// One check of `host doctor`.
#[derive(Debug, Clone)]
pub struct DoctorRow {
    pub name: String,
    pub ok: Health,
    /// What was found.
    pub detail: String,
    /// What to do about it.
    pub hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    Pass,
    /// Worth knowing; the command succeeds.
    Warn,
    /// The command fails.
    Fail,
}

impl Health {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Health::Pass => "pass",
            Health::Warn => "warn",
            Health::Fail => "fail",
        }
    }

    pub fn is_failure(self) -> bool {
        match self {
            Health::Fail => true,
            Health::Pass | Health::Warn => false,
        }
    }
}
