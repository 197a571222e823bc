//! Scopes: what a plan may be about. The built-in ones are a table, `scopes.toml`; `[[scope]]` of `guards.toml` adds more.

use guardhost_core::change::{RepoPath, StepAction};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::Globs;
use serde::Deserialize;

use super::did_you_mean;
use super::paths::Paths;

const BUILT_IN: &str = include_str!("scopes.toml");

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScopeRule {
    pub name: String,
    /// The files that steps may name; empty means every file.
    #[serde(default)]
    pub paths: Paths,
    /// Ids of the metrics that the planner gets to see; empty means all.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// What steps may do; empty means everything.
    #[serde(default)]
    pub actions: Vec<StepAction>,
    /// Files that the task cites are allowed too; a task that cites none restricts nothing.
    #[serde(default)]
    pub cited: bool,
    /// A step may be about a README alone.
    #[serde(default)]
    pub readme_only: bool,
    /// What the planner is told besides.
    #[serde(default)]
    pub prompt: String,
}

#[derive(Deserialize)]
struct Table {
    scope: Vec<ScopeRule>,
}

impl ScopeRule {
    pub fn allows(&self, path: &RepoPath) -> bool {
        let matches = |globs: &[String]| Globs::new(globs).is_ok_and(|globs| globs.matches(path));
        (self.paths.include.is_empty() || matches(&self.paths.include)) && !matches(&self.paths.exclude)
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        let name = &self.name;
        if !guardhost_engine::is_kebab(name, 64) {
            return Err(format!("scope {name:?}: expected lower-case words joined by `-`"));
        }
        for globs in [&self.paths.include, &self.paths.exclude] {
            Globs::new(globs).map_err(|why| format!("scope `{name}`: {why}"))?;
        }
        Ok(())
    }
}

/// The scope of that name; one of `own` stands in the place of a built-in one.
///
/// # Errors
/// [`FaultKind::Usage`]: there is none.
pub fn scope(name: &str, own: &[ScopeRule]) -> Result<ScopeRule> {
    let built_in =
        toml::from_str::<Table>(BUILT_IN).map_err(|error| Fault::new(FaultKind::Config, error.to_string()))?;
    let name = name.trim().to_lowercase();
    let all: Vec<&ScopeRule> = own.iter().chain(&built_in.scope).collect();
    if let Some(found) = all.iter().find(|scope| scope.name == name) {
        return Ok((*found).clone());
    }
    let known: Vec<&str> = all.iter().map(|scope| scope.name.as_str()).collect();
    let near = did_you_mean(&name, &known);
    let hint = format!("{near}there are: {}; [[scope]] of guards.toml adds more", known.join(", "));
    Err(Fault::new(FaultKind::Usage, format!("there is no scope {name:?}")).hint(hint).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_right_and_names_are_found() {
        for scope in toml::from_str::<Table>(BUILT_IN).unwrap().scope {
            scope.validate().unwrap();
            assert_eq!(super::scope(&scope.name, &[]).unwrap().prompt, scope.prompt);
        }
        let docs = scope(" Docs", &[]).unwrap();
        for (path, allowed) in [
            ("docs/a.md", true),
            ("README", true),
            ("pkg/CHANGELOG.rst", true),
            ("website/docs/x.mdx", true),
            ("docs/hooks.py", false),
            ("src/lib.rs", false),
        ] {
            assert_eq!(docs.allows(&path.into()), allowed, "{path}");
        }
        assert!(scope("doc", &[]).unwrap_err().to_string().contains("no scope"));
        let own = ScopeRule { name: "docs".into(), ..ScopeRule::default() };
        assert!(scope("docs", &[own]).unwrap().allows(&"src/lib.rs".into()));
    }
}
