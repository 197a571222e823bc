//! Linters that are only data: `presets.toml`.

use serde::Deserialize;

use super::configured::LintFormat;

const PRESETS: &str = include_str!("presets.toml");

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinterPreset {
    pub name: String,
    pub configured: Vec<LinterFile>,
    /// Globs of more files that decide what it says, and show nothing of its use.
    pub steered_by: Vec<String>,
    pub endings: Vec<String>,
    /// The program that must be installed; None for the first word of the command.
    pub program: Option<String>,
    pub command: String,
    pub report: LintFormat,
    #[serde(default)]
    pub warnings: bool,
}

/// A file that shows that a project uses a linter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinterFile {
    /// Its name, without folders.
    pub file: String,
    /// How one of its lines begins, behind blanks.
    pub has: Option<String>,
    /// It configures the build too, so that the change's own counts.
    #[serde(default)]
    pub shared: bool,
}

#[derive(Deserialize)]
struct LinterPresets {
    preset: Vec<LinterPreset>,
}

pub fn linter_presets() -> Vec<LinterPreset> {
    toml::from_str::<LinterPresets>(PRESETS).map(|table| table.preset).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let table: LinterPresets = toml::from_str(PRESETS).unwrap();
        for name in ["clippy", "eslint", "flake8", "mypy", "pyright", "rubocop", "ruff"] {
            let preset = table.preset.iter().find(|preset| preset.name == name).unwrap();
            assert!(!preset.configured.is_empty() && !preset.endings.is_empty(), "{name}");
            assert!(guard_files::Globs::new(&preset.steered_by).is_ok(), "{name}");
        }
    }
}
