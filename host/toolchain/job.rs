//! One tool in one project: how it is started, and how what it says is read.

use std::path::{Path, PathBuf};

use super::sandbox::Ended;

/// A command that is to run in a project's folder.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// As the contract's reports name it.
    pub tool: &'static str,
    /// The project's folder; empty for the root.
    pub project: String,
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Beside what every command gets; `{built}`, `{out}` and `{tree}` stand for those folders.
    pub env: Vec<(&'static str, String)>,
    /// What tells the tool's version, which is a part of every kept answer. When it fails, the tool is not there.
    pub version: (PathBuf, Vec<String>),
    /// What to do when it is not there.
    pub install: String,
    /// Folders outside of the work tree that it reads.
    pub reads: Vec<PathBuf>,
}

/// A tool is not there: what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub tool: &'static str,
    pub project: String,
    pub why: String,
}

/// A job that ended by itself, and where it left what.
pub struct Done<'a> {
    pub job: &'a Job,
    pub ended: &'a Ended,
    /// The work tree.
    pub tree: &'a Path,
    /// Where it wrote its report.
    pub out: &'a Path,
}

impl Done<'_> {
    /// A file of the work tree, as the repository names it; None for one that lies elsewhere.
    pub fn path(&self, told: &str) -> Option<String> {
        let told = Path::new(told);
        let told = match told.is_absolute() {
            true => told.strip_prefix(self.tree).ok()?.to_path_buf(),
            false => Path::new(&self.job.project).join(told.strip_prefix("./").unwrap_or(told)),
        };
        Some(told.to_string_lossy().into_owned())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.ended.output).into_owned()
    }
}

/// Fills in the folders of a job's words.
pub fn fill(word: &str, tree: &Path, built: &Path, out: &Path) -> String {
    [("{tree}", tree), ("{built}", built), ("{out}", out)]
        .iter()
        .fold(word.to_owned(), |word, (name, folder)| word.replace(name, &folder.to_string_lossy()))
}
