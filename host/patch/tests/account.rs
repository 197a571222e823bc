//! Replies made of parts: edits in any format, prose, quotations, examples, commands, drafts, and edits in forms that nobody reads.
//! The result is all that is meant, or the reply is refused with the lines that were not read; never a part of it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use guardhost_core::change::{FileMode, NoPatch, Objects, RepoPath, RoundFailure, Tree, TreeEntry};
use guardhost_core::stop::StopToken;
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::{ProposalStop, propose};
use guardhost_patch::sanitize::Rules;
use proptest::prelude::*;

use crate::support::stored::Stored;
use crate::support::text::reply;

const FILES: [&str; 4] = ["src/alpha.py", "beta.py", "conf/gamma.yml", "README.md"];
const LINES: usize = 24;

/// One line of one file gets another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    file: usize,
    line: usize,
}

fn line(file: usize, line: usize, value: usize) -> String {
    format!("{}_{line} = {value}", FILES[file].rsplit('/').next().unwrap().split('.').next().unwrap())
}

fn text(file: usize, changed: &[Change]) -> String {
    (0..LINES)
        .map(|nth| line(file, nth, if changed.contains(&Change { file, line: nth }) { 1000 + nth } else { nth }) + "\n")
        .collect()
}

impl Change {
    fn sides(self, context: usize) -> (usize, Vec<String>, Vec<String>) {
        let from = self.line.saturating_sub(context);
        let to = (self.line + context + 1).min(LINES);
        let side = |value: usize| {
            (from..to).map(|nth| line(self.file, nth, if nth == self.line { value } else { nth })).collect::<Vec<_>>()
        };
        (from + 1, side(self.line), side(1000 + self.line))
    }

    fn path(self) -> &'static str {
        FILES[self.file]
    }

    fn old_line(self) -> String {
        line(self.file, self.line, self.line)
    }

    fn new_line(self) -> String {
        line(self.file, self.line, 1000 + self.line)
    }

    fn hunk(self) -> String {
        let (start, old, new) = self.sides(2);
        let body: String = (old.iter().zip(&new))
            .map(|(old, new)| if old == new { format!(" {old}\n") } else { format!("-{old}\n+{new}\n") })
            .collect();
        format!("@@ -{start},{0} +{start},{0} @@\n{body}", old.len())
    }

    fn diff(self) -> String {
        format!("--- a/{0}\n+++ b/{0}\n{1}", self.path(), self.hunk())
    }
}

/// Formats that are read.
const READ: usize = 10;

fn read_form(form: usize, change: Change) -> String {
    let (path, old, new) = (change.path(), change.old_line(), change.new_line());
    match form {
        0 => format!("```diff\n{}```\n", change.diff()),
        1 => change.diff() + "\n",
        2 => format!("diff --git a/{path} b/{path}\n{}", change.diff()),
        3 => format!("{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"),
        4 => {
            let body = change.hunk();
            let body = body.split_once('\n').unwrap().1;
            format!("*** Begin Patch\n*** Update File: {path}\n@@\n{body}*** End Patch\n")
        }
        5 => {
            serde_json::json!({"name": "Edit", "input": {"file_path": path, "old_string": old, "new_string": new}})
                .to_string()
                + "\n"
        }
        6 => format!("<file path=\"{path}\">\n<search>\n{old}\n</search>\n<replace>\n{new}\n</replace>\n</file>\n"),
        7 => format!("```diff\n{}\n```\n", change.diff()),
        8 => format!("In `{path}`, replace:\n\n```\n{old}\n```\n\nwith:\n\n```\n{new}\n```\n"),
        _ => {
            let arguments = serde_json::json!({"path": path, "search": old, "replace": new}).to_string();
            serde_json::json!({"function": {"name": "replace", "arguments": arguments}}).to_string() + "\n"
        }
    }
}

/// The format of a form: no file has edits in two of them.
fn format_of(form: usize) -> usize {
    match form {
        0..=2 | 7 => 0,
        3 | 6 | 8 => 3,
        5 | 9 => 5,
        other => other,
    }
}

/// Forms that are not read, or that may be read: then they must be made.
const UNREAD: usize = 37;

fn unread_form(form: usize, change: Change) -> String {
    let (path, old, new) = (change.path(), change.old_line(), change.new_line());
    let whole = text(change.file, &[change]);
    match form {
        0 => format!("```bash\nsed -i 's/{old}/{new}/' {path}\n```\n"),
        1 => format!("And `{path}`, likewise:\n```\n{whole}```\n"),
        2 => format!("### `{path}` — complete\n\n```python\n{whole}```\n"),
        3 => serde_json::json!({"name": "delete_file", "input": {"target_file": path}}).to_string() + "\n",
        4 => format!("<lov-delete file_path=\"{path}\" />\n"),
        5 => format!("\n-{old}\n+{new}\n"),
        6 => format!("In {path}:\n```\n-{old}\n+{new}\n```\n"),
        7 => format!("In `{path}` replace ```{old}``` with ```{new}```\n"),
        8 => format!("<delete_file>\n<path>{path}</path>\n</delete_file>\n"),
        9 => {
            serde_json::json!({"name": "Bash", "input": {"command": format!("sed -i s/1/2/ {path}")}}).to_string()
                + "\n"
        }
        10 => format!("<<<<<<< HEAD\n{old}\n=======\n{new}\n>>>>>>> branch\n"),
        11 => format!("{}c{0}\n< {old}\n---\n> {new}\n", change.line + 1),
        12 => format!("```sh\necho '{new}' >> {path}\n```\n"),
        13 => format!("<invoke name=\"move_file\">\n<parameter name=\"source\">{path}</parameter>\n</invoke>\n"),
        14 => serde_json::json!([{"op": "replace", "path": format!("/{path}"), "value": new}]).to_string() + "\n",
        15 => format!("Second file – {path}:\n\n```\n{whole}```\n"),
        16 => format!(
            "```python\nfrom pathlib import Path\nPath('{path}').write_text('{new}')\n```\nRun this in {path}'s folder.\n"
        ),
        17 => format!("$ git rm {path}\n"),
        18 => serde_json::json!({"deleted_files": [path]}).to_string() + "\n",
        19 => format!(
            "*** {path}\n--- {path}\n***************\n*** {0} ****\n! {old}\n--- {0} ----\n! {new}\n",
            change.line + 1
        ),
        20 => format!("Line {} of {path} becomes:\n\n```\n{new}\n```\n", change.line + 1),
        21 => "```bash\nnpm pkg set type=module\n```\n".into(),
        22 => "Then run `cargo add serde --features derive`.\n".into(),
        23 => "$ go mod edit -require=example.org/x@v1.2.3\n".into(),
        24 => "```sh\nruff check --fix .\n```\n".into(),
        25 => format!("```sh\nnpx prettier --write {path} conf/other.yml\n```\n"),
        26 => format!("```bash\npython3 - <<'PY'\nopen('{path}', 'w').write('{new}')\nPY\n```\n"),
        27 => format!("{path}:{}\n```suggestion\n{new}\n```\n", change.line + 1),
        28 => "(continued in the next message)\n".into(),
        29 => format!("The change to `{path}` is omitted for brevity.\n"),
        30 => format!("<boltAction type=\"shell\">\nrm {path}\n</boltAction>\n"),
        31 => "```bash\ngit revert HEAD\n```\n".into(),
        32 => format!("\nrm {path}\n"),
        33 => format!("```dockerfile\nRUN sed -i s/1/2/ {path}\n```\n"),
        34 => format!("```bash\ncurl -fsS -o {path} https://example.org/x\n```\n"),
        35 => "... (2 more files)\n".into(),
        _ => format!("```ed\n{}c\n{new}\n.\nw\n```\n", change.line + 1),
    }
}

static REPOSITORY: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    git2::Repository::init_bare(folder.path()).unwrap();
    folder
});

/// Ways to take a change back.
const DRAFTS: usize = 12;

fn draft(way: usize, draft: String) -> String {
    match way {
        0 => format!("<reasoning>\n{draft}</reasoning>\n"),
        1 => format!("<scratchpad>\n{draft}</scratchpad>\n"),
        2 => format!("{draft}\nSorry, disregard the patch above.\n"),
        3 => format!("Do **not** do this:\n\n{draft}\n"),
        4 => format!("Option A:\n\n{draft}\nOption B:\n\n"),
        5 => format!("<details>\n<summary>Rejected</summary>\n\n{draft}\n</details>\n"),
        6 => format!("[THINK]\n{draft}[/THINK]\n"),
        7 => format!("{draft}\nIt was reverted.\n"),
        8 => format!("{draft}\nPending approval.\n"),
        9 => format!("<patch status=\"rejected\">\n{draft}</patch>\n"),
        10 => format!("{draft}\nNie stosuj tego jeszcze.\n"),
        _ => format!("{draft}\nScratch that.\n"),
    }
}

/// Text that changes nothing.
const HARMLESS: usize = 16;

/// The harmless part that says of a file that it was not changed.
const LEFT_UNCHANGED: usize = 10;

fn harmless(what: usize, change: Change) -> String {
    let (path, old) = (change.path(), change.old_line());
    match what {
        0 => "The values have to agree.\n".into(),
        1 => "Changes:\n\n- one value\n- no other\n".into(),
        2 => format!("`{path}` has this now:\n\n```python\n{old}\n```\n"),
        3 => "```bash\npytest -q\n```\n".into(),
        4 => format!("```bash\npython {path}\n```\n"),
        5 => "It prints:\n\n```text\n42\n```\n".into(),
        6 => format!("Then commit {path} and push.\n"),
        7 => serde_json::json!({"name": "Read", "input": {"file_path": path}}).to_string() + "\n",
        9 => "```bash\nnpm ci && npm test\n```\n".into(),
        LEFT_UNCHANGED => format!("I left `{path}` unchanged.\n"),
        11 => format!("```{0}:{0}:{path}\n{old}\n```\n", change.line + 1),
        12 => "```bash\ngo mod tidy\ncargo fmt\nblack .\n```\n".into(),
        13 => "```\n--- Expected\n+++ Received\n@@ -1 +1 @@\n-1\n+2\n```\n".into(),
        14 => "Install it with `pip install httpx`.\n".into(),
        8 => "1. It works.\n2. It is fast.\n\n---\n".into(),
        _ => format!("The old value in {path}:\n\n```\n{old}\n```\n"),
    }
}

#[derive(Debug, Clone)]
enum Part {
    Edit,
    Unread(usize),
    Draft(usize),
    Harmless(usize),
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        6 => Just(Part::Edit),
        1 => (0..UNREAD).prop_map(Part::Unread),
        1 => (0..DRAFTS).prop_map(Part::Draft),
        5 => (0..HARMLESS).prop_map(Part::Harmless),
    ]
}

/// The files that the reply makes.
fn made(bytes: &str, objects: &std::sync::Arc<Stored>) -> Result<BTreeMap<String, String>, Box<RoundFailure>> {
    let entry = |file: usize| {
        let oid = objects.put_blob(text(file, &[]).as_bytes()).unwrap();
        (RepoPath::from(FILES[file]), TreeEntry { oid, mode: FileMode::File })
    };
    let oid = objects.tree(&(0..FILES.len()).map(entry).collect::<Vec<_>>()).unwrap();
    let base = ApplyBase::new(None, Tree { objects: objects.clone(), oid });
    match propose(&reply(bytes), &[], &base, &Rules::default(), &mut (), &StopToken::default()) {
        Ok(candidate) => {
            let mut files = BTreeMap::new();
            let mut visit = |path: &RepoPath, entry: TreeEntry| {
                files.insert(path.to_string(), String::from_utf8_lossy(&objects.blob(entry.oid).unwrap()).into_owned());
                true
            };
            objects.walk(candidate.tree, &mut visit).unwrap();
            Ok(files)
        }
        Err(ProposalStop::Failure(failure)) => Err(failure),
        Err(other) => panic!("{other:?}"),
    }
}

fn files_with(changes: &[Change]) -> BTreeMap<String, String> {
    (0..FILES.len()).map(|file| (FILES[file].to_owned(), text(file, changes))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn all_that_is_meant_or_nothing(
        forms in prop_oneof![
            1 => (0..READ).prop_map(|form| vec![form; 7]),
            1 => prop::collection::vec(0..READ, 7),
        ],
        parts in prop::collection::vec((part(), 0..FILES.len(), 0..LINES), 1..7),
        gaps in prop::collection::vec(0usize..3, 7),
    ) {
        let objects = Stored::over(REPOSITORY.path()).unwrap();
        let mut text = String::new();
        let (mut meant, mut unread, mut drafts) = (Vec::new(), Vec::new(), Vec::new());
        let mut formats = BTreeMap::new();
        let mut is_mixed = false;
        let mut denied = Vec::new();
        for (((part, file, line), gap), form) in parts.iter().zip(&gaps).zip(&forms) {
            let change = Change { file: *file, line: *line };
            // Each line is changed once, and two changes of a file do not overlap.
            let is_near = |other: &Change| other.file == change.file && other.line.abs_diff(change.line) < 6;
            let is_taken = meant.iter().chain(&unread).chain(&drafts).any(is_near);
            match part {
                Part::Harmless(what) => {
                    text += &harmless(*what, change);
                    denied.extend(Some(*file).filter(|_| *what == LEFT_UNCHANGED));
                }
                _ if is_taken => continue,
                Part::Edit => {
                    text += &read_form(*form, change);
                    is_mixed |= *formats.entry(change.file).or_insert(format_of(*form)) != format_of(*form);
                    meant.push(change);
                }
                Part::Unread(form) => {
                    text += &unread_form(*form, change);
                    unread.push(change);
                }
                Part::Draft(way) => {
                    text += &draft(*way, read_form(*form, change));
                    drafts.push(change);
                }
            }
            text += &"\n".repeat(*gap);
        }
        if meant.is_empty() {
            return Ok(());
        }
        match made(&text, &objects) {
            Ok(files) => {
                let all: Vec<Change> = meant.iter().chain(&unread).copied().collect();
                prop_assert!(files == files_with(&all), "written otherwise:\n{text}\n{files:?}");
                prop_assert!(drafts.is_empty(), "a draft was left out of:\n{text}");
            }
            Err(failure) => {
                // A reply that edits a file and says that it did not contradicts itself.
                let is_denied = meant.iter().any(|change| denied.contains(&change.file));
                let is_owed = is_mixed || is_denied || !unread.is_empty() || !drafts.is_empty();
                prop_assert!(is_owed, "refused: {failure:?}\n{text}");
                if is_mixed {
                    return Ok(());
                }
                if let RoundFailure::NoPatch(NoPatch { message, .. }) = *failure {
                    // Of two formats for one file it names both, and the file.
                    let says_where = message.contains("ine ") || message.contains("mixes two formats");
                    prop_assert!(says_where, "names no line: {message}\n{text}");
                }
            }
        }
    }
}
