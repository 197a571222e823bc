//! Inspects a language before it is pinned: it is loaded, and only asked what it reads.

use crate::describe::identity::Identity;
use crate::embedded::{EmbeddedReader, LanguageClaim};
use crate::failure::GuardFailure;
use crate::load::component_interface::language_version;
use crate::load::runner::Runner;
use crate::set::EngineContext;
use guardhost_core::component::Component;

/// What a language says of itself.
#[derive(Debug, Clone)]
pub struct LanguageInspection {
    pub version: String,
    pub identity: Identity,
    pub claims: Vec<LanguageClaim>,
}

/// Compiles it if the cache lacks it. Errors: it is no language, does not say its version, or cannot be loaded.
pub fn inspect_language(component: &Component, machine: &EngineContext) -> Result<LanguageInspection, GuardFailure> {
    let runner = Runner::new()?;
    let (_, claims) = machine.loader(&runner).language(component, None)?;
    let version = language_version(component.bytes())?;
    Ok(LanguageInspection { version, identity: Identity::new(component)?, claims })
}

/// Inspects an embedded language.
///
/// # Errors
/// Never, unless the build is wrong.
pub fn inspect_embedded_language(reader: &EmbeddedReader) -> Result<LanguageInspection, GuardFailure> {
    let version = language_version(reader.skeleton)?;
    let identity = Identity::from_skeleton(reader.skeleton, reader.digest, reader.size)?;
    Ok(LanguageInspection { version, identity, claims: reader.claims.to_vec() })
}

impl LanguageInspection {
    /// In words: `toy (.toy)`.
    pub fn reads(&self) -> String {
        self.claims.iter().map(|claim| format!("{} ({})", claim.language, claim.files())).collect::<Vec<_>>().join(", ")
    }
}

impl LanguageClaim {
    /// Its files, in words: `.py, .pyi`.
    pub fn files(&self) -> String {
        let endings = self.endings.iter().map(|ending| format!(".{ending}"));
        let programs = self.interpreters.iter().map(|program| format!("#!{program}"));
        endings.chain(self.names.iter().map(ToString::to_string)).chain(programs).collect::<Vec<_>>().join(", ")
    }
}
