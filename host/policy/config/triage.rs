//! `[triage]`: which changes may be merged without a person.

use guardhost_report::TriageClass;
use serde::Deserialize;

/// The default approves nothing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TriageRules {
    /// Classes of changes that need no person, if every file of a change is proved to be of one of them.
    pub without_person: Vec<TriageClass>,
}
