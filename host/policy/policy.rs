//! What judges a change.

use std::sync::Arc;

use crate::config::{Config, DisclosureTrailers, Unjudged};
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
    pub disclosure: Disclosure,
    /// About the origin of the rules and the cache of components, for the report.
    pub notices: Vec<String>,
    /// Stores rulings; None if the repository stores none.
    pub memory: Option<Arc<dyn RulingMemory>>,
}

/// Which commits have to say that a model made them, and how.
#[derive(Debug, Clone, Default)]
pub struct Disclosure {
    /// Empty where none has to.
    pub trailers: DisclosureTrailers,
    /// Not only those that leave an agent's traces: an agent's shell makes them.
    pub of_every_commit: bool,
}
