//! Runners that are only data: `presets.toml`.

use serde::Deserialize;

use super::configured::ReportFormat;

const PRESETS: &str = include_str!("presets.toml");

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunnerPreset {
    pub name: String,
    /// Files at the root of a project, any of which shows that it may be tested so.
    pub manifests: Vec<String>,
    pub command: String,
    pub report: ReportFormat,
    #[serde(default)]
    pub files: Vec<String>,
    #[serde(default)]
    pub reads: Vec<String>,
}

#[derive(Deserialize)]
struct RunnerPresets {
    preset: Vec<RunnerPreset>,
}

pub fn presets() -> Vec<RunnerPreset> {
    toml::from_str::<RunnerPresets>(PRESETS).map(|table| table.preset).unwrap_or_default()
}

pub fn preset(name: &str) -> Option<RunnerPreset> {
    presets().into_iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let table: RunnerPresets = toml::from_str(PRESETS).unwrap();
        for name in ["maven", "gradle", "ctest", "phpunit", "rspec", "minitest", "unittest"] {
            let preset = table.preset.iter().find(|preset| preset.name == name).unwrap();
            let has_report = !preset.files.is_empty() || preset.command.contains("{report}");
            assert!(has_report && !preset.manifests.is_empty(), "{name}");
        }
    }
}
