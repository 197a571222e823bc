//! Which paths something is for.

use serde::Deserialize;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Paths {
    /// Globs as in `.gitignore`; empty means every path.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}
