//! A linter as `guards.toml` names it, or as a preset describes it.

use serde::Deserialize;

use super::presets::LinterFile;

/// How a linter reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LintFormat {
    /// Messages of cargo as JSON, one a line.
    Cargo,
    /// Checkstyle's XML, which many linters write.
    Checkstyle,
    /// ESLint's own JSON.
    Eslint,
    /// `path:line: message` or `path:line:column: message`, one a line. A message that begins with `warning`, `note` or `info` is none that fails.
    Lines,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredLinter {
    /// Lower-case words joined by `-`.
    pub name: String,
    /// For `sh -c`.
    pub command: String,
    /// The program of the command.
    pub program: String,
    pub format: LintFormat,
    /// What the linter calls a warning is an objection too.
    pub warnings: bool,
    pub used: LinterUse,
}

/// When a linter is run, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinterUse {
    /// In this folder, for every change below it. Globs below the folder name the files that configure it.
    Folder { folder: String, configuration: Vec<String> },
    /// In the nearest folder that has one of these files, for changes of files with one of these endings.
    Configured { files: Vec<LinterFile>, endings: Vec<String> },
}
