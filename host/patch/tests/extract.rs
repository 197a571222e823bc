//! Replies as models write them: in each case a `reply`, `hints` (the paths of the task, if any), and what is `found`.
//! `GUARD_TEST_UPDATE=1` writes that anew.

use std::path::Path;
use std::process::Command;

use guard_cases::Case;
use guardhost_core::change::{FileOp, Line, RepoPath};
use proptest::prelude::*;

use crate::support::text::{read, show};

#[test]
fn replies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/replies");
    let cases = guard_cases::find(&folder, &["reply", "found"]).unwrap();
    assert!(cases.len() >= 60);
    let mut failures = Vec::new();
    for location in cases {
        let case = Case::read(&location.path).unwrap();
        let hints = case.text("hints").unwrap().unwrap_or_default();
        let hints: Vec<RepoPath> = hints.lines().map(RepoPath::from).collect();
        let found = show(&read(case.file("reply").unwrap().bytes.clone(), &hints));
        if !case.holds("found", &found).unwrap() {
            let before = case.text("found").unwrap().unwrap_or_default();
            let changes = similar::TextDiff::from_lines(before, &found).unified_diff().to_string();
            failures.push(format!("{}: found is now\n{changes}", location.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Lines that look like something else, and plain ones.
fn line() -> impl Strategy<Value = Vec<u8>> {
    const TRICKY: [&str; 24] = [
        "-- a/f0",
        "++ b/f0",
        "- a/x",
        "@ -1 +1 @@",
        "@@ -1 +1 @@",
        "diff --git a/x b/x",
        "```",
        "```diff",
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        "*** Begin Patch",
        "*** End Patch",
        "<think>",
        "</think>",
        "NO_CHANGES_NEEDED",
        "<<<AI_DIFF_START>>>",
        "{\"patches\": [",
        "&lt;",
        "\\ No newline",
        "\x1b[1m+x",
        "\u{200b}",
        "# ... existing code ...",
        "-- ",
    ];
    prop_oneof![
        3 => prop::sample::select(TRICKY.to_vec()).prop_map(|line| line.as_bytes().to_vec()),
        1 => Just(Vec::new()),
        3 => "[a-c]{1,2}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>().prop_filter("no line end, and text to git", |byte| !matches!(byte, b'\n' | 0)), 0..5),
        1 => "[a-c]\r".prop_map(String::into_bytes),
    ]
}

/// A file's lines, and whether the last has its newline.
fn content() -> impl Strategy<Value = Option<Vec<u8>>> {
    prop::option::weighted(
        0.9,
        (prop::collection::vec(line(), 0..14), any::<bool>()).prop_map(|(lines, ends)| {
            let mut text = lines.join(&b'\n');
            if ends && !lines.is_empty() {
                text.push(b'\n');
            }
            text
        }),
    )
}

fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .args(["-c", "core.quotePath=true", "-c", "core.autocrlf=false", "-c", "diff.noprefix=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The tree of these files, in a repository that has no other.
fn snapshot(folder: &Path, files: &[Option<Vec<u8>>]) -> String {
    for (n, content) in files.iter().enumerate() {
        let path = folder.join(NAMES[n]);
        let _ = std::fs::remove_file(&path);
        if let Some(content) = content {
            std::fs::write(path, content).unwrap();
        }
    }
    git(folder, &["add", "--all"]);
    String::from_utf8(git(folder, &["write-tree"])).unwrap().trim().to_owned()
}

const NAMES: [&str; 6] = ["f0", "a b", "caf\u{e9} \"1\"", "a", "b b", "tab\tname"];

/// Puts every hunk exactly at its line; the smallest tool that can tell whether the hunks were read right.
fn place(old: &[u8], op: &FileOp) -> Vec<u8> {
    let hunks = match op {
        FileOp::Create(content) => return content.clone(),
        FileOp::Modify(hunks) => hunks,
        other => panic!("{other:?}"),
    };
    let old: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let mut new: Vec<u8> = Vec::new();
    let mut at = 0;
    for hunk in hunks {
        let start = hunk.old_start.unwrap() as usize - usize::from(hunk.lines.iter().any(Line::is_old));
        new.extend(old[at..start].concat());
        at = start;
        for line in &hunk.lines {
            if line.is_old() {
                let end: &[u8] = if old[at].ends_with(b"\n") { b"\n" } else { b"" };
                assert_eq!(old[at], [line.bytes(), end].concat());
                at += 1;
            }
            if line.is_new() {
                new.extend(line.bytes());
                new.push(b'\n');
            }
        }
        if hunk.new_no_newline {
            new.pop();
        }
    }
    new.extend(old[at..].concat());
    new
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// What git writes is read without a fix, and says the same.
    #[test]
    fn what_git_writes_needs_no_mending(
        old in prop::collection::vec(content(), NAMES.len()),
        new in prop::collection::vec(content(), NAMES.len()),
        context in 0..4,
    ) {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet"]);
        let trees = [snapshot(folder.path(), &old), snapshot(folder.path(), &new)];
        let diff = git(folder.path(), &["diff", "--text", "--no-renames", &format!("-U{context}"), &trees[0], &trees[1]]);
        if diff.is_empty() {
            return Ok(());
        }
        let patch = read(diff.clone(), &[]).map_err(|none| TestCaseError::fail(format!("{none}\n{}", diff.escape_ascii())))?;
        prop_assert_eq!(&patch.notes, &vec![], "{}", String::from_utf8_lossy(&diff));
        let changed = (0..NAMES.len()).filter(|&n| old[n] != new[n]);
        prop_assert_eq!(patch.files.len(), changed.clone().count());
        for n in changed {
            let file = patch.files.iter().find(|file| file.path == RepoPath::from(NAMES[n])).expect(NAMES[n]);
            match &new[n] {
                Some(content) => prop_assert_eq!(&place(old[n].as_deref().unwrap_or_default(), &file.op), content),
                None => prop_assert!(matches!(file.op, FileOp::Delete(_))),
            }
        }
    }
}
