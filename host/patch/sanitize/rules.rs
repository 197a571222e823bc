//! What a repository decides for itself: which paths a patch may not touch, and how large it may be.

use guardhost_core::change::RepoPath;

/// Limits are inclusive: what is exactly as large passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Globs of paths that no patch may touch. `*` does not cross `/`, `**` does; letter case is ignored.
    pub protect: Vec<String>,
    /// Globs of paths that may be touched although they match `protect` or look like credentials. They open
    /// neither `.git` nor the files that hold the rules.
    pub allow: Vec<String>,
    /// The only paths that may be touched, when there are any. They open nothing that `protect` closes.
    pub only: Vec<RepoPath>,
    /// Content of one file, or what is added to it, in bytes.
    pub max_file_bytes: u64,
    /// All lines of the patch together, in bytes.
    pub max_patch_bytes: u64,
    pub max_files: usize,
}

/// What runs or decides without anybody starting it: on commit, push or checkout, or when a folder is opened in an editor or
/// an agent. Whoever can write these has the machine, or the secrets of the build server, at the next `git pull`; and a
/// reviewer of a code change does not look there. Build scripts are not listed: to change them is a proper task.
const PROTECT: [&str; 26] = [
    // Build servers, who reviews what, and what they may spend.
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

impl Default for Rules {
    fn default() -> Self {
        Rules {
            protect: PROTECT.map(String::from).to_vec(),
            allow: Vec::new(),
            only: Vec::new(),
            max_file_bytes: 2 << 20,
            max_patch_bytes: 8 << 20,
            max_files: 500,
        }
    }
}
