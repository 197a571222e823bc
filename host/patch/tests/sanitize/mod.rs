//! Containment: every trick is refused with its own kind, honest paths pass.

mod rules;

use guardhost_core::change::{
    FileMode, FileOp, FilePatch, Hunk, Line, Patch, PatchFormat, Refused, RefusedKind, RepoPath, Tree,
};
use guardhost_core::stop::StopToken;
use guardhost_patch::sanitize::{Rules, check_paths, check_rule_files, sanitize};
use proptest::prelude::*;

use crate::support::objects::tree;
use crate::support::text::{pieces, read};
use RefusedKind::{Conflicting, GitInternals, Mode, Protected, Sensitive, Submodule, Symlink, TooLarge, UnsafePath};

/// A repository with one of everything.
fn base() -> Tree {
    tree(&[
        ("src/lib.rs", FileMode::File, "pub fn f() {}\n"),
        ("run.sh", FileMode::Executable, "exit\n"),
        ("link", FileMode::Symlink, "src"),
        ("deep/er/up", FileMode::Symlink, "../../src"),
        ("vendor/dep", FileMode::Submodule, ""),
    ])
}

fn file(path: impl Into<Vec<u8>>, op: FileOp) -> FilePatch {
    FilePatch::new(RepoPath::new(path), op)
}

fn create(path: impl Into<Vec<u8>>) -> FilePatch {
    file(path, FileOp::Create(b"x\n".to_vec()))
}

fn edit(path: &str) -> FilePatch {
    let lines = vec![Line::Remove(b"a".to_vec()), Line::Add(b"b".to_vec())];
    file(path, FileOp::Modify(vec![Hunk { lines, ..Hunk::default() }]))
}

fn moved(from: &str, path: &str) -> FilePatch {
    file(path, FileOp::Rename { from: from.into(), hunks: Vec::new() })
}

fn link(path: &str, target: &str) -> FilePatch {
    FilePatch { mode: Some(FileMode::Symlink), ..file(path, FileOp::Create(target.into())) }
}

fn with_mode(mode: FileMode, file: FilePatch) -> FilePatch {
    FilePatch { mode: Some(mode), ..file }
}

fn patch(files: Vec<FilePatch>) -> Patch {
    Patch::new(PatchFormat::GitDiff, files)
}

fn judge(files: Vec<FilePatch>) -> Result<Patch, Refused> {
    sanitize(patch(files), &Rules::default(), &base(), &StopToken::default()).unwrap().map(|clean| clean.into_patch())
}

#[test]
fn paths_that_are_refused() {
    let rows: &[(RefusedKind, &[&str])] = &[
        (
            UnsafePath,
            &[
                "",
                "/",
                "/etc/passwd",
                "//host/share",
                "..",
                "../x",
                "a/../../x",
                "docs/../.github/workflows/ci.yml",
                ".",
                "./x",
                "a/./b",
                "a//b",
                "a/",
                "src\\lib.rs",
                "..\\x",
                "C:/x",
                "c:x",
                "a:b",
                "file.txt:stream",
                "a\0b",
                "a\nb",
                "a\x7fb",
                "a\u{85}b",
                "name.",
                "name ",
                "dir /x",
                "dir./x",
                " x",
                "~/x",
                "NUL",
                "nul.txt",
                "aux/x",
                "com1",
                "LPT9.log",
                "con .txt",
                "CONIN$",
                "com\u{b9}",
                "guards~1.tom",
                "LONGFI~1",
                "a\u{202e}b",
                "src/\u{200d}x",
                "\u{feff}x",
                "a\u{200b}b.txt",
                "a\u{ad}b.txt",
                "a\u{2060}b",
                "a\u{fe0f}",
                "src/\u{e0061}x",
            ],
        ),
        (
            GitInternals,
            &[
                ".git",
                ".git/config",
                ".GIT/hooks/pre-commit",
                "sub/.git/config",
                ".git ",
                ".git./config",
                ".git. . /x",
                "git~1/config",
                "GIT~1",
                ".git::$INDEX_ALLOCATION/config",
                ".git:x",
                ".g\u{200c}it/config",
                "\u{feff}.git",
                ".gi\u{206a}t",
                ".G\u{131}T/x",
                ".gitmodules",
                ".GitModules",
                "gitmod~1",
                "GI7EBA~1",
                ".gitmodules:x",
                "a/.git\\b",
            ],
        ),
        (
            Protected,
            &[
                "guards.toml",
                "Guards.TOML",
                "guard\u{17f}.toml",
                "guards.lock",
                ".guards/x.wasm",
                ".GUARDS/x",
                ".guards",
                ".github/workflows/ci.yml",
                ".GitHub/Workflows/ci.yml",
                ".github",
                ".gitattributes",
                "sub/.gitattributes",
                ".husky/pre-commit",
                ".claude/settings.json",
                "pkg/.claude/settings.json",
                ".codex/hooks.json",
                ".gemini/settings.json",
                ".cursor/rules/x.mdc",
                ".mcp.json",
                ".vscode/tasks.json",
                ".devcontainer/devcontainer.json",
                ".gitlab-ci.yml",
                ".circleci/config.yml",
                "Jenkinsfile",
                "CODEOWNERS",
                "docs/CODEOWNERS",
                ".pre-commit-config.yaml",
                ".cargo/config.toml",
            ],
        ),
        (
            Sensitive,
            &[
                ".env",
                ".ENV",
                "app/.env",
                ".env.local",
                ".env.production",
                "prod.env",
                ".envrc",
                ".netrc",
                ".pypirc",
                ".npmrc",
                ".yarnrc.yml",
                ".aws/credentials",
                "home/.ssh/config",
                ".docker/config.json",
                ".gcp/key.json",
                ".azure/x",
                ".kube/config",
                "id_rsa",
                "keys/ID_ED25519",
                ".git-credentials",
                ".cargo/credentials.toml",
                "release.keystore",
                "cert.p12",
            ],
        ),
    ];
    for (kind, paths) in rows {
        for path in *paths {
            let as_target = judge(vec![create(*path)]).expect_err(path);
            assert_eq!(as_target.kind, *kind, "{path:?}: {as_target}");
            // The source of a rename is a path like any other.
            assert_eq!(judge(vec![moved(path, "src/new.rs")]).expect_err(path).kind, *kind, "{path:?}");
        }
    }
    let long = "a/".repeat(2048) + "b";
    assert_eq!(judge(vec![create(long)]).unwrap_err().kind, UnsafePath);
    assert_eq!(judge(vec![create("a".repeat(256))]).unwrap_err().kind, UnsafePath);
}

#[test]
fn honest_paths_pass() {
    for path in [
        "README.md",
        "src/main.rs",
        "docs/guide/.nav.yml",
        ".gitignore",
        ".github-notes.md",
        "git/x.rs",
        "src/git.rs",
        ".gitkeep",
        "x.git",
        ".env.example",
        ".env.sample",
        "config/env.py",
        "src/.env.template",
        "environment.env.dist",
        "guards/docs-kept/src/lib.rs",
        "sub/guards.toml",
        "my.guards/x",
        "café/naïve.txt",
        "日本語.md",
        "a b.txt",
        "-dash",
        "x~",
        "file~backup.txt",
        "console.log",
        "auxiliary.c",
        "null.rs",
        "com.rs",
        "com10.txt",
        "lpt.c",
        "id_rsa.pub",
        "docs/keys.md",
        "Makefile",
        "build.rs",
        "conftest.py",
        ".editorconfig",
        ".eslintrc.json",
        "package.json",
        "Cargo.lock",
        ".vscode/extensions.json",
        "..foo",
        "...",
        "tests/fixtures/a..b",
        "#x",
        "a'b\"c",
        "$HOME",
        "*.md",
    ] {
        // `...` ends in a dot, which Windows cuts off.
        if path == "..." {
            assert_eq!(judge(vec![create(path)]).unwrap_err().kind, UnsafePath);
        } else {
            judge(vec![create(path)]).unwrap_or_else(|refused| panic!("{refused}"));
        }
    }
    judge(vec![create(b"caf\xe9.txt".to_vec())]).unwrap();
}

#[test]
fn a_new_name_that_looks_like_an_option_is_noted() {
    let notes = |path: &str| judge(vec![create(path)]).unwrap().notes.len();
    assert_eq!((notes("-rf"), notes("--force/x"), notes("src/-rf"), notes("a-b")), (1, 1, 0, 0));
}

#[test]
fn a_new_name_that_differs_from_one_of_the_tree_in_letter_case_is_refused() {
    let refused: &[&[FilePatch]] = &[
        &[create("RUN.sh")],
        &[file("Run.sh", FileOp::Write(b"x\n".to_vec()))],
        &[moved("run.sh", "src/LIB.rs")],
        &[create("SRC/other.rs")],
        &[create("src/LIB.rs/x")],
        &[moved("src/lib.rs", "Deep/lib.rs")],
    ];
    for files in refused {
        let kind = judge(files.to_vec()).expect_err(&format!("{files:?}")).kind;
        assert_eq!(kind, Conflicting, "{files:?}");
    }
    let allowed: &[&[FilePatch]] = &[
        &[moved("run.sh", "RUN.sh")],
        &[moved("src/lib.rs", "SRC/lib.rs")],
        &[file("run.sh", FileOp::Write(b"x\n".to_vec()))],
        &[create("src/run.sh")],
        &[file("run.sh", FileOp::Delete(Vec::new())), create("Run.sh")],
    ];
    for files in allowed {
        assert!(judge(files.to_vec()).is_ok(), "{files:?}: {:?}", judge(files.to_vec()).err());
    }
}
