//! Links, modes, sizes, and what a repository may decide.

use super::*;
use guardhost_core::stop::StopToken;

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
        vec![link("a", "src"), edit("a")],
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
    for files in [
        vec![delete("a"), create("a/b")],
        vec![moved("a", "b"), create("a")],
        vec![edit("X.h"), edit("x.h")],
        vec![create("a"), edit("a")],
    ] {
        judge(files).unwrap();
    }
}

#[test]
fn sizes_count_to_the_byte() {
    let rules = Rules { max_file_bytes: 4, max_patch_bytes: 10, max_files: 3, ..Rules::default() };
    let of = |sizes: &[usize]| {
        let files = sizes.iter().enumerate().map(|(n, size)| file(format!("f{n}"), FileOp::Write(vec![b'x'; *size])));
        sanitize(patch(files.collect()), &rules, &base(), &StopToken::default())
            .unwrap()
            .map_err(|refused| refused.kind)
    };
    assert!(of(&[4, 4, 2]).is_ok());
    assert_eq!(of(&[5]).unwrap_err(), TooLarge);
    assert_eq!(of(&[4, 4, 3]).unwrap_err(), TooLarge);
    assert_eq!(of(&[1, 1, 1, 1]).unwrap_err(), TooLarge);
    assert_eq!(Rules::default().max_file_bytes, 2 * 1024 * 1024);
    // Added lines count with their endings; removed ones only for the whole.
    let lines = vec![Line::Remove(vec![b'x'; 5]), Line::Add(vec![b'x'; 3])];
    let edit = file("f", FileOp::Modify(vec![Hunk { lines, ..Hunk::default() }]));
    assert!(sanitize(patch(vec![edit]), &rules, &base(), &StopToken::default()).unwrap().is_ok());
}

#[test]
fn a_repository_may_decide_otherwise() {
    let check = |rules: &Rules, path: &str| check_paths(&[path.into()], rules).map_err(|refused| refused.kind);
    let rules = Rules {
        protect: vec![
            "vendor/**".into(),
            "*.gen.rs".into(),
            "/*.{lock,sum}".into(),
            "**/SCHEMA".into(),
            "a[0-9]".into(),
        ],
        allow: vec!["app/.env".into()],
        ..Rules::default()
    };
    for path in [
        "vendor/x",
        "Vendor/X/y",
        "vendor",
        "x.gen.rs",
        "src/x.gen.rs",
        "A.LOCK",
        "go.sum",
        "db/schema",
        "SCHEMA",
        "A7",
    ] {
        assert_eq!(check(&rules, path), Err(Protected), "{path}");
    }
    for path in ["vendors/x", "src/x.lock", "schema.sql", ".github/workflows/ci.yml", "app/.env", "ab"] {
        assert_eq!(check(&rules, path), Ok(()), "{path}");
    }
    assert_eq!(check(&rules, ".env"), Err(Sensitive));
    // Rules that cannot be read let nothing pass.
    assert_eq!(check(&Rules { protect: vec!["a[".into()], ..Rules::default() }, "x"), Err(Protected));
}

#[test]
fn what_people_stage_leaves_the_rules_alone() {
    let check =
        |path: &str| check_rule_files(&["x".into(), path.into()], &Rules::default()).map_err(|refused| refused.kind);
    for path in [".github/workflows/ci.yml", ".env", ".gitmodules", "aux.c", "sub/guards.lock", ".guardsman"] {
        assert_eq!(check(path), Ok(()), "{path}");
    }
    for path in ["guards.toml", "GUARDS.lock", ".guards/x.wasm"] {
        assert_eq!(check(path), Err(Protected), "{path}");
    }
}

/// Whoever is refused one file at a time takes the change back one file at a time.
#[test]
fn every_file_of_the_rules_is_named() {
    let said = |paths: &[&str]| {
        let paths: Vec<RepoPath> = paths.iter().map(|path| RepoPath::from(*path)).collect();
        check_rule_files(&paths, &Rules::default()).unwrap_err().to_string()
    };
    let held = "it holds the rules that judge this change";
    assert_eq!(said(&["a.py", "guards.toml"]), format!("guards.toml: {held}"));
    assert_eq!(said(&["guards.toml", "a.py", "guards.lock"]), format!("guards.lock: {held}, as does guards.toml"));
    let three = ["guards.toml", "guards.lock", "api/guards.baseline.json", "guards.lock"];
    assert_eq!(said(&three), format!("api/guards.baseline.json: {held}, as do guards.lock and guards.toml"));
    let many = ["guards.toml", ".guards/a", ".guards/b", ".guards/c", ".guards/d", ".guards/e", ".guards/f"];
    let named = ".guards/b, .guards/c, .guards/d, .guards/e and 2 more";
    assert_eq!(said(&many), format!(".guards/a: {held}, as do {named}"));
}

#[test]
fn a_tree_that_cannot_be_read_refuses() {
    let gone = Tree { oid: guardhost_core::change::Oid::ZERO_SHA1, ..base() };
    let refused =
        sanitize(patch(vec![create("a/b")]), &Rules::default(), &gone, &StopToken::default()).unwrap().unwrap_err();
    assert!(refused.message.contains("could not be read"), "{refused}");
}

proptest! {
    #[test]
    fn any_reply_is_vouched_for_or_refused(text in pieces()) {
        if let Ok(patch) = read(text, &[RepoPath::from("src/a.rs")]) {
            let _ = sanitize(patch, &Rules::default(), &base(), &StopToken::default()).unwrap();
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

#[test]
fn paths_of_too_many_parts() {
    let deep = |parts: usize, name: usize| create(format!("{}f{name}", "a/".repeat(parts - 1)));
    let refused = |files: Vec<FilePatch>| {
        let refused = sanitize(patch(files), &Rules::default(), &base(), &StopToken::default()).unwrap();
        refused.map(drop).map_err(|refused| (refused.kind, refused.message))
    };
    assert_eq!(refused(vec![deep(100, 0)]), Ok(()));
    let (kind, why) = refused(vec![deep(101, 0)]).unwrap_err();
    assert_eq!(kind, RefusedKind::UnsafePath);
    assert!(why.contains("it has 101 parts; 100 are allowed"), "{why}");
    assert_eq!(refused((0..100).map(|name| deep(100, name)).collect()), Ok(()));
    let (kind, why) = refused((0..101).map(|name| deep(100, name)).collect()).unwrap_err();
    assert_eq!(kind, RefusedKind::TooLarge);
    assert!(why.contains("more than 10000 parts together"), "{why}");
}
