//! What became of the pins.

/// What a command did to the pins, or would do.
#[derive(Debug, Clone, Default)]
pub struct PinsReport {
    /// `lock`, `add`, `remove`, `update`, `verify`, `vendor` or `publish`.
    pub command: &'static str,
    /// Nothing was to be written.
    pub dry_run: bool,
    /// Something would have been written, and the notices say why not.
    pub held: bool,
    /// Files that were written, from the root of the repository.
    pub written: Vec<String>,
    pub changes: Vec<PinChange>,
    pub backtests: Vec<Backtest>,
    pub notices: Vec<String>,
}

/// One guard.
#[derive(Debug, Clone, Default)]
pub struct PinChange {
    pub id: String,
    /// `added`, `removed`, `updated`, `unchanged`, `verified`, `vendored` or `published`.
    pub action: &'static str,
    pub from: Option<PinSide>,
    pub to: Option<PinSide>,
    /// Bare names of interfaces.
    pub imports_gained: Vec<String>,
    pub imports_lost: Vec<String>,
    pub settings_changed: bool,
    /// Why it is not another version, or why it may not be this one.
    pub notes: Vec<String>,
}

/// A component as it is locked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PinSide {
    pub version: String,
    pub digest: String,
    /// Bytes.
    pub size: u64,
    pub source: String,
    pub signers: Vec<String>,
}

/// Two versions of a guard over changes of the past.
#[derive(Debug, Clone, Default)]
pub struct Backtest {
    pub id: String,
    /// Versions.
    pub from: String,
    pub to: String,
    /// How many were judged.
    pub commits: usize,
    /// Stored rejected attempts that were judged.
    pub rejected: usize,
    /// Newest first.
    pub flips: Vec<Flip>,
}

/// A change that the two judge differently.
#[derive(Debug, Clone)]
pub struct Flip {
    /// `commit 1a2b3c4d5e6f` or `rejected attempt RUN/ROUND`.
    pub what: String,
    /// The first line of its message.
    pub subject: String,
    /// Words as in the JSON of a check.
    pub before: String,
    pub after: String,
    /// What either said, with its version before it. A guard's words: untrusted.
    pub reasons: Vec<String>,
}
