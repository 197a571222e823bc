//! Links of documents that the change does not touch, to what it takes away: files, and headings.

use std::collections::{BTreeSet, HashSet};

use guard_sdk::{Change, Finding, Severity, Side};

use crate::Settings;
use crate::document::GLOBS;
use crate::exempt::{is_form, is_material, is_record};
use crate::judge::{Since, broken, finding};
use crate::shelf::Shelf;
use crate::target::Target;

/// Words that are looked for at once; a change that takes more away is a clearing, and its first hundred tell enough.
const WORDS: usize = 100;
/// Lines that are looked at.
const LINES: u32 = 1_000;
/// Documents that are read for their links.
const DOCUMENTS: usize = 40;
/// Documents of a repository from which on nobody looks: all of them would be read for a warning. In one of 21,000, a heading that was
/// renamed cost 1.9 seconds of processor time in a development build, and more than a call may take beside other work.
const MANY: u32 = 4_000;

/// Whether anything went that another document may link to. `lost`: anchors that touched documents no longer have.
pub fn find(shelf: &Shelf, lost: BTreeSet<String>, settings: &Settings, findings: &mut Vec<Finding>) -> bool {
    let change = shelf.change;
    let words = gone(change, lost);
    if words.is_empty() {
        return false;
    }
    let words: Vec<&str> = words.iter().take(WORDS).map(String::as_str).collect();
    if change.repo(Side::After).find(GLOBS, MANY).len() == MANY as usize {
        let message =
            format!("links of other documents to what went were not looked for: there are {MANY} documents or more");
        findings.push(Finding::info("not-looked-for", message));
        return true;
    }
    let touched: HashSet<&str> = change.files().map(|file| file.path()).collect();
    let hits = change.repo(Side::After).search(&words, GLOBS, LINES);
    let mut documents: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
    documents.dedup();
    documents.retain(|path| !touched.contains(path) && !is_material(path) && !is_form(path) && !is_record(path));
    for path in documents.iter().take(DOCUMENTS) {
        let Some(document) = shelf.document(Side::After, path) else { continue };
        for link in document.links.iter().filter(|link| !settings.ignores(&link.target)) {
            let hit = hits.iter().any(|hit| hit.path == *path && link.target.contains(words[hit.needle as usize]));
            let Some(Target::Place { path: to, fragment }) = Target::read(&link.target).filter(|_| hit) else {
                continue;
            };
            let on = |side| broken(shelf, side, path, link, &to, &fragment);
            if let Some(now) = on(Side::After).filter(|_| on(Side::Before).is_none()) {
                // Whoever changes a file need not know who links to it; people let such links wait for another day.
                findings
                    .push(Finding { severity: Severity::Warning, ..finding(shelf, path, link, &now, Since::Worked) });
            }
        }
    }
    true
}

/// Names of files that went, beside the anchors that documents no longer have.
fn gone(change: &Change, mut words: BTreeSet<String>) -> BTreeSet<String> {
    for file in change.files() {
        let old = file.old_path().unwrap_or(file.path());
        if old != file.path() || !file.after().exists() {
            let name = old.rsplit('/').next().unwrap_or(old);
            // What is searched for is a word: a name that begins or ends with a sign is found by what lies between.
            words.insert(name.trim_matches(|c: char| !c.is_alphanumeric()).to_string());
        }
    }
    words.retain(|word| (2..=400).contains(&word.len()));
    words
}
