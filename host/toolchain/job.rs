//! One tool in one project: how it is started, and what it left when it ended.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::coverage::CoverageFormat;
use super::report::NotRun;
use super::sandbox::{Exit, ReportFrom};

/// A test runner or a build tool.
pub trait ProjectTool: Debug + Clone + PartialEq {
    /// As the contract's reports name it.
    fn name(&self) -> &str;
}

/// A command to run in a project's folder.
#[derive(Debug, Clone)]
pub struct ToolJob<T> {
    pub tool: T,
    /// The project's folder; empty for the root.
    pub project: String,
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Added to the variables that every command gets. In these and in `args`, names in braces stand for folders: see [`JobPlaces`].
    pub env: Vec<(&'static str, String)>,
    pub report: ReportFrom,
    /// Globs below the project's folder of files that it writes its report to: what stands there before is removed.
    pub report_files: Vec<String>,
    /// How it writes down which lines it goes over, in files of the folder `{coverage}`.
    pub coverage: Option<CoverageFormat>,
    /// The command that prints the tool's version, which is part of the key of a kept report. The tool is missing when it fails.
    pub version: (PathBuf, Vec<String>),
    /// The reason to report when the version command fails.
    pub install: String,
    /// Folders outside the work tree that it reads.
    pub reads: Vec<PathBuf>,
}

impl<T> ToolJob<T> {
    /// Without arguments, variables and folders yet.
    pub fn new(tool: T, project: &str, program: PathBuf) -> Self {
        let (args, env, reads, report_files) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (project, version, install) = (project.to_owned(), (PathBuf::new(), Vec::new()), String::new());
        let report = ReportFrom::default();
        let coverage = None;
        ToolJob { tool, project, program, args, env, report, report_files, coverage, version, install, reads }
    }
}

/// A tool of a project that is not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTool<T> {
    pub tool: T,
    pub project: String,
    /// What is missing, and what to do.
    pub why: NotRun,
}

impl<T> MissingTool<T> {
    /// This machine does not have it.
    pub fn not_installed(tool: T, project: &str, why: impl Into<String>) -> Self {
        MissingTool { tool, project: project.to_owned(), why: NotRun::CouldNot(why.into()) }
    }
}

/// A job that ended by itself.
pub struct FinishedJob<'a, T> {
    pub job: &'a ToolJob<T>,
    pub exit: &'a Exit,
    /// The work tree.
    pub tree: &'a Path,
    /// Texts of the files of its report, or why they cannot be read.
    pub files: Result<Vec<String>, String>,
    /// Texts of the files of `{coverage}`, or why they cannot be read.
    pub coverage: Result<Vec<String>, String>,
}

impl<T> FinishedJob<'_, T> {
    /// The repository's path of a file that the tool named; None for one outside the work tree.
    pub fn path(&self, named: &str) -> Option<String> {
        let named = Path::new(named);
        let path = match named.is_absolute() {
            true => named.strip_prefix(self.tree).ok()?.to_path_buf(),
            false => Path::new(&self.job.project).join(named.strip_prefix("./").unwrap_or(named)),
        };
        Some(path.to_string_lossy().into_owned())
    }

    /// The same of a regular file that the work tree has. No link is followed out of it.
    pub fn file(&self, named: &str) -> Option<String> {
        let tree = Dir::open_ambient_dir(self.tree, ambient_authority()).ok()?;
        self.path(named).filter(|path| tree.metadata(path).is_ok_and(|meta| meta.is_file()))
    }

    /// Its output.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.exit.output).into_owned()
    }
}

/// What the names in the words of a job stand for.
pub struct JobPlaces<'a> {
    /// `{tree}`: the work tree.
    pub tree: &'a Path,
    /// `{built}`: the tool's build folder.
    pub built: &'a Path,
    /// `{reporters}`: the host's programs that run inside of test runners.
    pub reporters: &'a Path,
    /// `{host}`: this program.
    pub host: &'a Path,
    /// `{report}`: a file for a report, if the tool cannot do better.
    pub report: &'a Path,
    /// `{coverage}`: a folder for what says which lines were run.
    pub coverage: &'a Path,
}

impl JobPlaces<'_> {
    pub fn expand(&self, word: &str) -> String {
        let places = [
            ("{tree}", self.tree),
            ("{built}", self.built),
            ("{reporters}", self.reporters),
            ("{host}", self.host),
            ("{report}", self.report),
            ("{coverage}", self.coverage),
        ];
        places.iter().fold(word.to_owned(), |word, (name, path)| word.replace(name, &path.to_string_lossy()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Shell;

    #[cfg(unix)]
    #[test]
    fn a_file_outside_of_the_tree_is_none_of_it() {
        let (tree, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(outside.path().join("secret"), "").unwrap();
        std::fs::write(tree.path().join("a.py"), "").unwrap();
        std::os::unix::fs::symlink("a.py", tree.path().join("b.py")).unwrap();
        std::os::unix::fs::symlink(outside.path(), tree.path().join("out")).unwrap();
        let job = ToolJob::new(Shell, "", "sh".into());
        let exit = Exit { code: 0, output: Vec::new(), records: Ok(Vec::new()) };
        let (files, coverage) = (Ok(Vec::new()), Ok(Vec::new()));
        let finished = FinishedJob { job: &job, exit: &exit, tree: tree.path(), files, coverage };
        let above = format!("../{}/secret", outside.path().file_name().unwrap().display());
        for (named, expected) in
            [("a.py", Some("a.py")), ("./b.py", Some("b.py")), ("out/secret", None), (&above, None)]
        {
            assert_eq!(finished.file(named).as_deref(), expected, "{named}");
        }
    }
}
