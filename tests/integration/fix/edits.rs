//! Random edits: either all are placed or none, and nothing else changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use guardhost_core::change::{Candidate, Edit, FileMode, RepoPath, TreeEntry};
use guardhost_core::stop::StopToken;
use guardhost_gate::autofix::apply;
use guardhost_patch::sanitize::Rules;
use proptest::prelude::*;

use crate::support::candidate::candidate;

const BEFORE: [(&str, &[u8]); 3] = [("a", b"one\n"), ("gone", b"x\n"), ("still", b"here\n")];
const AFTER: [(&str, &[u8]); 5] =
    [("a", b"one\ntwo\n"), ("b/c", b"0123456789"), ("guards.toml", b"#"), ("e", b""), ("still", b"here\n")];

fn files(candidate: &Candidate) -> BTreeMap<RepoPath, (TreeEntry, Arc<[u8]>)> {
    let mut files = BTreeMap::new();
    let objects = &candidate.objects;
    let mut keep = |path: &RepoPath, entry: TreeEntry| {
        files.insert(path.clone(), entry);
        true
    };
    objects.walk(candidate.tree, &mut keep).unwrap();
    files.into_iter().map(|(path, entry)| (path, (entry, objects.blob(entry.oid).unwrap()))).collect()
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let named = ["a", "b/c", "e", "b/c", "a"].map(str::to_owned);
    let others =
        ["gone", "still", "guards.toml", "b", "", "../a", "/a", "b/../a", ".git/config", "a\0", "a\\x0a", "new"];
    let path = prop_oneof![
        12 => prop::sample::select(named.to_vec()),
        1 => prop::sample::select(others.map(str::to_owned).to_vec()),
        1 => any::<String>(),
    ];
    let offset = || prop_oneof![12 => 0..12u64, 1 => any::<u64>(), 1 => Just(u64::MAX)];
    let span = prop_oneof![
        6 => (0..8u64, 0..3u64).prop_map(|(start, size)| (start, start + size)),
        1 => (offset(), offset()),
    ];
    let replacement = prop_oneof![
        8 => prop::collection::vec(any::<u8>(), 0..4),
        1 => Just(vec![b'x'; 3 << 20]),
    ];
    let edit =
        (path, span, replacement).prop_map(|(path, (start, end), replacement)| Edit { path, start, end, replacement });
    prop::collection::vec(edit, 0..5)
}

/// The files with the edits applied from the end; None when one is out of range, or two overlap.
fn expected(edits: &[Edit], files: &BTreeMap<RepoPath, (TreeEntry, Arc<[u8]>)>) -> Option<BTreeMap<RepoPath, Vec<u8>>> {
    let mut wanted: BTreeMap<RepoPath, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        if !["a", "b/c", "e"].contains(&edit.path.as_str()) {
            return None;
        }
        let of_file = wanted.entry(edit.path.as_str().into()).or_default();
        if !of_file.contains(&edit) {
            of_file.push(edit);
        }
    }
    let mut made = BTreeMap::new();
    for (path, mut edits) in wanted {
        let mut bytes = files[&path].1.to_vec();
        let size = bytes.len() as u64;
        if edits.iter().any(|edit| edit.start > edit.end || edit.end > size) {
            return None;
        }
        let clash = |one: &Edit, other: &Edit| {
            (one.start < other.end && other.start < one.end) || (one.start, one.end) == (other.start, other.end)
        };
        if edits.iter().enumerate().any(|(at, one)| edits[at + 1..].iter().any(|other| clash(one, other))) {
            return None;
        }
        edits.sort_by_key(|edit| (edit.start, edit.end));
        for edit in edits.iter().rev() {
            bytes.splice(edit.start as usize..edit.end as usize, edit.replacement.iter().copied());
        }
        (bytes.len() < 2 << 20).then_some(())?;
        made.insert(path, bytes);
    }
    Some(made)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_or_none_and_nothing_else(edits in edits()) {
        let candidate = candidate(&BEFORE, &AFTER);
        let before = files(&candidate);
        let placed = apply(&candidate, &edits.iter().collect::<Vec<_>>(), &Rules::default(), &StopToken::default()).unwrap();
        let expected = expected(&edits, &before);
        prop_assert_eq!(placed.is_ok(), expected.is_some(), "{:?}", placed.err());
        let (Ok(placed), Some(expected)) = (placed, expected) else { return Ok(()) };
        let after = files(&placed);
        prop_assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        for (path, (entry, bytes)) in &after {
            let wanted = expected.get(path).cloned().unwrap_or_else(|| before[path].1.to_vec());
            prop_assert_eq!(&bytes[..], &wanted[..]);
            prop_assert_eq!(entry.mode, FileMode::File);
        }
        prop_assert_eq!((placed.base, placed.base_tree), (candidate.base, candidate.base_tree));
        for file in &placed.files {
            let named = after.get(&file.path).map(|(entry, bytes)| (entry.oid, bytes.len() as u64));
            prop_assert_eq!(file.after.map(|blob| (blob.oid, blob.size)), named);
        }
    }
}

#[test]
fn a_fix_is_held_to_the_rules_of_any_patch() {
    let on = candidate(&BEFORE, &AFTER);
    let edit =
        |path: &str, replacement: &[u8]| Edit { path: path.into(), start: 0, end: 0, replacement: replacement.into() };
    let why = |edit: Edit, rules: &Rules| {
        apply(&on, &[&edit], rules, &StopToken::default()).unwrap().err().unwrap_or_default()
    };
    let rules = Rules::default();
    assert!(why(edit("guards.toml", b"x"), &rules).contains("holds the rules"));
    assert!(why(edit("a", &vec![0; 3 << 20]), &rules).contains("more than"));
    assert!(why(edit("still", b"x"), &rules).contains("no file that this change touches"));
    assert!(why(edit("gone", b"x"), &rules).contains("no file that this change touches"));
    assert!(why(edit("a", b"x"), &Rules { protect: vec!["a".into()], ..Rules::default() }).contains("protected"));
    assert!(why(edit("a", b"x"), &Rules { only: vec!["b/c".into()], ..Rules::default() }).contains("leave it alone"));
    let undo = Edit { path: "a".into(), start: 4, end: 8, replacement: Vec::new() };
    let alone = candidate(&[("a", b"one\n")], &[("a", b"one\ntwo\n")]);
    assert!(apply(&alone, &[&undo], &rules, &StopToken::default()).unwrap().err().unwrap().contains("change nothing"));
}
