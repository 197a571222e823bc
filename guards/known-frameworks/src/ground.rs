//! What the manifests declare, and whether that is all that can be known.

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{Change, Ecosystem, Manifest, Side};

use crate::names::Framework;
use crate::nearest;

pub struct Ground {
    manifests: Vec<Manifest>,
    frameworks: Vec<String>,
}

impl Ground {
    pub fn new(change: &Change) -> Self {
        let facts = change.facts(Side::After);
        Ground { manifests: facts.manifests(), frameworks: facts.frameworks() }
    }

    /// Nothing is declared anywhere, so that nothing can be said to be missing.
    pub fn is_empty(&self) -> bool {
        self.manifests.is_empty()
    }

    /// Whether a manifest declares the framework, something of it, or something that is built on it; or cannot be read, and may.
    pub fn holds(&self, framework: &Framework) -> bool {
        let named = |name: &str| {
            let lower = name.to_ascii_lowercase();
            let parts = || lower.split(|c: char| !c.is_ascii_alphanumeric());
            parts().any(|part| {
                // `reactjs`, `vue3`, `djangorestframework`: a long id may be the beginning of a part.
                let begins = framework.id.len() > 4 && part.starts_with(framework.id);
                part == framework.id
                    || begins
                    || part.trim_end_matches(|c: char| c.is_ascii_digit()) == framework.id
                    || framework.packages.contains(&part)
            }) || lower == framework.id
        };
        let declares = |manifest: &Manifest| {
            let dependencies = manifest.dependencies.iter().map(|dependency| dependency.name.as_str());
            (manifest.problem.is_some() && !is_test_data(&manifest.path))
                || manifest.name.iter().map(String::as_str).chain(dependencies).any(named)
        };
        self.frameworks.iter().any(|id| id == framework.id) || self.manifests.iter().any(declares)
    }

    /// What may be claimed instead: frameworks, or else some dependencies.
    pub fn declared(&self, framework: &Framework) -> String {
        if !self.frameworks.is_empty() {
            return self.frameworks.join(", ");
        }
        let own = |manifest: &&Manifest| !matches!(manifest.ecosystem, Ecosystem::Other(_));
        let dependencies = self.manifests.iter().filter(own).flat_map(|manifest| &manifest.dependencies);
        nearest::declared(framework.id, dependencies.map(|dependency| dependency.name.as_str()))
    }
}

/// What tests are fed with need not be a manifest at all.
fn is_test_data(path: &str) -> bool {
    matches!(kind_of(path), Kind::Test | Kind::TestData)
}
