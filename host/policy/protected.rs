//! The paths that no patch may touch, as the rules of a repository say.

use guardhost_core::error::{Fault, Kind, Result};
use guardhost_core::setting::SettingPath;
use guardhost_git::{Repo, hooks_dir};
use guardhost_patch::sanitize;

use super::work_tree_path::work_tree_paths;
use crate::config::Policy;

/// Beside those of [`sanitize::Rules::built_in`], which says why: what build servers, runners of hooks, agents, editors, package managers
/// and shells read without being asked, by the names that their documentation gives. `*/**/`
/// is any folder but the root, for which the other list has a glob that `unprotect` may name.
const MORE: [&str; 84] = [
    // Build servers.
    ".travis.yml",
    ".drone.yml",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    ".cirrus.yml",
    ".cirrus.star",
    ".azure-pipelines/**",
    "azure-pipelines.yaml",
    "bitbucket-pipelines.yml",
    "appveyor.yml",
    ".appveyor.yml",
    ".semaphore/**",
    ".tekton/**",
    ".builds/**",
    ".build.yml",
    ".teamcity/**",
    ".harness/**",
    ".zuul.yaml",
    ".zuul.d/**",
    "cloudbuild.yaml",
    "cloudbuild.yml",
    "buildspec.yml",
    "codefresh.yml",
    "wercker.yml",
    // Runners of hooks, under each name that they look for.
    ".pre-commit-config.yml",
    "prek.toml",
    "lefthook.yaml",
    "lefthook.toml",
    "lefthook.json",
    "lefthook-local.*",
    ".lefthook.*",
    ".lefthook-local.*",
    ".lefthook/**",
    ".config/lefthook*",
    ".overcommit.yml",
    ".git-hooks/**",
    "*/**/.husky/**",
    "*/**/.githooks/**",
    // Where git-lfs fetches from.
    ".lfsconfig",
    // The same of other version control systems, which may share the folder.
    "**/.hg/**",
    "**/.jj/**",
    "**/.svn/**",
    // Agents.
    "**/opencode.json",
    "**/opencode.jsonc",
    "**/.opencode/**",
    "**/.kiro/**",
    "**/.qwen/**",
    "**/.amazonq/**",
    "**/.augment/**",
    "**/.continue/**",
    "**/.roo/**",
    "**/.roomodes",
    "**/.windsurf/**",
    "**/.junie/**",
    "**/.trae/**",
    "**/.clinerules/**",
    ".aider.conf.yml",
    // Editors.
    "**/.vscode/mcp.json",
    "**/.vscode/launch.json",
    "*/**/.vscode/tasks.json",
    "*/**/.vscode/settings.json",
    "**/*.code-workspace",
    "**/.idea/**",
    "**/.run/**",
    "**/.zed/**",
    "*/**/.devcontainer/**",
    "**/.devcontainer.json",
    "**/.exrc",
    "**/.nvim.lua",
    "**/.nvimrc",
    "**/.dir-locals.el",
    // Package managers, interpreters and builds, which load these before the project's own code.
    "node_modules/**",
    "**/.pnp.cjs",
    "**/.pnpmfile.cjs",
    "**/.yarn/releases/**",
    "**/.yarn/plugins/**",
    "**/.venv/**",
    "**/.mvn/extensions.xml",
    "**/.mvn/jvm.config",
    "**/.mvn/maven.config",
    // Shells that set up a folder when somebody enters it.
    "**/mise.toml",
    "**/.mise.toml",
    "**/.config/mise/**",
    "**/.mise/**",
];

/// The built-in globs, in the order of the documentation.
pub fn built_in_protection() -> impl Iterator<Item = &'static str> {
    sanitize::Rules::built_in().iter().copied().chain(MORE)
}

/// The built-in globs without those of `unprotect`, and those of `protect`.
///
/// # Errors
/// [`Kind::Config`]: `unprotect` names a glob that is not built in.
pub fn protected(policy: &Policy) -> Result<Vec<String>> {
    let is_built_in = |glob: &str| built_in_protection().any(|built_in| built_in == glob);
    let unknown = policy.unprotect.iter().enumerate().filter(|(_, glob)| !is_built_in(glob));
    let unknown = unknown.map(|(index, glob)| {
        Fault::new(Kind::Config, format!("`policy.unprotect` names `{glob}`, which the built-in list does not have"))
            .hint("docs/guards-toml.md has the list; its globs are taken away word for word")
            .setting(SettingPath::default().key("policy").key("unprotect").index(index))
    });
    if let Some(fault) = Fault::all(unknown) {
        return Err(fault.into());
    }
    let kept = built_in_protection().filter(|glob| !policy.unprotect.iter().any(|taken| taken == glob));
    Ok(kept.map(str::to_owned).chain(policy.protect.iter().cloned()).collect())
}

/// The globs of the folder in which git looks for hooks, where `core.hooksPath` puts it into the work tree: git would start what a patch
/// writes there. `unprotect` takes none of them away.
///
/// # Errors
/// Git's settings cannot be read.
pub fn hooks_in_tree(repo: &Repo) -> Result<Vec<String>> {
    let folders = work_tree_paths(repo, &hooks_dir(repo)?);
    let folders = folders.iter().filter_map(|folder| folder.as_str()).filter(|folder| !folder.starts_with(".git/"));
    // A name may hold what globs mean something by.
    let literal = |folder: &str| folder.replace(|c| "*?[]{}\\!".contains(c), "?");
    Ok(folders
        .map(|folder| if folder.is_empty() { IN_ROOT.to_owned() } else { format!("{}/**", literal(folder)) })
        .collect())
}

/// The names of git's hooks, where the root itself is the folder.
const IN_ROOT: &str = "{applypatch-msg,pre-applypatch,post-applypatch,pre-commit,pre-merge-commit,prepare-commit-msg,commit-msg,post-commit,\
                       pre-rebase,post-checkout,post-merge,pre-push,pre-receive,update,proc-receive,post-receive,post-update,\
                       reference-transaction,push-to-checkout,pre-auto-gc,post-rewrite,sendemail-validate,fsmonitor-watchman,\
                       post-index-change,p4-changelist,p4-prepare-changelist,p4-post-changelist,p4-pre-submit}";
