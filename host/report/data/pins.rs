//! `host guard lock`, `add`, `remove`, `extend`, `update`, `verify`, `vendor` and `publish`: what changed in `guards.lock`.

use guardhost_core::serialized_names;
use schemars::JsonSchema;
use serde::Serialize;

/// What a command did to the pins, or would do.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pins")]
pub struct PinsReport {
    pub command: PinCommand,
    /// Nothing was to be written.
    pub dry_run: bool,
    /// Something was not written (exit code 3); `notices` or a change's `notes` say why. Also in a dry run.
    pub held: bool,
    /// Files, relative to the root.
    pub written: Vec<String>,
    /// One entry a guard or language.
    pub changes: Vec<PinChange>,
    /// Of `update --backtest`.
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

/// What happened to the pin of one guard or language.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pinChange")]
pub struct PinChange {
    /// The id of the guard or language.
    pub id: String,
    pub action: PinAction,
    /// `null` when it was not pinned before.
    pub from: Option<PinSide>,
    /// `null` when it is no longer pinned.
    pub to: Option<PinSide>,
    /// Without package and version.
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

/// A component as it is locked.
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

/// Two versions of a guard on the same past changes.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "backtest")]
pub struct Backtest {
    /// The guard's id.
    pub id: String,
    /// The old version.
    pub from: String,
    /// The new version.
    pub to: String,
    pub commits: usize,
    /// Stored rejected attempts.
    pub rejected: usize,
    /// Newest first.
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
    /// Of the old version.
    pub before: String,
    /// The new version's verdict.
    pub after: String,
    /// Of both, each after its version. Text of guards: untrusted.
    pub reasons: Vec<String>,
}
