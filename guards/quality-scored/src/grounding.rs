//! Γ: of the names that a change brings into a file, the share that the project has.

use std::collections::BTreeSet;

use guard_sdk::{Change, Ecosystem, Line, Side};

use crate::ground::Ground;
use crate::kind::Kind;
use crate::name::package;
use crate::names::Names;
use crate::prose::{blocks, sentences};

/// What the manifests declare, asked for once and only when something is named.
pub struct Grounding<'c> {
    change: &'c Change,
    ground: Option<Ground>,
    packages: Option<BTreeSet<String>>,
    names: Option<Names>,
}

/// Names that are new in a file.
#[derive(Debug, Default)]
pub struct Gamma {
    grounded: usize,
    /// Nothing declares them.
    invented: Vec<String>,
}

impl Gamma {
    /// One more name is counted than there are, and it is grounded: a single name is weak evidence, and none is no fault.
    pub fn value(&self) -> f64 {
        (1 + self.grounded) as f64 / (1 + self.grounded + self.invented.len()) as f64
    }

    pub fn description(&self) -> Option<String> {
        (!self.invented.is_empty()).then(|| format!("no manifest declares {}", self.invented.join(", ")))
    }

    pub fn help(&self) -> Option<&'static str> {
        (!self.invented.is_empty()).then_some("Name only what the project declares, or declare it.")
    }
}

impl<'c> Grounding<'c> {
    pub fn new(change: &'c Change) -> Self {
        Grounding { change, ground: None, packages: None, names: None }
    }

    pub fn score(&mut self, path: &str, kind: Kind, before: &str, after: &str, added: &[Line]) -> Gamma {
        match kind {
            Kind::Document if !is_about_others(path) => self.score_document(path, before, after, added),
            Kind::Config => self.score_config(before, added),
            Kind::Document | Kind::Source => Gamma::default(),
        }
    }

    /// Frameworks that its sentences name and did not name before.
    fn score_document(&mut self, path: &str, before: &str, after: &str, added: &[Line]) -> Gamma {
        let names = self.names.get_or_insert_with(Names::new);
        // Most changes name nothing, and need no parser to say so.
        if added.iter().all(|line| names.mentions(&line.text).is_empty()) {
            return Gamma::default();
        }
        let named = |text: &str| {
            let mut found = Vec::new();
            for block in blocks(path, text) {
                for sentence in sentences(&block.text) {
                    found.extend(names.mentions(sentence).into_iter().map(|mention| mention.framework));
                }
            }
            found
        };
        let mut new = named(after);
        let old: Vec<&str> = named(before).into_iter().map(|framework| framework.id).collect();
        new.retain(|framework| !old.contains(&framework.id));
        new.sort_by_key(|framework| framework.id);
        new.dedup_by_key(|framework| framework.id);
        let change = self.change;
        let ground = self.ground.get_or_insert_with(|| Ground::new(change));
        // Where nothing is declared, nothing can be said to be missing.
        if ground.is_empty() {
            return Gamma::default();
        }
        let (grounded, invented): (Vec<_>, Vec<_>) = new.into_iter().partition(|framework| ground.holds(framework));
        Gamma { grounded: grounded.len(), invented: invented.iter().map(|framework| framework.id.to_owned()).collect() }
    }

    /// Packages that its new lines import and its old ones did not.
    fn score_config(&mut self, before: &str, added: &[Line]) -> Gamma {
        let old: BTreeSet<&str> = before.lines().flat_map(imported).collect();
        let new: BTreeSet<&str> = added.iter().flat_map(|line| imported(&line.text)).collect();
        let new: Vec<&str> = new.difference(&old).copied().collect();
        if new.is_empty() {
            return Gamma::default();
        }
        let change = self.change;
        let declared = self.packages.get_or_insert_with(|| declared(change));
        if declared.is_empty() {
            return Gamma::default();
        }
        let (grounded, invented): (Vec<&str>, Vec<&str>) = new.into_iter().partition(|name| declared.contains(*name));
        Gamma { grounded: grounded.len(), invented: invented.into_iter().map(str::to_owned).collect() }
    }
}

/// Every npm package that a manifest of any folder declares or is.
fn declared(change: &Change) -> BTreeSet<String> {
    let manifests = change.facts(Side::After).manifests();
    let npm = manifests.into_iter().filter(|manifest| manifest.ecosystem == Ecosystem::Npm);
    let names = |manifest: guard_sdk::Manifest| {
        manifest.name.into_iter().chain(manifest.dependencies.into_iter().map(|dependency| dependency.name))
    };
    npm.flat_map(names).collect()
}

/// What follows `from`, `import`, `import(` and `require(` on a line that is no comment.
fn imported(line: &str) -> impl Iterator<Item = &str> {
    let code = if line.trim_start().starts_with(['/', '*']) { "" } else { line };
    ["from ", "import ", "import(", "require("].into_iter().flat_map(move |word| {
        code.match_indices(word).filter_map(move |(at, _)| {
            let rest = &code[at + word.len()..];
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            package(rest[1..].split_once(quote)?.0)
        })
    })
}

/// Documents of the past, of plans and of other projects name what they please.
fn is_about_others(path: &str) -> bool {
    #[rustfmt::skip]
    const OTHERS: [&str; 20] = [
        "changelog", "changelogs", "changes", "history", "news", "release", "releases", "release-notes", "blog", "posts", ".changeset", "roadmap", "todo", "migration", "examples", "tutorial",
        "tutorials", "integrations", "templates", "showcase",
    ];
    let lower = path.to_ascii_lowercase();
    lower.split('/').any(|part| OTHERS.contains(&part.split('.').next().unwrap_or_default()) || OTHERS.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports() {
        let of = |line: &'static str| imported(line).collect::<Vec<_>>();
        assert_eq!(of("import vue from '@vitejs/plugin-vue'"), ["@vitejs/plugin-vue"]);
        assert_eq!(of("module.exports = require(\"a/b\"), import('c')"), ["c", "a"]);
        assert_eq!(of("import './x'; import 'side-effect'"), ["side-effect"]);
        assert!(of("// import a from 'a'").is_empty() && of("from 'open").is_empty());
    }

    #[test]
    fn one_name_is_weak_evidence() {
        let gamma = |grounded, invented: usize| Gamma { grounded, invented: vec![String::new(); invented] }.value();
        assert_eq!([gamma(0, 0), gamma(3, 0), gamma(0, 1), gamma(1, 1), gamma(0, 3)], [1.0, 1.0, 0.5, 2.0 / 3.0, 0.25]);
    }
}
