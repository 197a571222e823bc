//! `guard.toml` in the folder of a guard: how to build it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use guardhost_core::error::{Context, Fault, FaultKind, Result};

pub const FILE: &str = "guard.toml";

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    pub build: Build,
    pub tool: RecipeTool,
    /// What to do about failures that authors meet often.
    #[serde(default)]
    pub hint: Vec<Hint>,
}

/// Advice of the template for people; nothing else depends on it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// Words that the tool writes.
    pub when: String,
    /// What to do then.
    pub say: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Run one after the other in the guard's folder, without a shell. `host` stands for this host.
    pub commands: Vec<Vec<String>>,
    /// `{remap_crates}` in a value stands for flags of rustc that keep the author's home out of the component.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The path of the built component, relative to the guard's folder.
    pub output: String,
}

/// The tool of the language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecipeTool {
    pub program: String,
    /// Folders to search before `PATH`, relative to the guard's folder.
    pub path: Vec<String>,
    /// The commands that install the program if it is not found.
    pub install: Vec<Vec<String>>,
}

impl Recipe {
    /// Errors ([`FaultKind::Usage`]): the folder has no such file, or it is wrong.
    pub fn read(folder: &Path) -> Result<Self> {
        let file = folder.join(FILE);
        let text = std::fs::read_to_string(&file).with_context(|| {
            Fault::new(FaultKind::Usage, format!("{} is no guard's folder: it has no {FILE}", folder.display()))
                .hint("begin one with: host guard new NAME --lang rust")
        })?;
        toml::from_str(&text).with_context(|| Fault::new(FaultKind::Usage, format!("{} is wrong", file.display())))
    }
}

impl RecipeTool {
    /// The commands that install the tool, for a shell.
    pub fn how_to_install(&self) -> String {
        let typed = |command: &Vec<String>| shlex::try_join(command.iter().map(String::as_str)).unwrap_or_default();
        self.install.iter().map(typed).collect::<Vec<_>>().join(" && ")
    }
}
