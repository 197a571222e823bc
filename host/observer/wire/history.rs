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
    /// As the facts of its tree have it.
    pub stack: Vec<String>,
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

/// A line of `GET /repo/blame/PATH`, which answers with all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlameLine {
    /// From 1.
    pub line: u64,
    pub commit: String,
    pub author: String,
    /// RFC 3339.
    pub ts: String,
    /// The same, by the name that other observers have for it.
    pub when: String,
    pub summary: String,
    /// Of the observation that names the commit, if there is one.
    pub agent: Option<String>,
    pub run_id: Option<String>,
    /// A later commit that says it reverts that one.
    pub reverted_by: Option<String>,
}

/// `GET /repo/churn/PATH`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Churn {
    pub path: String,
    pub since: Option<String>,
    pub mods: u64,
    /// The same number, by the name that other observers have for it.
    pub modifications: u64,
    pub reverts: u64,
    /// Authors of the commits, sorted.
    pub contributors: Vec<String>,
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
    /// Paths of `files`.
    pub touched_files: Vec<String>,
    /// Of all files together.
    pub ast_top_level_delta: DefinitionDelta,
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
    /// In both, with another text.
    pub modified: Vec<String>,
}

/// Top-level definitions that came, went, or have another text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionDelta {
    pub added: Vec<ChangedDefinition>,
    pub removed: Vec<ChangedDefinition>,
    pub modified: Vec<ChangedDefinition>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedDefinition {
    pub file: String,
    pub name: String,
    /// As in [`ExportedName`].
    pub kind: String,
}

/// `GET /file/fingerprint`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFingerprint {
    pub path: String,
    /// The blob's object id.
    pub sha: String,
    /// `sha256:` and the digest of its bytes.
    pub content_hash: String,
    /// The same of what the file imports, offers and defines: the same for files that differ in their bodies alone. None when it cannot be read.
    pub ast_hash: Option<String>,
    pub bytes: u64,
}

/// An entry of `GET /file/imports`, of Python, JavaScript, TypeScript and Go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedName {
    pub module: String,
    /// None for the module itself.
    pub symbol_imported: Option<String>,
    /// What it is called in the file, where that is another name.
    pub alias: Option<String>,
    pub line: u32,
}

/// What `GET /file/exports` lists, of Python, JavaScript and TypeScript: names that the file defines, without private ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileExports {
    pub exports: Vec<ExportedName>,
    /// It may offer names that its text does not show, or all of another module.
    pub is_open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedName {
    pub name: String,
    /// `function`, `class`, `variable`, `module`, …
    pub kind: String,
    /// None where the text gives the name without defining it: `export default`.
    pub lineno: Option<u32>,
    /// Always: private names are left out.
    pub public: bool,
}

/// `GET /symbol`: a function, class, method or value of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    pub path: String,
    pub name: String,
    /// As in [`ExportedName`].
    pub kind: String,
    pub line: u32,
    /// The same, by the name that other observers have for it.
    pub lineno: u32,
    /// As one would write it: `name(a, b=…)`.
    pub signature: String,
    /// Where they are certain.
    pub parameters: Vec<SymbolParameter>,
    /// Calls in the same file.
    pub callers: Vec<SymbolCaller>,
    /// What its own text calls.
    pub callees: Vec<SymbolCallee>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolParameter {
    pub name: String,
    pub is_required: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolCaller {
    pub path: String,
    /// The same, by the name that other observers have for it.
    pub file: String,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolCallee {
    pub name: String,
}

/// `GET /agent/identity/COMMIT`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentIdentity {
    pub commit: String,
    pub agent: String,
    pub run_id: String,
    pub subtask_id: Option<String>,
    pub model: Option<String>,
    pub confidence: Option<f64>,
    pub ts: String,
    pub observation: Observation,
}
