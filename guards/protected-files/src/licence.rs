//! Licences of the repository and of its parts.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{Change, File, Finding};

use crate::Made;

pub fn judge(file: &File, change: &Change, made: &Made) -> Option<Finding> {
    let path = file.old_path().unwrap_or(file.path());
    if !is_licence(path) || matches!(kind_of(path), Kind::TestData | Kind::Vendored | Kind::Template) {
        return None;
    }
    if made.speaks_of(&["licen", "copyright", "relicen", "spdx", "legal"]) || made.names(path) {
        return None;
    }
    // Where another licence lies is none of the terms. Of other names, a file could be added for each word that is to go.
    let names = change.files().flat_map(|other| [Some(other.path()), other.old_path()]).flatten();
    let moved: BTreeSet<&str> = names.filter(|name| *name != path && name.contains("LICEN")).collect();
    let terms = |text: &str| terms(text, &moved);
    let before = terms(&file.before().text().ok()?);
    // An empty file or a link to another has no terms of its own.
    if before.len() < 5 || !file.before().is_regular() {
        return None;
    }
    if !file.after().exists() {
        let stays = change.files().any(|other| {
            other.after().is_regular()
                && is_licence(other.path())
                && other.after().text().is_ok_and(|text| terms(&text) == before)
        });
        // With what it was the licence of.
        let folder = path.rsplit_once('/').map(|(folder, _)| format!("{folder}/"));
        let goes_with = folder.is_some_and(|folder| {
            change.files().any(|other| {
                let was = other.old_path().unwrap_or(other.path());
                was != path && was.starts_with(&folder) && !other.after().exists() | (other.path() != was)
            })
        });
        return (!stays && !goes_with)
            .then(|| file.error("licence-changed", format!("the licence {path} goes away")).help(HELP));
    }
    if !file.after().is_regular() {
        return None;
    }
    let after = terms(&file.after().text().ok()?);
    // What is added behind the terms, such as the licence of another part, takes nothing away.
    let count = |terms: &[String]| {
        terms.iter().fold(BTreeMap::new(), |mut counts: BTreeMap<String, usize>, term| {
            *counts.entry(term.clone()).or_default() += 1;
            counts
        })
    };
    let after = count(&after);
    let is_kept = count(&before).iter().all(|(term, times)| after.get(term).is_some_and(|other| other >= times));
    let line = file.changed_lines().first().map_or(1, |lines| *lines.start());
    (!is_kept).then(|| {
        Finding::error("licence-changed", format!("the terms of the licence {path} change, which nobody asked for"))
            .at(file.path(), line)
            .help(HELP)
    })
}

const HELP: &str = "Leave the licence as it was; a change of terms is for those who hold the rights.";

fn is_licence(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_uppercase();
    let stem = name.split('.').next().unwrap_or_default();
    let is_text = !name.contains('.') || [".TXT", ".MD", ".RST"].iter().any(|ending| name.ends_with(ending));
    let named = ["LICENSE", "LICENCE", "COPYING", "UNLICENSE"];
    is_text
        && named
            .iter()
            .any(|own| stem == *own || stem.strip_prefix(own).is_some_and(|rest| rest.starts_with(['-', '_'])))
}

/// Its words by sentence-like lines, without those that say who holds the rights and since when, without addresses, and without names of
/// `files`. Where lines break says nothing.
fn terms(text: &str, files: &BTreeSet<&str>) -> Vec<String> {
    let lines = text.lines().filter(|line| {
        let lower = line.to_lowercase();
        !(lower.contains("copyright") || lower.contains("(c)") || lower.contains('©')) || lower.len() > 90
    });
    let words: Vec<String> = lines
        .flat_map(str::split_whitespace)
        .filter(|word| {
            let name = word.trim_matches(|c: char| c.is_ascii_punctuation());
            !word.contains("://") && !files.contains(name)
        })
        .map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    // Runs of words, so that one that changes is found wherever it stands.
    words.windows(6).map(|run| run.join(" ")).collect()
}
