//! The languages of a guard set: those that `[[language]]` pins, and behind them the embedded ones that none of these replaces.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::claims::checked;
use super::{CachedReadings, ReaderClaims, ReaderComponent, TextReader, TextReaders};
use crate::describe::identity::Identity;
use crate::embedded::{EmbeddedReader, LanguageClaim};
use crate::failure::GuardFailure;
use crate::load::Loader;
use crate::load::component_interface::language_version;
use guardhost_core::component::Component;

/// A pinned language.
#[derive(Debug, Clone)]
pub struct LanguageSpec {
    pub id: String,
    pub source: LanguageSource,
    /// `sha256:…` of the component, as pinned.
    pub expected_digest: Option<String>,
}

/// Where a language's component comes from.
#[derive(Debug, Clone)]
pub enum LanguageSource {
    /// Embedded in the binary, under the language's id.
    Builtin(&'static EmbeddedReader),
    /// `origin` names where the bytes were read, for messages.
    Bytes { bytes: Component, origin: String },
}

/// Nothing of a pinned component is compiled or run before [`Languages::load`], so that it can be compared with its lock.
pub struct Languages {
    all: Vec<LanguageSpec>,
    loaded: OnceLock<Result<Arc<TextReaders>, GuardFailure>>,
}

impl Languages {
    /// The pinned ones, in order, and the embedded ones that none of them replaces.
    pub fn new(pinned: Vec<LanguageSpec>, embedded: &'static [EmbeddedReader]) -> Self {
        let is_pinned = |name: &str| pinned.iter().any(|spec| spec.id == name);
        let rest = embedded.iter().filter(|reader| !is_pinned(reader.name)).map(|reader| LanguageSpec {
            id: reader.name.to_owned(),
            source: LanguageSource::Builtin(reader),
            expected_digest: None,
        });
        let rest: Vec<_> = rest.collect();
        Languages { all: [pinned, rest].concat(), loaded: OnceLock::new() }
    }

    pub fn all(&self) -> &[LanguageSpec] {
        &self.all
    }

    pub fn get(&self, id: &str) -> Option<&LanguageSpec> {
        self.all.iter().find(|spec| spec.id == id)
    }

    /// Compiles what the cache lacks, and asks what each claims, once. `folder` holds answers between runs.
    ///
    /// # Errors
    /// A pinned component is not the expected one, or not a language.
    pub fn load<'a>(
        &self,
        loader: impl Fn() -> Result<Loader<'a>, GuardFailure>,
        folder: Option<&PathBuf>,
    ) -> Result<Arc<TextReaders>, GuardFailure> {
        let reader = |spec: &LanguageSpec| match &spec.source {
            LanguageSource::Builtin(reader) => Ok(TextReader::embedded(reader, folder.cloned())),
            LanguageSource::Bytes { bytes, .. } => spec.pinned(bytes, &loader()?, folder.cloned()),
        };
        let load =
            || Ok(Arc::new(TextReaders::from_components(self.all.iter().map(reader).collect::<Result<_, _>>()?)));
        self.loaded.get_or_init(load).clone()
    }
}

impl LanguageSpec {
    /// Of the bytes that will run.
    pub fn digest(&self) -> &str {
        match &self.source {
            LanguageSource::Builtin(reader) => reader.digest,
            LanguageSource::Bytes { bytes, .. } => bytes.digest(),
        }
    }

    /// Loads and compiles nothing.
    pub fn identity(&self) -> Result<Identity, GuardFailure> {
        match &self.source {
            LanguageSource::Builtin(reader) => Identity::from_skeleton(reader.skeleton, reader.digest, reader.size),
            LanguageSource::Bytes { bytes, .. } => Identity::new(bytes),
        }
    }

    /// That it gives itself.
    ///
    /// # Errors
    /// `no-version`: it says none.
    pub fn version(&self) -> Result<String, GuardFailure> {
        language_version(match &self.source {
            LanguageSource::Builtin(reader) => reader.skeleton,
            LanguageSource::Bytes { bytes, .. } => bytes.bytes(),
        })
    }

    /// None when it is embedded.
    pub fn component(&self) -> Option<&Component> {
        match &self.source {
            LanguageSource::Builtin(_) => None,
            LanguageSource::Bytes { bytes, .. } => Some(bytes),
        }
    }

    fn pinned(&self, bytes: &Component, loader: &Loader, folder: Option<PathBuf>) -> Result<TextReader, GuardFailure> {
        let named = |failure: GuardFailure| GuardFailure {
            message: format!("the language `{}`: {}", self.id, failure.message),
            ..failure
        };
        let (component, claims) = loader.language(bytes, self.expected_digest.as_deref()).map_err(named)?;
        Ok(TextReader {
            name: self.id.clone(),
            digest: bytes.digest().to_owned(),
            claims: ReaderClaims::Owned(claims),
            component,
            kept: CachedReadings::new(folder, bytes.digest()),
        })
    }
}

impl Loader<'_> {
    /// A language component, with what it claims. Errors: it is another than expected, it is none, it does not compile, or it fails.
    pub fn language(
        &self,
        component: &Component,
        expected: Option<&str>,
    ) -> Result<(ReaderComponent, Vec<LanguageClaim>), GuardFailure> {
        let code = self.language_code(component, expected)?;
        let (reader, claims) = ReaderComponent::pinned(&code, self.stop)?;
        Ok((reader, checked(claims)?))
    }
}
