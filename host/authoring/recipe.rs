//! `guard.toml` of a guard's folder: what builds it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use guardhost_core::error::{Context, Fault, Kind, Result};

pub const FILE: &str = "guard.toml";

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    pub build: Build,
    pub tool: Tool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// One after the other, in the guard's folder, without a shell. `host` is this host.
    pub commands: Vec<Vec<String>>,
    /// `{remap_crates}` in a value is rustc's flags that keep the author's home out of the component.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Where the component is then, from the guard's folder.
    pub output: String,
}

/// The language's own tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    pub program: String,
    /// Folders, from the guard's, that come before `PATH`.
    pub path: Vec<String>,
    /// What to run when the program is not found.
    pub install: Vec<Vec<String>>,
}

impl Recipe {
    /// Errors ([`Kind::Usage`]): there is none in this folder, or it does not say what it must.
    pub fn read(folder: &Path) -> Result<Self> {
        let file = folder.join(FILE);
        let text = std::fs::read_to_string(&file).with_context(|| {
            Fault::new(Kind::Usage, format!("{} is no guard's folder: it has no {FILE}", folder.display()))
                .hint("begin one with: host guard new NAME --lang rust")
        })?;
        toml::from_str(&text).with_context(|| Fault::new(Kind::Usage, format!("{} is wrong", file.display())))
    }
}

impl Tool {
    /// The commands that install it, as one types them.
    pub fn how_to_install(&self) -> String {
        let typed = |command: &Vec<String>| shlex::try_join(command.iter().map(String::as_str)).unwrap_or_default();
        self.install.iter().map(typed).collect::<Vec<_>>().join(" && ")
    }
}
