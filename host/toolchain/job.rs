//! One tool in one project: how it is started, and what it left when it ended.

use std::path::{Path, PathBuf};

use super::sandbox::Exit;

/// A command to run in a project's folder.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// As the contract's reports name it.
    pub tool: &'static str,
    /// The project's folder; empty for the root.
    pub project: String,
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Added to the variables that every command gets. In these and in `args`, `{built}`, `{out}` and `{tree}` stand for those folders.
    pub env: Vec<(&'static str, String)>,
    /// The command that prints the tool's version, which is part of the key of a kept report. The tool is missing when it fails.
    pub version: (PathBuf, Vec<String>),
    /// The reason to report when the version command fails.
    pub install: String,
    /// Folders outside the work tree that it reads.
    pub reads: Vec<PathBuf>,
}

/// A tool that the project needs is not installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTool {
    pub tool: &'static str,
    pub project: String,
    /// What is missing, and what to do.
    pub why: String,
}

/// A job that ended by itself.
pub struct FinishedJob<'a> {
    pub job: &'a Job,
    pub exit: &'a Exit,
    /// The work tree.
    pub tree: &'a Path,
    /// Where it wrote its report.
    pub out: &'a Path,
}

impl FinishedJob<'_> {
    /// The repository's path of a file that the tool named; None for one outside the work tree.
    pub fn path(&self, named: &str) -> Option<String> {
        let named = Path::new(named);
        let path = match named.is_absolute() {
            true => named.strip_prefix(self.tree).ok()?.to_path_buf(),
            false => Path::new(&self.job.project).join(named.strip_prefix("./").unwrap_or(named)),
        };
        Some(path.to_string_lossy().into_owned())
    }

    /// Its output.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.exit.output).into_owned()
    }
}

/// Replaces the placeholders in a word of a job by its folders.
pub fn expand(word: &str, tree: &Path, built: &Path, out: &Path) -> String {
    [("{tree}", tree), ("{built}", built), ("{out}", out)]
        .iter()
        .fold(word.to_owned(), |word, (name, folder)| word.replace(name, &folder.to_string_lossy()))
}
