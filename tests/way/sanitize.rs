//! Containment: every trick is refused with its own kind, honest paths pass.

use host::change::{FileMode, FileOp, FilePatch, Format, Hunk, Line, Patch, Refused, RefusedKind, RepoPath, Tree};
use host::sanitize::{Rules, check_paths, check_rule_files, sanitize};
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
    FilePatch { path: RepoPath::new(path), op, mode: None, claims: None }
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
    Patch { format: Format::GitDiff, files, message: None, notes: Vec::new() }
}

fn judge(files: Vec<FilePatch>) -> Result<Patch, Refused> {
    sanitize(patch(files), &Rules::default(), &base()).map(|clean| clean.into_patch())
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
fn links_modes_and_submodules() {
    let rows: Vec<(&str, RefusedKind, Vec<FilePatch>)> = vec![
        ("below a link of the tree", Symlink, vec![create("link/x")]),
        ("below a deep link", Symlink, vec![create("deep/er/up/a/b")]),
        ("from below a link", Symlink, vec![moved("link/lib.rs", "x")]),
        ("below a link of this patch", Symlink, vec![link("new", "src"), create("new/x")]),
        ("the same, other case", Symlink, vec![create("NEW/x"), link("new", "src")]),
        ("absolute target", Symlink, vec![link("new", "/etc/passwd")]),
        ("target above the root", Symlink, vec![link("new", "../x")]),
        ("target above the root, deeper", Symlink, vec![link("a/b/new", "../../../x")]),
        ("up again behind a name", Symlink, vec![link("a/new", "link/../../x")]),
        ("target in .git", Symlink, vec![link("new", ".git/hooks")]),
        ("target in .GIT", Symlink, vec![link("a/new", "../.GIT/config")]),
        ("target with backslashes", Symlink, vec![link("new", "..\\..\\x")]),
        ("target on a drive", Symlink, vec![link("new", "C:/x")]),
        ("empty target", Symlink, vec![link("new", "")]),
        (
            "a link's target edited to lead out",
            Symlink,
            vec![file(
                "link",
                FileOp::Modify(vec![Hunk {
                    lines: vec![Line::Remove(b"src".to_vec()), Line::Add(b"/etc".to_vec())],
                    ..Hunk::default()
                }]),
            )],
        ),
        ("a link that moves to where it leads out", Symlink, vec![moved("deep/er/up", "up")]),
        ("a whole file over a link", Symlink, vec![file("link", FileOp::Write(b"text\n".to_vec()))]),
        ("a file becomes a link", Mode, vec![with_mode(FileMode::Symlink, edit("src/lib.rs"))]),
        ("a link becomes a file", Mode, vec![with_mode(FileMode::File, edit("link"))]),
        ("a new gitlink", Submodule, vec![with_mode(FileMode::Submodule, create("dep"))]),
        ("a gitlink moves on", Submodule, vec![edit("vendor/dep")]),
        ("a gitlink goes", Submodule, vec![file("vendor/dep", FileOp::Delete(Vec::new()))]),
        ("below a gitlink", Submodule, vec![create("vendor/dep/x")]),
    ];
    for (what, kind, files) in rows {
        assert_eq!(judge(files).expect_err(what).kind, kind, "{what}");
    }
    for (what, files) in [
        ("a link beside it", vec![link("new", "src/lib.rs")]),
        ("a link up and down", vec![link("a/b/new", "../../src")]),
        (
            "a link edited",
            vec![file(
                "link",
                FileOp::Modify(vec![Hunk {
                    lines: vec![Line::Remove(b"src".to_vec()), Line::Add(b"docs".to_vec())],
                    ..Hunk::default()
                }]),
            )],
        ),
        ("a link that moves and still holds", vec![moved("link", "other")]),
        ("a link deleted", vec![file("link", FileOp::Delete(Vec::new()))]),
        ("a new executable", vec![with_mode(FileMode::Executable, create("tool.sh"))]),
    ] {
        judge(files).unwrap_or_else(|refused| panic!("{what}: {refused}"));
    }
    let noted = judge(vec![with_mode(FileMode::Executable, file("src/lib.rs", FileOp::Modify(Vec::new())))]).unwrap();
    assert_eq!(noted.notes[0].to_string(), "mode: src/lib.rs becomes executable");
}

#[test]
fn sections_that_contradict_each_other() {
    let delete = |path: &str| file(path, FileOp::Delete(Vec::new()));
    for files in [
        vec![create("a"), create("a")],
        vec![delete("a"), edit("a")],
        vec![create("a"), edit("a")],
        vec![delete("a"), delete("a")],
        vec![moved("a", "b"), moved("a", "c")],
        vec![moved("a", "b"), delete("a")],
        vec![moved("a", "b"), edit("a")],
        vec![create("b"), moved("a", "b")],
        vec![create("a"), create("a/b")],
        vec![create("Readme"), create("README")],
    ] {
        assert_eq!(judge(files.clone()).expect_err(&format!("{files:?}")).kind, Conflicting);
    }
    for files in [vec![delete("a"), create("a/b")], vec![moved("a", "b"), create("a")], vec![edit("X.h"), edit("x.h")]]
    {
        judge(files).unwrap();
    }
}

#[test]
fn sizes_count_to_the_byte() {
    let rules = Rules { max_file_bytes: 4, max_patch_bytes: 10, max_files: 3, ..Rules::default() };
    let of = |sizes: &[usize]| {
        let files = sizes.iter().enumerate().map(|(n, size)| file(format!("f{n}"), FileOp::Write(vec![b'x'; *size])));
        sanitize(patch(files.collect()), &rules, &base()).map_err(|refused| refused.kind)
    };
    assert!(of(&[4, 4, 2]).is_ok());
    assert_eq!(of(&[5]).unwrap_err(), TooLarge);
    assert_eq!(of(&[4, 4, 3]).unwrap_err(), TooLarge);
    assert_eq!(of(&[1, 1, 1, 1]).unwrap_err(), TooLarge);
    assert_eq!(Rules::default().max_file_bytes, 2 * 1024 * 1024);
    // Added lines count with their endings; removed ones only for the whole.
    let lines = vec![Line::Remove(vec![b'x'; 5]), Line::Add(vec![b'x'; 3])];
    let edit = file("f", FileOp::Modify(vec![Hunk { lines, ..Hunk::default() }]));
    assert!(sanitize(patch(vec![edit]), &rules, &base()).is_ok());
}

#[test]
fn a_repository_may_decide_otherwise() {
    let check = |rules: &Rules, path: &str| check_paths(&[path.into()], rules).map_err(|refused| refused.kind);
    let rules = Rules {
        protect: vec!["vendor/**".into(), "*.gen.rs".into(), "**/SCHEMA".into(), "a[0-9]".into()],
        allow: vec!["app/.env".into()],
        ..Rules::default()
    };
    for path in ["vendor/x", "Vendor/X/y", "vendor", "x.gen.rs", "db/schema", "SCHEMA", "A7"] {
        assert_eq!(check(&rules, path), Err(Protected), "{path}");
    }
    for path in ["vendors/x", "src/x.gen.rs", "schema.sql", ".github/workflows/ci.yml", "app/.env", "ab"] {
        assert_eq!(check(&rules, path), Ok(()), "{path}");
    }
    assert_eq!(check(&rules, ".env"), Err(Sensitive));
    // Rules that cannot be read let nothing pass.
    assert_eq!(check(&Rules { protect: vec!["a[".into()], ..Rules::default() }, "x"), Err(Protected));
}

#[test]
fn what_people_stage_leaves_the_rules_alone() {
    let check = |path: &str| check_rule_files(&["x".into(), path.into()]).map_err(|refused| refused.kind);
    for path in [".github/workflows/ci.yml", ".env", ".gitmodules", "aux.c", "sub/guards.lock", ".guardsman"] {
        assert_eq!(check(path), Ok(()), "{path}");
    }
    for path in ["guards.toml", "GUARDS.lock", ".guards/x.wasm"] {
        assert_eq!(check(path), Err(Protected), "{path}");
    }
}

#[test]
fn a_tree_that_cannot_be_read_refuses() {
    let gone = Tree { oid: host::change::Oid::ZERO_SHA1, ..base() };
    let refused = sanitize(patch(vec![create("a/b")]), &Rules::default(), &gone).unwrap_err();
    assert!(refused.message.contains("could not be read"), "{refused}");
}

proptest! {
    #[test]
    fn any_reply_is_vouched_for_or_refused(text in pieces()) {
        if let Ok(patch) = read(text, &[RepoPath::from("src/a.rs")]) {
            let _ = sanitize(patch, &Rules::default(), &base());
        }
    }

    /// Whatever the spelling, a path that passes has no part that leads elsewhere.
    #[test]
    fn what_passes_is_plain(path in prop::collection::vec(prop::sample::select(b"aG.iT/~1\\: \n\x80\xe2\x80\x8c".to_vec()), 0..12)) {
        let path = RepoPath::new(path);
        let open = Rules { protect: Vec::new(), allow: vec!["**".into()], ..Rules::default() };
        if check_paths(std::slice::from_ref(&path), &open).is_ok() {
            prop_assert!(path.parts().all(|part| !part.is_empty() && part != b"." && part != b".." && !part.eq_ignore_ascii_case(b".git")));
        }
    }
}
