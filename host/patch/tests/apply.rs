//! `apply`: exactly git's result for git's diffs, the right bytes or a misfit for everything else.

use std::path::Path;
use std::sync::Arc;

use guard_cases::Case;
use guardhost_core::change::{
    Candidate, ChangeType, FileMode, FileOp, FilePatch, Hunk, Line, Misfit, Objects, Patch, PatchFormat, RepoPath,
    Strategy, Tree, TreeEntry,
};
use guardhost_core::stop::StopToken;
use guardhost_patch::apply::{ApplyBase, apply};
use guardhost_patch::sanitize::{Rules, sanitize};
use proptest::prelude::{Strategy as Values, *};
use proptest::test_runner::TestRunner;

use crate::support::stored::Stored;
use crate::support::text::read;

pub(crate) struct Lab {
    objects: Arc<Stored>,
    _folder: tempfile::TempDir,
}

impl Lab {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        git2::Repository::init_bare(folder.path()).unwrap();
        Lab { objects: Stored::over(folder.path()).unwrap(), _folder: folder }
    }

    fn tree(&self, files: &[(RepoPath, Vec<u8>)]) -> Tree {
        let entry = |bytes: &[u8]| TreeEntry { oid: self.objects.put_blob(bytes).unwrap(), mode: FileMode::File };
        let files: Vec<_> = files.iter().map(|(path, bytes)| (path.clone(), entry(bytes))).collect();
        Tree { objects: self.objects.clone(), oid: self.objects.tree(&files).unwrap() }
    }

    fn ground(&self, files: &[(&str, &str)]) -> ApplyBase {
        let files: Vec<_> =
            files.iter().map(|(path, text)| (RepoPath::from(*path), text.as_bytes().to_vec())).collect();
        ApplyBase { base: None, tree: self.tree(&files), seen_by_provider: None }
    }

    pub(crate) fn single(&self, bytes: &[u8]) -> ApplyBase {
        ApplyBase { base: None, tree: self.tree(&[(RepoPath::from("a.txt"), bytes.to_vec())]), seen_by_provider: None }
    }

    pub(crate) fn read(&self, candidate: &Candidate, path: &str) -> Option<String> {
        let entry = self.objects.entry(candidate.tree, &RepoPath::from(path)).unwrap()?;
        Some(String::from_utf8(self.objects.blob(entry.oid).unwrap().to_vec()).unwrap())
    }
}

pub(crate) fn place(patch: Patch, ground: &ApplyBase) -> Result<Candidate, Misfit> {
    let clean = sanitize(patch, &Rules::default(), &ground.tree, &StopToken::default()).unwrap().unwrap();
    apply(&clean, ground, &StopToken::default()).unwrap()
}

fn patch(format: PatchFormat, path: &str, op: FileOp) -> Patch {
    Patch::new(format, vec![FilePatch::new(RepoPath::from(path), op)])
}

/// Every case of `host/patch/cases/placing`: files `before`, a `patch`, and either the files `after` with what was `told`, or
/// the `misfit`. `shown`: what the provider was shown, where the files have moved on. `GUARD_TEST_UPDATE=1` writes the words anew.
#[test]
fn cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/placing");
    let lab = Lab::new();
    let mut failures = Vec::new();
    let found = guard_cases::find(&root, &["before", "after", "patch"]).unwrap();
    assert!(found.len() >= 60, "only {} cases", found.len());
    for location in found {
        let (name, case) = (location.name, Case::read(&location.path).unwrap());
        let shown = case.below("shown").next().map(|_| lab.tree(&files(&case, "shown")));
        let ground = ApplyBase { base: None, tree: lab.tree(&files(&case, "before")), seen_by_provider: shown };
        let patch = case.file("patch").unwrap_or_else(|| panic!("{name} has no patch")).bytes.clone();
        let patch = read(patch, &[]).unwrap_or_else(|none| panic!("{name}: {none}"));
        let outcome = place(patch, &ground);
        let (kind, words) = match &outcome {
            Ok(candidate) => ("told", told(candidate)),
            Err(misfit) => ("misfit", codes(misfit)),
        };
        if !case.holds(kind, &words).unwrap() {
            failures.push(format!("{name}: {kind} is now\n{words}"));
        }
        let after = lab.tree(&files(&case, "after")).oid;
        if outcome.is_ok_and(|candidate| candidate.tree != after) {
            failures.push(format!("{name}: the files differ from after/"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn told(candidate: &Candidate) -> String {
    let strategy = serde_json::to_string(&candidate.strategy).unwrap();
    let notes: String = candidate.notes.iter().map(|note| format!("{note}\n")).collect();
    let touched = |file: &guardhost_core::change::Touched| {
        let how = serde_json::to_string(&file.change_type).unwrap();
        let from = file.old_path.as_ref().map(|from| format!(" from {from}")).unwrap_or_default();
        format!("{how} {}{from} +{} -{}\n", file.path, file.lines_added, file.lines_deleted)
    };
    let touched: String = candidate.touched().unwrap().iter().map(touched).collect();
    format!("{strategy}\n{touched}{notes}")
}

fn codes(misfit: &Misfit) -> String {
    misfit.at.iter().map(|at| format!("[{}] ", at.code)).collect::<String>() + "\n" + &misfit.to_string() + "\n"
}

fn files(case: &Case, side: &str) -> Vec<(RepoPath, Vec<u8>)> {
    case.below(side).map(|(path, file)| (RepoPath::from(path.to_str().unwrap()), file.bytes.clone())).collect()
}

#[test]
fn a_whole_file_keeps_endings_and_newline_when_only_they_differ() {
    let lab = Lab::new();
    let ground = lab.ground(&[("a.txt", "one\r\ntwo\r\n"), ("b.txt", "one\ntwo"), ("c.txt", "one\r\n")]);
    let write =
        |path, text: &str| place(patch(PatchFormat::WholeFile, path, FileOp::Write(text.into())), &ground).unwrap();
    for same in [write("a.txt", "one\ntwo"), write("b.txt", "one\ntwo\n")] {
        assert_eq!(same.strategy, Some(Strategy::AlreadyApplied));
        assert!(same.files.is_empty());
        assert_eq!(same.tree, ground.tree.oid);
    }
    let changed = write("a.txt", "one\nthree\n");
    assert_eq!(changed.strategy, Some(Strategy::WholeFile));
    assert_eq!(lab.read(&changed, "a.txt").unwrap(), "one\r\nthree\r\n");
    assert_eq!(lab.read(&write("c.txt", "two\n"), "c.txt").unwrap(), "two\r\n");
}

#[test]
fn a_whole_file_does_not_undo_what_came_after_it_was_shown() {
    let lab = Lab::new();
    let shown = lab.ground(&[("a.txt", "one\ntwo\nthree\nfour\nfive\n")]).tree;
    let ground =
        ApplyBase { seen_by_provider: Some(shown), ..lab.ground(&[("a.txt", "ONE\ntwo\nthree\nfour\nfive\n")]) };
    let write = |text: &str| place(patch(PatchFormat::WholeFile, "a.txt", FileOp::Write(text.into())), &ground);
    let merged = write("one\ntwo\nthree\nfour\nFIVE\n").unwrap();
    assert_eq!(lab.read(&merged, "a.txt").unwrap(), "ONE\ntwo\nthree\nfour\nFIVE\n");
    assert_eq!(merged.strategy, Some(Strategy::ThreeWay));
    assert_eq!(write("1\ntwo\nthree\nfour\nfive\n").err().unwrap().at[0].code, "conflict");
}

/// Two context lines of the hunk read otherwise by now, so that it fits the file nowhere; only the merge from the claimed blob is left.
#[test]
fn a_claimed_blob_serves_as_what_was_shown() {
    let lab = Lab::new();
    // On disk, as in a repository: objects in memory are not found by the beginning of their id.
    let old = git2::Repository::open(lab._folder.path()).unwrap().blob(b"one\ntwo\nthree\nfour\nfive\n").unwrap();
    let ground = lab.ground(&[("a.txt", "ONE\nTWO\nthree\nfour\nfive\n")]);
    let context = ["one", "two", "three", "four"].map(|line| Line::Context(line.into()));
    let change = [Line::Remove(b"five".to_vec()), Line::Add(b"5".to_vec())];
    let hunk = Hunk { old_start: Some(1), lines: [&context[..], &change].concat(), ..Hunk::default() };
    let mut wanted = patch(PatchFormat::GitDiff, "a.txt", FileOp::Modify(vec![hunk]));
    wanted.files[0].claimed_blob = Some(old.to_string()[..8].to_owned());
    let merged = place(wanted.clone(), &ground).unwrap();
    assert_eq!(merged.strategy, Some(Strategy::ThreeWay));
    assert_eq!(lab.read(&merged, "a.txt").unwrap(), "ONE\nTWO\nthree\nfour\n5\n");
    for unknown in [Some("0123456".to_owned()), None] {
        wanted.files[0].claimed_blob = unknown;
        assert_eq!(place(wanted.clone(), &ground).err().unwrap().at[0].code, "not-found");
    }
}

#[test]
fn modes_change_with_and_without_content() {
    let lab = Lab::new();
    let ground = lab.ground(&[("run.sh", "echo\n")]);
    let mut wanted = patch(PatchFormat::GitDiff, "run.sh", FileOp::Modify(vec![]));
    wanted.files[0].mode = Some(FileMode::Executable);
    let placed = place(wanted, &ground).unwrap();
    assert_eq!(placed.files[0].change_type, ChangeType::Modify);
    assert_eq!(placed.files[0].after.unwrap().mode, FileMode::Executable);
    assert_eq!((placed.touched().unwrap()[0].lines_added, placed.strategy), (0, Some(Strategy::Exact)));
}

/// 200,000 lines, half of them the same, and 20,000 hunks: minutes if anything were quadratic.
#[test]
fn large_files_and_large_patches_are_placed() {
    let lab = Lab::new();
    let line = |nth: usize| if nth.is_multiple_of(2) { "    }".to_owned() } else { format!("    call_number({nth})") };
    let text: String = (0..200_000).map(|nth| line(nth) + "\n").collect();
    let hunk = |nth: usize| Hunk {
        lines: vec![
            Line::Context(line(nth - 1).into()),
            Line::Remove(line(nth).into()),
            Line::Add(format!("    called({nth})").into()),
            Line::Context(line(nth + 1).into()),
        ],
        ..Hunk::default()
    };
    let hunks: Vec<Hunk> = (0..20_000).map(|nth| hunk(nth * 10 + 5)).collect();
    let ground = lab.ground(&[("big.c", &text)]);
    let placed = place(patch(PatchFormat::UnifiedDiff, "big.c", FileOp::Modify(hunks)), &ground).unwrap();
    assert_eq!(placed.touched().unwrap()[0].lines_added, 20_000);
    assert!(lab.read(&placed, "big.c").unwrap().contains("\n    called(199995)\n    }\n"));
}

/// A file of a few different lines, so that everything in it has twins.
fn repetitive() -> impl Values<Value = Vec<String>> {
    let word =
        prop_oneof![Just("alpha one"), Just("beta two"), Just("}"), Just(""), Just("\tgamma"), Just("  delta  ")];
    prop::collection::vec(word.prop_map(str::to_owned), 0..40)
}

#[derive(Debug, Clone)]
struct Edit {
    at: prop::sample::Index,
    delete: usize,
    insert: Vec<String>,
}

fn edits() -> impl Values<Value = Vec<Edit>> {
    let insert = prop::collection::vec(prop_oneof![Just("alpha one"), Just("new word"), Just(""), Just("}")], 0..3);
    let edit = (any::<prop::sample::Index>(), 0..3usize, insert).prop_map(|(at, delete, insert)| Edit {
        at,
        delete,
        insert: insert.into_iter().map(str::to_owned).collect(),
    });
    prop::collection::vec(edit, 1..4)
}

fn edited(lines: &[String], edits: &[Edit]) -> Vec<String> {
    let mut lines = lines.to_vec();
    for edit in edits {
        let at = edit.at.index(lines.len() + 1);
        let end = (at + edit.delete).min(lines.len());
        lines.splice(at..end, edit.insert.iter().cloned());
    }
    lines
}

fn text(lines: &[String], newline: bool, crlf: bool) -> Vec<u8> {
    let ending = if crlf { "\r\n" } else { "\n" };
    let mut text = lines.iter().map(|line| line.clone() + ending).collect::<String>();
    if !newline && text.ends_with(ending) {
        text.truncate(text.len() - ending.len());
    }
    text.into_bytes()
}

/// Git's own diff of two texts.
pub(crate) fn git_diff(before: &[u8], after: &[u8], context: u32) -> Vec<u8> {
    let path = Path::new("a.txt");
    let mut options = git2::DiffOptions::new();
    options.context_lines(context);
    let mut patch = git2::Patch::from_buffers(before, Some(path), after, Some(path), Some(&mut options)).unwrap();
    patch.to_buf().unwrap().to_vec()
}

/// As many cases as proptest is told to try (256), in one repository.
pub(crate) fn check<S: Values>(strategy: S, test: impl Fn(&Lab, S::Value) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let lab = Lab::new();
    TestRunner::new(config).run(&strategy, |value| test(&lab, value)).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_diff_of_git_gives_what_git_gives() {
    let strategy = (repetitive(), edits(), any::<(bool, bool, bool)>(), 1..5u32);
    check(strategy, |lab, (lines, edits, (old_newline, new_newline, crlf), context)| {
        let (before, after) = (text(&lines, old_newline, crlf), text(&edited(&lines, &edits), new_newline, crlf));
        let wanted = git_diff(&before, &after, context);
        prop_assume!(!wanted.is_empty() && !after.is_empty());
        let placed = place(read(wanted.clone(), &[]).unwrap(), &lab.single(&before));
        let placed = placed.map_err(|misfit| TestCaseError::fail(misfit.to_string()))?;
        prop_assert_eq!(placed.tree, lab.single(&after).tree.oid, "{}", String::from_utf8_lossy(&wanted));
        prop_assert_ne!(placed.strategy, Some(Strategy::AlreadyApplied));
        Ok(())
    });
}

/// Damage that leaves what a hunk says alone: numbers gone, blanks at line ends gone, a hunk twice.
#[test]
fn a_damaged_diff_gives_the_same_or_nothing() {
    let strategy = (repetitive(), edits(), 0..3, any::<prop::sample::Index>());
    check(strategy, |lab, (lines, edits, damage, pick)| {
        let (before, after) = (text(&lines, true, false), text(&edited(&lines, &edits), true, false));
        let wanted = git_diff(&before, &after, 3);
        prop_assume!(!wanted.is_empty() && !after.is_empty());
        let mut damaged = read(wanted.clone(), &[]).unwrap();
        let FileOp::Modify(hunks) = &mut damaged.files[0].op else { return Ok(()) };
        match damage {
            0 => hunks.iter_mut().for_each(|hunk| hunk.old_start = None),
            1 => hunks.iter_mut().flat_map(|hunk| &mut hunk.lines).for_each(|line| {
                if let Line::Context(bytes) = line {
                    bytes.truncate(bytes.trim_ascii_end().len());
                }
            }),
            _ => {
                let again = hunks[pick.index(hunks.len())].clone();
                hunks.insert(pick.index(hunks.len() + 1), again);
            }
        }
        if let Ok(placed) = place(damaged, &lab.single(&before)) {
            prop_assert_eq!(placed.tree, lab.single(&after).tree.oid, "{}", String::from_utf8_lossy(&wanted));
        }
        Ok(())
    });
}

#[test]
fn any_hunks_at_all_end_in_a_candidate_or_a_misfit() {
    let strategy = (any::<Vec<u8>>(), prop::collection::vec(any_hunk(), 0..6), any_format());
    check(strategy, |lab, (file, hunks, format)| {
        let file = [file, b"alpha\n\tbeta\n}\nalpha\r\n}\n".repeat(2)].concat();
        match place(patch(format, "a.txt", FileOp::Modify(hunks)), &lab.single(&file)) {
            Ok(candidate) => {
                prop_assert_eq!(candidate.files.is_empty(), candidate.strategy == Some(Strategy::AlreadyApplied));
            }
            Err(misfit) => prop_assert!(!misfit.at.is_empty()),
        }
        Ok(())
    });
}

fn any_hunk() -> impl Values<Value = Hunk> {
    let bytes = prop_oneof![
        Just(b"alpha".to_vec()),
        Just(b"    beta".to_vec()),
        Just(b"}".to_vec()),
        Just(Vec::new()),
        prop::collection::vec(any::<u8>(), 0..6),
    ];
    let line = (0..3, bytes.clone()).prop_map(|(kind, bytes)| match kind {
        0 => Line::Context(bytes),
        1 => Line::Remove(bytes),
        _ => Line::Add(bytes),
    });
    let lines = prop::collection::vec(line, 0..7);
    let anchors = prop::collection::vec(bytes, 0..2);
    (
        prop::option::of(any::<u32>().prop_map(|line| if line % 4 == 0 { line } else { line % 16 })),
        anchors,
        lines,
        any::<[bool; 3]>(),
    )
        .prop_map(|(old_start, anchors, lines, [at_end, old_no_newline, new_no_newline])| Hunk {
            old_start,
            anchors,
            lines,
            is_everywhere: false,
            ends_line: false,
            at_end,
            old_no_newline,
            new_no_newline,
            step: 0,
            is_miscounted: false,
            trimmed: 0,
        })
}

fn any_format() -> impl Values<Value = PatchFormat> {
    prop_oneof![Just(PatchFormat::GitDiff), Just(PatchFormat::V4a), Just(PatchFormat::SearchReplace)]
}
