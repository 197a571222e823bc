//! `facts.json`: what the host would compute from the trees, written down by the author of the case.

use serde::Deserialize;

use crate as sdk;

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CaseFacts {
    pub before: SideFacts,
    pub after: SideFacts,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SideFacts {
    pub manifests: Vec<Manifest>,
    pub languages: Vec<Language>,
    pub frameworks: Vec<String>,
    pub entry_points: Vec<String>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    path: String,
    ecosystem: String,
    name: Option<String>,
    #[serde(default)]
    dependencies: Vec<Dependency>,
    #[serde(default)]
    elsewhere: Vec<String>,
    problem: Option<String>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dependency {
    name: String,
    #[serde(default)]
    requirement: String,
    #[serde(default = "normal")]
    kind: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    name: String,
    files: u32,
    bytes: u64,
}

fn normal() -> String {
    sdk::DependencyKind::Normal.as_str().into()
}

impl From<&Manifest> for sdk::Manifest {
    fn from(manifest: &Manifest) -> Self {
        sdk::Manifest {
            path: manifest.path.clone(),
            ecosystem: manifest.ecosystem.clone().into(),
            name: manifest.name.clone(),
            dependencies: manifest.dependencies.iter().map(Into::into).collect(),
            elsewhere: manifest.elsewhere.clone(),
            problem: manifest.problem.clone(),
        }
    }
}

impl From<&Dependency> for sdk::Dependency {
    fn from(dependency: &Dependency) -> Self {
        let (name, requirement) = (dependency.name.clone(), dependency.requirement.clone());
        sdk::Dependency { name, requirement, kind: dependency.kind.clone().into() }
    }
}

impl From<&Language> for sdk::Language {
    fn from(language: &Language) -> Self {
        sdk::Language { name: language.name.clone(), files: language.files, bytes: language.bytes }
    }
}
