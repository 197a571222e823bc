//! `[fix]`: how issues are sorted for `host fix`.

use serde::Deserialize;

/// Extensions of files that browsers are given, or what is compiled to them.
const FRONTEND: [&str; 14] =
    ["astro", "css", "cts", "htm", "html", "js", "jsx", "less", "mjs", "scss", "svelte", "ts", "tsx", "vue"];

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FixSettings {
    /// Extensions of the frontend, in lower case and without the dot; every other file belongs to the backend.
    pub frontend: Vec<String>,
    /// Files that a provider reads before it changes the backend or the frontend, beside AGENTS.md and the like.
    pub backend_guidelines: Vec<String>,
    pub frontend_guidelines: Vec<String>,
}

impl Default for FixSettings {
    fn default() -> Self {
        let frontend = FRONTEND.map(str::to_owned).into();
        FixSettings { frontend, backend_guidelines: Vec::new(), frontend_guidelines: Vec::new() }
    }
}

impl FixSettings {
    pub(super) fn validate(&self) -> Result<(), String> {
        let plain = |extension: &&String| {
            extension.is_empty() || extension.contains(['.', '/']) || extension.chars().any(char::is_uppercase)
        };
        match self.frontend.iter().find(plain) {
            Some(wrong) => Err(format!("fix.frontend: `{wrong}` is no extension: lower case, without the dot")),
            None => Ok(()),
        }
    }
}
