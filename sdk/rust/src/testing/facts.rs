//! `facts.json`: what the host would compute from the trees, written down by the author of the case.

use serde::Deserialize;

use crate::bindings::guardhost::guard::facts as wit;

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
    ecosystem: Ecosystem,
    name: Option<String>,
    #[serde(default)]
    dependencies: Vec<Dependency>,
    problem: Option<String>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dependency {
    name: String,
    #[serde(default)]
    requirement: String,
    #[serde(default = "normal")]
    kind: Kind,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    name: String,
    files: u32,
    bytes: u64,
}

/// Enums of the contract, with the contract's spelling.
macro_rules! spelled {
    ($(#[$meta:meta])* $name:ident as $wit:ident { $($case:ident),* }) => {
        #[derive(Clone, Copy, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        $(#[$meta])*
        enum $name { $($case),* }

        impl From<$name> for wit::$wit {
            fn from(value: $name) -> Self {
                match value { $($name::$case => wit::$wit::$case),* }
            }
        }
    };
}

spelled!(Ecosystem as Ecosystem { Cargo, Npm, Python, Go, Ruby, Php, Maven, Gradle, Other });
spelled!(Kind as DependencyKind { Normal, Dev, Build, Peer, Optional });

fn normal() -> Kind {
    Kind::Normal
}

impl From<&Manifest> for wit::Manifest {
    fn from(manifest: &Manifest) -> Self {
        wit::Manifest {
            path: manifest.path.clone(),
            ecosystem: manifest.ecosystem.into(),
            name: manifest.name.clone(),
            dependencies: manifest.dependencies.iter().map(Into::into).collect(),
            problem: manifest.problem.clone(),
        }
    }
}

impl From<&Dependency> for wit::Dependency {
    fn from(dependency: &Dependency) -> Self {
        let (name, requirement) = (dependency.name.clone(), dependency.requirement.clone());
        wit::Dependency { name, requirement, kind: dependency.kind.into() }
    }
}

impl From<&Language> for wit::Language {
    fn from(language: &Language) -> Self {
        wit::Language { name: language.name.clone(), files: language.files, bytes: language.bytes }
    }
}
