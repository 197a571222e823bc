//! What a repository configures: which paths a patch may not touch, and how large it may be.

use guardhost_core::change::RepoPath;

use super::protected::PROTECT;

/// Limits are inclusive: a patch of exactly that size passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Globs of paths that no patch may touch, in any letter case.
    pub protect: Vec<String>,
    /// Globs of paths that may be touched although they match `protect` or look like credentials. They allow neither
    /// `.git` nor the files that hold the rules.
    pub allow: Vec<String>,
    /// Components that pins name by their path in the repository. They hold the rules as `guards.toml` does: no glob opens them.
    pub guard_files: Vec<RepoPath>,
    /// A person saw what this one patch does to the files that hold the rules, and allows it.
    pub allow_rule_files: bool,
    /// When not empty, the only paths that may be touched. They do not override `protect`.
    pub only: Vec<RepoPath>,
    /// Content of one file, or what is added to it, in bytes.
    pub max_file_bytes: u64,
    /// All lines of the patch together, in bytes.
    pub max_patch_bytes: u64,
    pub max_files: usize,
}

impl Rules {
    /// The built-in globs of `protect`.
    pub fn built_in() -> &'static [&'static str] {
        &PROTECT
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            protect: PROTECT.map(String::from).to_vec(),
            allow: Vec::new(),
            guard_files: Vec::new(),
            allow_rule_files: false,
            only: Vec::new(),
            max_file_bytes: 2 << 20,
            max_patch_bytes: 8 << 20,
            max_files: 500,
        }
    }
}
