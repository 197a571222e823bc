//! The standard forms of a diff that are not unified: what `diff` and `git` write in them is read into the hunks of the unified diff that
//! they write of the same files.

use std::path::Path;
use std::process::Command;

use bstr::ByteSlice;
use guardhost_core::change::{FileOp, Hunk, Line};
use proptest::prelude::*;

use crate::support::text::read;

/// What the program writes of the files `a.txt.orig` and `a.txt`, which differ.
fn written(folder: &Path, program: &str, options: &[&str]) -> Vec<u8> {
    let output = Command::new(program)
        .current_dir(folder)
        .args(options)
        .args(["a.txt.orig", "a.txt"])
        .env("LC_ALL", "C")
        .output()
        .unwrap_or_else(|error| panic!("this test needs `{program}`: {error}"));
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn hunks(reply: Vec<u8>) -> Result<Vec<Hunk>, TestCaseError> {
    let text = String::from_utf8_lossy(&reply).into_owned();
    let patch = read(reply, &[]).map_err(|none| TestCaseError::fail(format!("{none}\n{text}")))?;
    let [file] = patch.files.as_slice() else { return Err(TestCaseError::fail(format!("not one file:\n{text}"))) };
    prop_assert_eq!(file.path.as_bytes(), b"a.txt");
    match &file.op {
        FileOp::Modify(hunks) => Ok(hunks.clone()),
        other => Err(TestCaseError::fail(format!("{other:?}\n{text}"))),
    }
}

fn line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a b", "  a c", "", "- d", "! e", "< f", "  g h i", "+ j", "---", "k", "l m n o", "\tp"])
}

/// Two texts that differ, the second made of the first by some edits.
fn texts() -> impl Strategy<Value = (Vec<&'static str>, Vec<&'static str>)> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), line()), 1..4);
    (prop::collection::vec(line(), 1..24), edits).prop_map(|(mut old, edits)| {
        // An insertion above the first line is a new file to the reader of unified diffs.
        old.insert(0, "first");
        let mut new = old.clone();
        for (at, is_removed, line) in edits {
            match is_removed && new.len() > 1 {
                true => drop(new.remove(1 + at.index(new.len() - 1))),
                false => new.insert(1 + at.index(new.len()), line),
            }
        }
        (old, new)
    })
}

fn in_folder(old: &[&str], new: &[&str], ends: (bool, bool)) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = |lines: &[&str], ends: bool| lines.join("\n") + if ends { "\n" } else { "" };
    std::fs::write(folder.path().join("a.txt.orig"), text(old, ends.0)).unwrap();
    std::fs::write(folder.path().join("a.txt"), text(new, ends.1)).unwrap();
    folder
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn context_diffs_are_unified_ones((old, new) in texts(), ends in any::<(bool, bool)>()) {
        prop_assume!(old != new && (ends.0 == ends.1 || ![old.last(), new.last()].contains(&Some(&""))));
        let folder = in_folder(&old, &new, ends);
        let unified = hunks(written(folder.path(), "diff", &["-u"]))?;
        prop_assert_eq!(hunks(written(folder.path(), "diff", &["-c"]))?, unified);
    }

    #[test]
    fn normal_diffs_are_unified_ones((old, new) in texts()) {
        prop_assume!(old != new);
        let folder = in_folder(&old, &new, (true, true));
        let unified = hunks(written(folder.path(), "diff", &["-U0"]))?;
        let normal = written(folder.path(), "diff", &[]);
        let reply = [b"```\ndiff a.txt.orig a.txt\n", normal.as_slice(), b"```\n"].concat();
        prop_assert_eq!(hunks(reply)?, unified);
    }

    /// Git shows the white space of the new text alone, so that an old line may be another one; it then fits nowhere, and what the new
    /// text would be does not matter.
    #[test]
    fn word_diffs_have_the_new_lines((old, new) in texts()) {
        prop_assume!(old != new);
        let folder = in_folder(&old, &new, (true, true));
        let unified = hunks(written(folder.path(), "git", &["diff", "--no-index", "-U99"]))?;
        let reply = written(folder.path(), "git", &["diff", "--no-index", "-U99", "--word-diff"]);
        prop_assume!(reply.contains_str("{+") || reply.contains_str("[-"));
        let side = |hunks: &[Hunk], is_of: fn(&Line) -> bool| -> Vec<Vec<u8>> {
            let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
            lines.filter(|line| is_of(line)).map(|line| Line::bytes(line).to_vec()).collect()
        };
        let fits = |words: &Vec<Hunk>| side(words, Line::is_old) == side(&unified, Line::is_old);
        if let Some(words) = hunks(reply.clone()).ok().filter(fits) {
            let (words, unified) = (side(&words, Line::is_new), side(&unified, Line::is_new));
            prop_assert_eq!(words, unified, "{}", String::from_utf8_lossy(&reply));
        }
    }
}
