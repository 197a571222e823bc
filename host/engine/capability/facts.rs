//! `guardhost:facts`: what the manifests of a tree declare.

use std::sync::Arc;

use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::guardhost::facts::facts::{Dependency, Host, HostManifest, Language, Side};
use crate::call::store_data::StoreData;
use crate::facts;
use crate::handles::ManifestHandle;
use crate::judge::change_view::{self, ChangeView};
use crate::reuse::reads::RepeatableQuestion;

/// Bytes that one record costs, about.
const RECORD: u64 = 64;

impl Host for StoreData {
    fn manifests(&mut self, side: Side) -> Result<Vec<Resource<ManifestHandle>>> {
        let change = self.record_question(RepeatableQuestion::Manifests(side.into()))?;
        let side = change_view::TreeSide::from(side);
        let manifests = u32::try_from(change.facts(side)?.manifests.len()).unwrap_or(u32::MAX >> 1);
        self.meter.bytes(RECORD * u64::from(manifests))?;
        Ok((0..manifests).map(|index| Resource::new_own(2 * index + side as u32)).collect())
    }

    fn languages(&mut self, side: Side) -> Result<Vec<Language>> {
        let change = self.record_question(RepeatableQuestion::Languages(side.into()))?;
        let languages = change.languages(side.into())?;
        self.meter.bytes(RECORD * languages.len() as u64)?;
        let to_wit = |language: &facts::LanguageFiles| Language {
            name: language.name.to_string(),
            files: language.files,
            bytes: language.bytes,
        };
        Ok(languages.iter().map(to_wit).collect())
    }

    fn frameworks(&mut self, side: Side) -> Result<Vec<String>> {
        let change = self.record_question(RepeatableQuestion::Frameworks(side.into()))?;
        let frameworks = &change.facts(side.into())?.frameworks;
        self.meter.bytes(RECORD * frameworks.len() as u64)?;
        Ok(frameworks.iter().map(ToString::to_string).collect())
    }

    fn entry_points(&mut self, side: Side) -> Result<Vec<String>> {
        let change = self.record_question(RepeatableQuestion::EntryPoints(side.into()))?;
        let entry_points = &change.facts(side.into())?.entry_points;
        self.meter.bytes(entry_points.iter().map(|path| RECORD + path.as_bytes().len() as u64).sum())?;
        Ok(entry_points.iter().map(ToString::to_string).collect())
    }
}

impl StoreData {
    /// Any file of the tree may decide its facts, so that the facts themselves are what was read.
    fn record_question(&mut self, question: RepeatableQuestion) -> Result<Arc<ChangeView>> {
        let change = self.change()?;
        self.reads.note(question, &change);
        Ok(change)
    }

    /// Of a list that was handed out, so that the question is noted.
    fn manifest<T>(
        &mut self,
        manifest: &Resource<ManifestHandle>,
        read: impl FnOnce(&facts::Manifest) -> T,
        texts: impl FnOnce(&facts::Manifest) -> u64,
    ) -> Result<T> {
        let change = self.change()?;
        let side =
            if manifest.rep().is_multiple_of(2) { change_view::TreeSide::Before } else { change_view::TreeSide::After };
        let manifest = &change.facts(side)?.manifests[manifest.rep() as usize / 2];
        self.meter.bytes(RECORD + texts(manifest))?;
        Ok(read(manifest))
    }
}

impl HostManifest for StoreData {
    fn path(&mut self, manifest: Resource<ManifestHandle>) -> Result<String> {
        self.manifest(&manifest, |manifest| manifest.path.to_string(), |manifest| manifest.path.as_bytes().len() as u64)
    }

    fn ecosystem(&mut self, manifest: Resource<ManifestHandle>) -> Result<String> {
        let word = |manifest: &facts::Manifest| match manifest.ecosystem {
            facts::Ecosystem::Cargo => "cargo",
            facts::Ecosystem::Npm => "npm",
            facts::Ecosystem::Python => "python",
            facts::Ecosystem::Go => "go",
            facts::Ecosystem::Ruby => "ruby",
            facts::Ecosystem::Php => "php",
            facts::Ecosystem::Maven => "maven",
            facts::Ecosystem::Gradle => "gradle",
            facts::Ecosystem::Other => "other",
        };
        self.manifest(&manifest, word, |_| 0).map(str::to_owned)
    }

    fn name(&mut self, manifest: Resource<ManifestHandle>) -> Result<Option<String>> {
        self.manifest(&manifest, |manifest| manifest.name.clone(), |manifest| length(&manifest.name))
    }

    fn dependencies(&mut self, manifest: Resource<ManifestHandle>) -> Result<Vec<Dependency>> {
        let read = |manifest: &facts::Manifest| manifest.dependencies.iter().map(dependency).collect();
        let each = |known: &facts::Dependency| RECORD + (known.name.len() + known.requirement.len()) as u64;
        self.manifest(&manifest, read, |manifest| manifest.dependencies.iter().map(each).sum())
    }

    fn elsewhere(&mut self, manifest: Resource<ManifestHandle>) -> Result<Vec<String>> {
        let each = |name: &String| RECORD + name.len() as u64;
        self.manifest(
            &manifest,
            |manifest| manifest.elsewhere.clone(),
            |manifest| manifest.elsewhere.iter().map(each).sum(),
        )
    }

    fn problem(&mut self, manifest: Resource<ManifestHandle>) -> Result<Option<String>> {
        self.manifest(&manifest, |manifest| manifest.problem.clone(), |manifest| length(&manifest.problem))
    }

    fn drop(&mut self, _: Resource<ManifestHandle>) -> Result<()> {
        Ok(())
    }
}

fn length(text: &Option<String>) -> u64 {
    text.as_ref().map_or(0, String::len) as u64
}

fn dependency(dependency: &facts::Dependency) -> Dependency {
    let kind = match dependency.kind {
        facts::DependencyKind::Normal => "normal",
        facts::DependencyKind::Dev => "dev",
        facts::DependencyKind::Build => "build",
        facts::DependencyKind::Peer => "peer",
        facts::DependencyKind::Optional => "optional",
    };
    Dependency { name: dependency.name.clone(), requirement: dependency.requirement.clone(), kind: kind.to_owned() }
}
