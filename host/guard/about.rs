//! What is known of a guard without judging anything.

use super::description::Description;
use super::failure::Failure;
use super::set::GuardSet;
use super::surface;

/// For listings and diagnoses.
#[derive(Debug, Clone)]
pub struct About<'a> {
    pub description: &'a Description,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: usize,
    /// Bare names of the interfaces that the component imports, those that every guard gets included.
    pub imports: Vec<String>,
}

impl GuardSet {
    /// Loads the guard if nobody did. None when no guard has this id.
    pub fn about(&self, id: &str) -> Option<Result<About<'_>, Failure>> {
        let guard = self.guards.iter().find(|guard| guard.spec.id == id)?;
        let about = || {
            guard.load(self)?;
            let component = guard.component();
            let imports = surface::interfaces(component)?;
            Ok(About { description: guard.description(self)?, digest: guard.digest(), size: component.len(), imports })
        };
        Some(about())
    }
}
