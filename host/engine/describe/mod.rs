//! A guard's description of itself.

pub mod inspect;
pub mod metadata;
pub mod settings;

use serde::{Deserialize, Serialize};

use crate::bindings::types;
use crate::failure::Failure;
use crate::text::escape::{escape_line, is_kebab};
use crate::text::globs::Globs;

/// As in the contract, with its texts escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    pub id: String,
    pub version: String,
    pub mark: String,
    pub promise: String,
    pub stages: Vec<Stage>,
    pub globs: Vec<String>,
    pub needs: Vec<Need>,
    /// JSON Schema, as text.
    pub settings_schema: String,
    pub event: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Patch,
    Content,
    Command,
    Plan,
    Score,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    pub name: String,
    pub why: String,
}

impl Description {
    /// Whether it asks for builds or tests, which take minutes; such a guard is called after the others passed.
    pub fn is_costly(&self) -> bool {
        self.stages.contains(&Stage::Command)
    }

    pub fn judges_changes(&self) -> bool {
        self.stages.iter().any(|stage| *stage != Stage::Plan)
    }
}

/// Checks the contract's rules. Errors: `bad-description`.
impl TryFrom<types::Description> for Description {
    type Error = Failure;

    fn try_from(described: types::Description) -> Result<Self, Failure> {
        let bad = |what: String| Err(Failure::new("bad-description", format!("the guard's description {what}")));
        if !is_kebab(&described.id, 64) {
            return bad(format!(
                "has the id {:?}; kebab-case of 1 to 64 bytes is an id",
                escape_line(&described.id, 100)
            ));
        }
        if described.stages.is_empty() {
            return bad("names no stage".to_string());
        }
        if let Err(what) = Globs::new(&described.globs) {
            return bad(format!("cannot be used: {what}"));
        }
        let need = |need: types::Need| Need { name: escape_line(&need.name, 64), why: escape_line(&need.why, 500) };
        Ok(Description {
            id: described.id,
            version: escape_line(&described.version, 64),
            mark: escape_line(&described.mark, 16),
            promise: escape_line(&described.promise, 500),
            stages: described.stages.into_iter().map(Stage::from).collect(),
            globs: described.globs,
            needs: described.needs.into_iter().map(need).collect(),
            settings_schema: described.settings_schema,
            event: escape_line(&described.event, 128),
        })
    }
}

impl From<types::Stage> for Stage {
    fn from(stage: types::Stage) -> Self {
        match stage {
            types::Stage::Patch => Stage::Patch,
            types::Stage::Content => Stage::Content,
            types::Stage::Command => Stage::Command,
            types::Stage::Plan => Stage::Plan,
            types::Stage::Score => Stage::Score,
        }
    }
}
