//! `host guard lock`, `add`, `remove`, `extend`, `update`, `verify`, `vendor` and `publish`: what changed in `guards.lock`.

use guardhost_core::serialized_names;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pins")]
pub struct PinsReport {
    pub command: PinCommand,
    pub dry_run: bool,
    /// Something was not written (exit code 3): `notices` or `notes` say why.
    pub held: bool,
    pub written: Vec<String>,
    /// One a guard or language.
    pub changes: Vec<PinChange>,
    pub backtests: Vec<Backtest>,
    pub notices: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "pinCommand")]
pub enum PinCommand {
    Lock,
    Add,
    Remove,
    Extend,
    Update,
    Verify,
    Vendor,
    Publish,
}

impl PinsReport {
    /// Nothing written, nothing changed.
    pub fn new(command: PinCommand) -> Self {
        PinsReport {
            command,
            dry_run: false,
            held: false,
            written: Vec::new(),
            changes: Vec::new(),
            backtests: Vec::new(),
            notices: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pinChange")]
pub struct PinChange {
    /// Guard or language.
    pub id: String,
    pub action: PinAction,
    pub from: Option<PinSide>,
    pub to: Option<PinSide>,
    pub imports_gained: Vec<String>,
    pub imports_lost: Vec<String>,
    pub settings_changed: bool,
    /// Of a language: `toy (.toy)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<String>,
    /// Why an older version stays.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "pinAction")]
pub enum PinAction {
    Added,
    Removed,
    Updated,
    Unchanged,
    Verified,
    Vendored,
    Published,
}

serialized_names!(PinAction);

impl PinChange {
    /// No sides, no differences.
    pub fn new(id: impl Into<String>, action: PinAction) -> Self {
        PinChange {
            id: id.into(),
            action,
            from: None,
            to: None,
            imports_gained: Vec::new(),
            imports_lost: Vec::new(),
            settings_changed: false,
            reads: None,
            notes: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "pinSide")]
pub struct PinSide {
    pub version: String,
    pub digest: String,
    /// Bytes.
    pub size: u64,
    pub source: String,
    pub signers: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtest")]
pub struct Backtest {
    pub id: String,
    pub from: String,
    pub to: String,
    pub commits: usize,
    /// Rejected attempts.
    pub rejected: usize,
    pub flips: Vec<Flip>,
}

/// A change on which the two versions disagree.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "flip")]
pub struct Flip {
    /// `commit 1a2b3c4d5e6f` or `rejected attempt RUN/ROUND`.
    pub what: String,
    /// The message's first line.
    pub subject: String,
    /// The old verdict.
    pub before: String,
    /// The new one.
    pub after: String,
    /// Of both. Text of guards: untrusted.
    pub reasons: Vec<String>,
}
