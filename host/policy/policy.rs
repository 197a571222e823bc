//! What judges a change.

use std::sync::Arc;

use crate::config::{Config, Unjudged};
use guardhost_core::change::RulingMemory;
use guardhost_engine::GuardSet;
use guardhost_patch::sanitize;

/// The rules of the base commit, and the guard set that they name.
pub struct Policy {
    pub config: Config,
    pub guards: GuardSet,
    pub rules: sanitize::Rules,
    /// The guards that a person asked for by their names.
    pub asked: Vec<String>,
    /// What happens to a change that no enforced guard judged; None decides by what the judgement is for.
    pub unjudged: Option<Unjudged>,
    /// About the origin of the rules and the cache of components, for the report.
    pub notices: Vec<String>,
    /// Where rulings are remembered; None where they are not.
    pub memory: Option<Arc<dyn RulingMemory>>,
}
