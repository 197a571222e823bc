//! Answers about a repository on the server's disk: its context, history and modules.

use serde::{Deserialize, Serialize};

use super::{LanguageCount, Observation};

/// `GET /repo/context`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepositoryContext {
    pub repo: String,
    pub tree: String,
    pub commit_sha: String,
    pub languages: Vec<LanguageCount>,
    /// Files that most of the examined commits changed, most first.
    pub churn: Vec<FileChurn>,
    /// Files of HEAD that none of the examined commits changed, sorted; at most 200.
    pub stable_files: Vec<String>,
    /// How many commits were examined, newest first.
    pub commits_examined: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChurn {
    pub path: String,
    pub mods: u64,
}

/// `GET /repo/blame/PATH`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blame {
    pub path: String,
    pub commit_sha: String,
    pub lines: Vec<BlameLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlameLine {
    /// From 1.
    pub line: u64,
    pub commit: String,
    pub author: String,
    /// RFC 3339.
    pub ts: String,
    pub summary: String,
    /// A later commit that says it reverts that one.
    pub reverted_by: Option<String>,
}

/// `GET /repo/churn/PATH`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Churn {
    pub path: String,
    pub since: Option<String>,
    pub mods: u64,
    pub reverts: u64,
    /// Newest first; at most 100.
    pub commits: Vec<ChurnEntry>,
    /// The history is longer than what was examined: the counts are lower bounds.
    pub is_cut: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChurnEntry {
    pub commit: String,
    pub ts: String,
    pub summary: String,
    pub is_revert: bool,
}

/// `GET /diff`: from the merge base of two revisions to the second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diff {
    pub base: String,
    pub branch: String,
    pub merge_base: String,
    pub files: Vec<DiffFile>,
    /// Only the first files are listed.
    pub is_cut: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffFile {
    pub path: String,
    /// `added`, `modified`, `deleted`, `renamed`, …
    pub status: String,
    pub added: u64,
    pub removed: u64,
    /// None for a language whose definitions are not read, or a file that does not parse.
    pub ast_top_level_delta: Option<Definitions>,
}

/// Names of top-level definitions, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definitions {
    pub added: Vec<String>,
    pub removed: Vec<String>,
}

/// `GET /file/fingerprint`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFingerprint {
    pub path: String,
    /// The blob's object id.
    pub content_hash: String,
    /// Of what the file imports, offers and defines: the same for files that differ in their bodies alone. None when it cannot be read.
    pub ast_hash: Option<String>,
    pub bytes: u64,
}

/// `GET /file/imports`, of Python, JavaScript, TypeScript and Go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileImports {
    pub path: String,
    pub imports: Vec<ImportedName>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedName {
    pub module: String,
    /// None for the module itself.
    pub name: Option<String>,
    pub line: u32,
}

/// `GET /file/exports`, of Python, JavaScript and TypeScript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileExports {
    pub path: String,
    pub exports: Vec<String>,
    /// Modules all of whose names it offers as well.
    pub all_of: Vec<String>,
    /// It may offer names that its text does not show.
    pub is_open: bool,
}

/// `GET /symbol`, of Python, TypeScript and Rust.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    pub path: String,
    pub name: String,
    pub line: u32,
    /// As one would write it: `name(a, b=…)`.
    pub signature: String,
    pub parameters: Vec<SymbolParameter>,
    /// Calls in the same file.
    pub callers: Vec<SymbolCaller>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolParameter {
    pub name: String,
    pub is_required: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolCaller {
    pub path: String,
    pub line: u32,
}

/// `GET /agent/identity/COMMIT`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentIdentity {
    pub commit: String,
    /// None: no observation names the commit.
    pub agent: Option<String>,
    pub observation: Option<Observation>,
}
