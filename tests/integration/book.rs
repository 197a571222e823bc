//! The book: its summary names every document, and every link in a document leads somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

const SUMMARY: &str = "docs/SUMMARY.md";

/// Documents outside of `docs/` and of the guards that are chapters.
const ELSEWHERE: [&str; 4] = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "sdk/README.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md")
}

/// Every document that belongs into the book, from the root of the repository.
fn documents() -> BTreeSet<PathBuf> {
    let mut found: BTreeSet<PathBuf> = ELSEWHERE.map(PathBuf::from).into();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if is_markdown(&path) {
                found.insert(path.strip_prefix(root()).expect("below the root").to_owned());
            }
        }
    }
    let guards = fs::read_dir(root().join("guards"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().join("README.md"));
    found.extend(
        guards.filter(|path| path.exists()).map(|path| path.strip_prefix(root()).expect("below the root").to_owned()),
    );
    found.remove(Path::new(SUMMARY));
    found
}

/// The lines outside of fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The targets of `[text](target)` in a line, but for those inside of code.
fn targets(line: &str) -> Vec<String> {
    let outside: String =
        line.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "code" }).collect();
    let after = outside.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    after.map(|(target, _)| target.to_owned()).collect()
}

/// The anchors of a document's headings, as forges make them: lower case, blanks to hyphens, other signs left out.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut times = BTreeMap::<String, usize>::new();
    let heading = |line: &str| {
        line.trim_start_matches('#').strip_prefix(' ').map(str::to_owned).filter(|_| line.starts_with('#'))
    };
    let slug = |heading: String| {
        let shown: String = heading
            .split("](")
            .enumerate()
            .map(|(at, part)| if at == 0 { part } else { part.split_once(')').map_or(part, |two| two.1) })
            .collect();
        let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
        shown
            .trim()
            .to_lowercase()
            .chars()
            .filter(kept)
            .map(|letter| if letter == ' ' { '-' } else { letter })
            .collect::<String>()
    };
    prose(text)
        .filter_map(heading)
        .map(slug)
        .map(|slug| {
            let before = times.entry(slug.clone()).or_default();
            *before += 1;
            if *before == 1 { slug } else { format!("{slug}-{}", *before - 1) }
        })
        .collect()
}

/// A path without `.` and `..`, from the root of the repository.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut at, part| {
        match part {
            Component::ParentDir => drop(at.pop()),
            Component::CurDir => {}
            other => at.push(other),
        }
        at
    })
}

/// Where a link of a document leads, if not out of the repository: a path from its root, and an anchor.
fn inside(document: &Path, target: &str) -> Option<(PathBuf, Option<String>)> {
    let outside = target.contains("://") || target.starts_with("mailto:");
    let (path, anchor) =
        target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor.to_owned())));
    let folder = document.parent().unwrap_or(Path::new(""));
    let at = if path.is_empty() { document.to_owned() } else { plain(&folder.join(path)) };
    (!outside).then_some((at, anchor))
}

#[test]
fn the_summary_names_every_document_once() {
    let text = fs::read_to_string(root().join(SUMMARY)).expect("the summary");
    let named: Vec<PathBuf> =
        prose(&text).flat_map(targets).filter_map(|target| Some(inside(Path::new(SUMMARY), &target)?.0)).collect();
    let once: BTreeSet<PathBuf> = named.iter().cloned().collect();
    assert_eq!(named.len(), once.len(), "a document is named twice");
    assert_eq!(once, documents());
}

#[test]
fn every_link_of_a_document_leads_somewhere() {
    let (mut followed, mut broken) = (0, Vec::new());
    let others = [SUMMARY, "README.md"].map(PathBuf::from);
    for document in documents().into_iter().chain(others) {
        let text = fs::read_to_string(root().join(&document)).expect("a document");
        for target in prose(&text).flat_map(targets) {
            let Some((path, anchor)) = inside(&document, &target) else { continue };
            followed += 1;
            let there = match anchor.filter(|_| is_markdown(&path)) {
                Some(anchor) => {
                    fs::read_to_string(root().join(&path)).is_ok_and(|text| anchors(&text).contains(&anchor))
                }
                None => root().join(&path).exists(),
            };
            if !there {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(followed > 300, "only {followed} were found");
    assert_eq!(broken, Vec::<String>::new());
}
