//! `facts`: what the manifests of a tree declare.

use wasmtime::Result;

use crate::bindings::facts::{Dependency, DependencyKind, Ecosystem, Host, Language, Manifest, Side};
use crate::call::store_data::StoreData;
use crate::facts;

/// Bytes that one record costs, about.
const RECORD: u64 = 64;

impl Host for StoreData {
    fn manifests(&mut self, side: Side) -> Result<Vec<Manifest>> {
        let change = self.change()?;
        let manifests: Vec<Manifest> = change.facts(side.into())?.manifests.iter().map(manifest).collect();
        let records: usize = manifests.iter().map(|manifest| 1 + manifest.dependencies.len()).sum();
        self.meter.bytes(RECORD * records as u64)?;
        Ok(manifests)
    }

    fn languages(&mut self, side: Side) -> Result<Vec<Language>> {
        let change = self.change()?;
        let languages = change.languages(side.into())?;
        self.meter.bytes(RECORD * languages.len() as u64)?;
        let to_wit = |language: &facts::Language| Language {
            name: language.name.to_string(),
            files: language.files,
            bytes: language.bytes,
        };
        Ok(languages.iter().map(to_wit).collect())
    }

    fn frameworks(&mut self, side: Side) -> Result<Vec<String>> {
        let change = self.change()?;
        let frameworks = &change.facts(side.into())?.frameworks;
        self.meter.bytes(RECORD * frameworks.len() as u64)?;
        Ok(frameworks.iter().map(ToString::to_string).collect())
    }

    fn entry_points(&mut self, side: Side) -> Result<Vec<String>> {
        let change = self.change()?;
        let entry_points = &change.facts(side.into())?.entry_points;
        self.meter.bytes(RECORD * entry_points.len() as u64)?;
        Ok(entry_points.iter().map(ToString::to_string).collect())
    }
}

fn manifest(manifest: &facts::Manifest) -> Manifest {
    Manifest {
        path: manifest.path.to_string(),
        ecosystem: match manifest.ecosystem {
            facts::Ecosystem::Cargo => Ecosystem::Cargo,
            facts::Ecosystem::Npm => Ecosystem::Npm,
            facts::Ecosystem::Python => Ecosystem::Python,
            facts::Ecosystem::Go => Ecosystem::Go,
            facts::Ecosystem::Ruby => Ecosystem::Ruby,
            facts::Ecosystem::Php => Ecosystem::Php,
            facts::Ecosystem::Maven => Ecosystem::Maven,
            facts::Ecosystem::Gradle => Ecosystem::Gradle,
            facts::Ecosystem::Other => Ecosystem::Other,
        },
        name: manifest.name.clone(),
        dependencies: manifest.dependencies.iter().map(dependency).collect(),
        problem: manifest.problem.clone(),
    }
}

fn dependency(dependency: &facts::Dependency) -> Dependency {
    Dependency {
        name: dependency.name.clone(),
        requirement: dependency.requirement.clone(),
        kind: match dependency.kind {
            facts::DependencyKind::Normal => DependencyKind::Normal,
            facts::DependencyKind::Dev => DependencyKind::Dev,
            facts::DependencyKind::Build => DependencyKind::Build,
            facts::DependencyKind::Peer => DependencyKind::Peer,
            facts::DependencyKind::Optional => DependencyKind::Optional,
        },
    }
}
