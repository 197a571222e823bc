//! What a repository configures: which paths a patch may not touch, and how large it may be.

use guardhost_core::change::RepoPath;

/// Limits are inclusive: a patch of exactly that size passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Globs of paths that no patch may touch. `*` does not cross `/`, `**` does; letter case is ignored.
    pub protect: Vec<String>,
    /// Globs of paths that may be touched although they match `protect` or look like credentials. They allow neither
    /// `.git` nor the files that hold the rules.
    pub allow: Vec<String>,
    /// Components that pins name by their path in the repository. They hold the rules as `guards.toml` does: no glob opens them.
    pub guard_files: Vec<RepoPath>,
    /// When not empty, the only paths that may be touched. They do not override `protect`.
    pub only: Vec<RepoPath>,
    /// Content of one file, or what is added to it, in bytes.
    pub max_file_bytes: u64,
    /// All lines of the patch together, in bytes.
    pub max_patch_bytes: u64,
    pub max_files: usize,
}

/// Files that run, or grant rights, without a person starting them: on commit, push or checkout, or when an editor or an agent
/// opens the folder. Who can write them controls the machine, or the secrets of the build server, at the next `git pull`, and
/// reviewers of a code change seldom look there. Build scripts are not listed: changing them is a proper task.
const PROTECT: [&str; 26] = [
    // Build servers, and the reviewers of each path.
    ".github/**",
    ".gitlab-ci.yml",
    ".gitlab/**",
    ".circleci/**",
    ".buildkite/**",
    ".woodpecker/**",
    ".forgejo/**",
    ".gitea/**",
    "azure-pipelines.yml",
    "Jenkinsfile",
    "**/CODEOWNERS",
    // Hooks of git.
    ".husky/**",
    ".githooks/**",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    // Filters and merge drivers: attributes choose which configured command git runs on checkout.
    "**/.gitattributes",
    // Agents: hooks, permissions and servers that they start.
    "**/.claude/**",
    "**/.codex/**",
    "**/.gemini/**",
    "**/.cursor/**",
    "**/.mcp.json",
    // Editors: tasks that run when a folder is opened.
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".devcontainer/**",
    // Wrappers and runners that replace the compiler.
    "**/.cargo/config.toml",
    "**/.cargo/config",
];

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
            only: Vec::new(),
            max_file_bytes: 2 << 20,
            max_patch_bytes: 8 << 20,
            max_files: 500,
        }
    }
}
