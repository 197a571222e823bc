//! A linter as `guards.toml` names it, or as a preset describes it.

use guard_files::Globs;
use serde::Deserialize;

use super::presets::LinterFile;
use crate::projects::join;

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
    Configured { files: Vec<LinterFile>, steered_by: Vec<String>, endings: Vec<String> },
}

/// How a line of a linter's standard output begins that names a file at which it looked.
pub const LOOKS_AT: &str = "looks at ";

impl ConfiguredLinter {
    /// Whether its report says which files it looked at.
    pub fn names_files(&self) -> bool {
        self.command.contains(LOOKS_AT) || self.format == LintFormat::Eslint
    }

    /// Whether a path has a say in what it finds, and is none of the files that it judges: a change is not judged by the rules that it
    /// brings.
    pub fn is_steered_by(&self, path: &str) -> bool {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        // The globs of rules were checked when these were read, and those of presets are tested.
        let is_of = |globs: &[String], path: &str| Globs::new(globs).is_ok_and(|globs| globs.matches(path));
        match &self.used {
            LinterUse::Folder { folder, configuration } => {
                let below = if folder.is_empty() { Some(path) } else { path.strip_prefix(&join(folder, "")) };
                // It may judge any other file with a dot, such as a workflow.
                name.starts_with('.') && name.ends_with("ignore")
                    || below.is_some_and(|path| is_of(configuration, path))
            }
            LinterUse::Configured { files, steered_by, endings } => {
                let is_judged = || endings.iter().any(|ending| name.ends_with(ending.as_str()));
                files.iter().any(|file| !file.shared && file.file == name) || is_of(steered_by, path) && !is_judged()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linter(used: LinterUse) -> ConfiguredLinter {
        let (name, command, program) = ("x".to_owned(), "x".to_owned(), "x".to_owned());
        ConfiguredLinter { name, command, program, format: LintFormat::Lines, warnings: false, used }
    }

    #[test]
    fn what_steers_a_linter_is_not_what_it_judges() {
        let file = |file: &str, shared| LinterFile { file: file.to_owned(), has: None, shared };
        let files = vec![file("x.toml", false), file("package.json", true)];
        let steered_by = ["**/.*", "**/.*/**", "**/rust-toolchain"].map(str::to_owned).into();
        let endings = vec![".py".to_owned()];
        let found = linter(LinterUse::Configured { files, steered_by, endings });
        for path in ["x.toml", "a/x.toml", "rust-toolchain", ".ignore", "a/.ignore", ".cargo/config.toml", ".rubocop"] {
            assert!(found.is_steered_by(path), "{path}");
        }
        for path in ["a.py", ".github/a.py", "package.json", "data.json", "a.ignore"] {
            assert!(!found.is_steered_by(path), "{path}");
        }
        let configuration = vec!["*.cfg".to_owned()];
        let named = linter(LinterUse::Folder { folder: "docs".to_owned(), configuration });
        for (path, expected) in
            [("docs/a.cfg", true), ("a.cfg", false), (".eslintignore", true), (".github/workflows/a.yml", false)]
        {
            assert_eq!(named.is_steered_by(path), expected, "{path}");
        }
    }
}
