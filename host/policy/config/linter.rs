//! `[[linter]]`: linters and type checkers of the repository that the host does not find by itself, or finds otherwise.

use guardhost_engine::Globs;
use guardhost_toolchain::{ConfiguredLinter, LintFormat, LinterUse, program_of};
use serde::Deserialize;

use super::runner::folder_of;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinterTable {
    /// What results call it. That of a linter which the host finds by itself takes its place.
    pub name: String,
    /// Where the command is run; the root without it.
    #[serde(default)]
    pub folder: String,
    /// For `sh -c`.
    pub command: String,
    pub report: LintFormat,
    /// Globs below the folder of the files that configure it.
    #[serde(default)]
    pub configuration: Vec<String>,
    /// Whether a warning is an objection.
    #[serde(default)]
    pub warnings: bool,
}

impl LinterTable {
    /// # Errors
    /// What is wrong with the table at `index`, alone or beside those before it.
    pub fn validate(all: &[LinterTable], index: usize) -> Result<(), String> {
        let own = &all[index];
        let is_same = |other: &LinterTable| (&other.name, &other.folder) == (&own.name, &own.folder);
        own.linter()?;
        match all[..index].iter().any(is_same) {
            true => Err("this linter is there twice in one folder".to_owned()),
            false => Ok(()),
        }
    }

    /// # Errors
    /// What is wrong, and what would be right.
    pub fn linter(&self) -> Result<ConfiguredLinter, String> {
        let LinterTable { name, folder, command, report, configuration, warnings } = self;
        if !guardhost_engine::is_kebab(name, 64) {
            return Err(format!("linter {name:?}: expected lower-case words joined by `-`"));
        }
        let wrong = |why: String| format!("linter `{name}`: {why}");
        let program = program_of(command).ok_or_else(|| wrong("its command is empty".to_owned()))?;
        Globs::new(configuration).map_err(|why| wrong(why.to_string()))?;
        let folder = folder_of(folder).map_err(wrong)?;
        Ok(ConfiguredLinter {
            name: name.clone(),
            command: command.clone(),
            program: program.to_owned(),
            format: *report,
            warnings: *warnings,
            used: LinterUse::Folder { folder, configuration: configuration.clone() },
        })
    }
}
