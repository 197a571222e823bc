//! `[[runner]]`: how tests are run that the host has no runner of its own for.

use guardhost_engine::Globs;
use guardhost_toolchain::{ConfiguredRunner, ReportFormat, preset, presets};
use serde::Deserialize;

use super::did_you_mean;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunnerTable {
    /// What results call it; without one, the name of the preset.
    pub name: Option<String>,
    /// What the other keys stand for when they are left out.
    pub preset: Option<String>,
    /// Where the command is run; the root without it.
    #[serde(default)]
    pub folder: String,
    /// For `sh -c`.
    pub command: Option<String>,
    pub report: Option<ReportFormat>,
    /// Globs below the folder.
    pub files: Option<Vec<String>>,
}

impl RunnerTable {
    /// # Errors
    /// What is wrong with the table at `index`, alone or beside those before it.
    pub fn validate(all: &[RunnerTable], index: usize) -> Result<(), String> {
        let own = &all[index];
        let is_same =
            |other: &RunnerTable| (&other.name, &other.preset, &other.folder) == (&own.name, &own.preset, &own.folder);
        own.runner()?;
        match all[..index].iter().any(is_same) {
            true => Err("this runner is there twice in one folder".to_owned()),
            false => Ok(()),
        }
    }

    /// # Errors
    /// What is wrong, and what would be right.
    pub fn runner(&self) -> Result<ConfiguredRunner, String> {
        let preset = match &self.preset {
            None => None,
            Some(name) => Some(preset(name).ok_or_else(|| {
                let all = presets();
                let known: Vec<&str> = all.iter().map(|preset| preset.name.as_str()).collect();
                let near = did_you_mean(name, &known);
                format!("runner preset `{}` is not known: {near}there are {}", name.escape_default(), known.join(", "))
            })?),
        };
        let of_preset = preset.as_ref();
        let needed = |key: &str| format!("a [[runner]] without a `preset` needs a `{key}`");
        let name = self.name.clone().or(of_preset.map(|preset| preset.name.clone())).ok_or_else(|| needed("name"))?;
        if !guardhost_engine::is_kebab(&name, 64) {
            return Err(format!("runner {name:?}: expected lower-case words joined by `-`"));
        }
        let command = self.command.clone().or(of_preset.map(|preset| preset.command.clone()));
        let command = command.filter(|command| !command.trim().is_empty()).ok_or_else(|| needed("command"))?;
        let format = self.report.or(of_preset.map(|preset| preset.report)).ok_or_else(|| needed("report"))?;
        // A command of its own writes its report elsewhere than that of the preset.
        let of_preset_files = of_preset.filter(|_| self.command.is_none()).map(|preset| preset.files.clone());
        let files = self.files.clone().or(of_preset_files).unwrap_or_default();
        Globs::new(&files).map_err(|why| format!("runner `{name}`: {why}"))?;
        if format == ReportFormat::Junit && files.is_empty() && !command.contains("{report}") {
            let what = "nothing says where its report is: name its `files`, or write `{report}` in the command";
            return Err(format!("runner `{name}`: {what}"));
        }
        let folder = folder_of(&self.folder).map_err(|why| format!("runner `{name}`: {why}"))?;
        let reads = of_preset.map(|preset| preset.reads.clone()).unwrap_or_default();
        Ok(ConfiguredRunner { name, folder, command, format, files, reads })
    }
}

/// The folder that a command is run in: a path below the root, without a slash behind it.
pub fn folder_of(folder: &str) -> Result<String, String> {
    let folder = folder.trim_end_matches('/');
    if folder.starts_with('/') || folder.split('/').any(|part| matches!(part, "." | "..")) || folder.contains("//") {
        return Err(format!("folder {folder:?} is no path below the root"));
    }
    Ok(folder.to_owned())
}
