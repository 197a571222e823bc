//! Paths that no patch may touch, whatever the guards say.

use crate::support::cli::host_with;
use crate::support::repo::TestRepo;

/// The exit code of a patch that adds a file.
fn added(repo: &TestRepo, path: &str) -> i32 {
    let patch = format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n");
    host_with(repo.path(), &["apply", "--no-guards", "--dry-run", "--patch", "-"], patch.as_bytes(), &[]).code
}

/// Whatever a build server, a runner of hooks, an agent or an editor reads without being asked.
#[test]
fn no_patch_writes_what_runs_by_itself() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    let code = |path: &str| added(&repo, path);
    for path in [
        ".travis.yml",
        ".lefthook.yml",
        "lefthook-local.yml",
        "frontend/.husky/pre-commit",
        ".jj/repo/config.toml",
        "opencode.json",
        ".kiro/hooks/a.json",
        ".vscode/mcp.json",
        "app/.vscode/tasks.json",
        "a.code-workspace",
        ".idea/watcherTasks.xml",
        ".zed/tasks.json",
        ".devcontainer.json",
        "app/.devcontainer/devcontainer.json",
        "node_modules/a/index.js",
        "app/.venv/bin/python",
        ".mvn/extensions.xml",
        "mise.toml",
    ] {
        assert_eq!(code(path), 7, "{path}");
    }
    for path in
        ["travis.yml", "src/.babelrc", "fixtures/node_modules/a.js", ".vscode/extensions.json", "docs/husky/a.md"]
    {
        assert_eq!(code(path), 0, "{path}");
    }
}

/// Git starts what lies in the folder that `core.hooksPath` names.
#[test]
fn no_patch_writes_into_the_folder_of_the_hooks() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    let code = |path: &str| added(&repo, path);
    let absolute = repo.path().join("tools/hooks");
    for (folder, hook) in [
        ("tools/hooks", "tools/hooks/pre-commit"),
        ("tools/hooks", "tools/hooks/_/helper.sh"),
        ("./tools/../tools/hooks/", "Tools/Hooks/pre-commit"),
        (absolute.to_str().unwrap(), "tools/hooks/pre-commit"),
        ("a[b]*", "a[b]*/pre-commit"),
        (".", "pre-commit"),
    ] {
        assert_eq!(code(hook), 0, "{hook}");
        repo.git(&["config", "core.hooksPath", folder]);
        assert_eq!((code(hook), code("tools/other")), (7, 0), "{folder}");
        repo.git(&["config", "--unset", "core.hooksPath"]);
    }
}

/// The documentation lists every glob, so that each can be taken away.
#[test]
fn every_protected_glob_is_documented() {
    let docs = include_str!("../../docs/guards-toml.md");
    let built_in = guardhost_patch::sanitize::Rules::built_in().iter();
    let missing: Vec<&&str> = built_in.filter(|glob| !docs.contains(&format!("`{glob}`"))).collect();
    assert_eq!(missing, Vec::<&&str>::new());
}
