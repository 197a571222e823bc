//! The kinds of paths, as data: `kinds.txt` beside this file.

use guard_files::{Kind, Kinds, PathGlobs};

/// Each line of the table: a kind, and a path.
fn table() -> Vec<(Kind, &'static str)> {
    let lines = include_str!("kinds.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &'static str| {
        let mut words = line.split_whitespace();
        Some((Kind::from_name(words.next()?)?, words.next()?))
    };
    lines.map(|line| read(line).unwrap_or_else(|| panic!("no kind and path: {line}"))).collect()
}

#[test]
fn paths_are_what_the_table_says() {
    let wrong: Vec<String> = table()
        .into_iter()
        .filter(|(kind, path)| Kind::from_path(path) != *kind)
        .map(|(kind, path)| format!("{path}: {} is expected, it is {}", kind.as_str(), Kind::from_path(path).as_str()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kind_is_in_the_table() {
    let table = table();
    let missing: Vec<Kind> =
        Kind::ALL.into_iter().filter(|kind| !table.iter().any(|(known, _)| known == kind)).collect();
    assert_eq!(missing, []);
}

/// A path is itself below a folder that says nothing, but for folders that are known at the root of a repository only.
#[test]
fn a_folder_that_says_nothing_changes_nothing() {
    let at_the_root = |path: &str| [".github/", "t/"].iter().any(|folder| path.starts_with(folder));
    for (kind, path) in table().into_iter().filter(|(_, path)| !at_the_root(path)) {
        assert_eq!(Kind::from_path(&format!("packages/one/{path}")), kind, "{path}");
    }
}

#[test]
fn what_a_repository_adds_decides_first() {
    let list = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
    let kinds = Kinds::new(PathGlobs {
        code: list(&["/legal/cases/", "!*.json"]),
        vendored: list(&["external"]),
        generated: list(&["*.g.dart"]),
        test_data: list(&["inputs/**"]),
    })
    .unwrap();
    for (path, kind) in [
        ("legal/cases/a.py", Kind::Code),
        ("legal/cases/README.md", Kind::Document),
        ("legal/cases/a.json", Kind::TestData),
        ("other/cases/a.py", Kind::TestData),
        ("src/external/a.c", Kind::Vendored),
        ("lib/a.g.dart", Kind::Generated),
        ("inputs/a.py", Kind::TestData),
        ("src/inputs/a.py", Kind::Code),
    ] {
        assert_eq!(kinds.kind(path), kind, "{path}");
    }
    let wrong = Kinds::new(PathGlobs { generated: list(&["a", "[b"]), ..PathGlobs::default() }).unwrap_err();
    assert_eq!((wrong.key, wrong.index), ("generated", Some(1)));
}

#[test]
fn programs_of_developers() {
    for path in ["scripts/release.js", ".github/scripts/perf/run.mjs", "a/benches/x.rs"] {
        assert!(guard_files::is_tooling(path), "{path}");
    }
    for path in ["src/scripts.js", "scripts.py", "lib/ci.rs", "src/a.py"] {
        assert!(!guard_files::is_tooling(path), "{path}");
    }
}
