//! An issue: what is wrong, where, and what tells whether it is gone.

use guardhost_core::change::RepoPath;
use guardhost_core::issue::Side;
use serde::{Deserialize, Serialize};

use super::batch::{EFFORT, FILES, Workload};

/// Characters of a title and of a description. Issues come from scanners and people, and are shown to models.
pub const TITLE: usize = 300;
pub const TEXT: usize = 4_000;

/// What tells whether an issue is still there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detector {
    /// A guard, by its id; it judges the whole tree.
    Guard(String),
    /// A metric of `host audit`, by its id.
    Metric(String),
    /// The scanner that wrote the SARIF file, if the user names its command.
    Scanner,
    #[default]
    None,
}

/// One issue as it was reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// Unique in its list.
    pub id: String,
    /// The same for the same issue of the same repository, whichever list it stands in.
    pub fingerprint: String,
    pub title: String,
    pub text: String,
    /// The rule of the detector that reports it; empty when there is none.
    pub rule: String,
    pub path: Option<RepoPath>,
    /// From 1.
    pub line: Option<u32>,
    /// Files that its words name, of an issue that says nothing of a place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<RepoPath>,
    pub detector: Detector,
    /// As the scanner writes them: names and values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<(String, String)>,
    pub effort: Option<u32>,
    pub files: Option<u32>,
    pub standing: ListedState,
}

/// What the list says of an issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListedState {
    #[default]
    Open,
    Ignored(Option<String>),
    /// Of the issue with this id.
    Duplicate(String),
}

impl Issue {
    pub fn workload(&self, frontend: &dyn Fn(&RepoPath) -> bool) -> Workload {
        let mut files = self.path.iter().chain(&self.cited).peekable();
        let side = match files.peek().is_some() && files.all(frontend) {
            true => Side::Frontend,
            false => Side::Backend,
        };
        Workload { side, effort: self.effort.unwrap_or(EFFORT), files: self.files.unwrap_or(FILES) }
    }

    /// `src/x.py:12`, or the id of an issue without a file.
    pub fn place(&self) -> String {
        match (&self.path, self.line) {
            (Some(path), Some(line)) => format!("{path}:{line}"),
            (Some(path), None) => path.to_string(),
            (None, _) => self.id.clone(),
        }
    }
}

/// The digest of what an issue is about: not of its line number or its effort, which change without it.
pub fn fingerprint(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Gives ids to those without one, and marks issues of one fingerprint as duplicates of the first.
pub fn settle_list(mut issues: Vec<Issue>) -> Result<Vec<Issue>, String> {
    for (at, issue) in issues.iter_mut().enumerate() {
        if issue.id.is_empty() {
            issue.id = format!("I{:03}", at + 1);
        }
    }
    for at in 0..issues.len() {
        let (earlier, rest) = issues.split_at_mut(at);
        let issue = &mut rest[0];
        if let Some(other) = earlier.iter().find(|other| other.id == issue.id) {
            return Err(format!("two issues have the id `{}`", other.id));
        }
        let same =
            earlier.iter().find(|other| other.fingerprint == issue.fingerprint && other.standing == ListedState::Open);
        if let (ListedState::Open, Some(same)) = (&issue.standing, same) {
            issue.standing = ListedState::Duplicate(same.id.clone());
        }
    }
    Ok(issues)
}

/// A path as scanners and people write it, relative to the root of the repository; None for one outside of it.
pub fn repo_path(text: &str) -> Option<RepoPath> {
    let text = text.trim_start_matches("./");
    let outside =
        text.is_empty() || text.starts_with('/') || text.contains('\0') || text.split('/').any(|part| part == "..");
    (!outside).then(|| RepoPath::from(text))
}

/// The beginning of a text, on one line.
pub fn line(text: &str, most: usize) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(most).collect()
}
