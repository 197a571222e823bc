//! Lines in which a guard found a secret. The records keep them, in folders that only their owner reads; a bundle is passed on.

use std::collections::BTreeSet;

use guardhost_report::journal::ArtifactRef;

use super::{FileRef, Text};
use crate::view::{change, findings_of_text};

const MASK: &str = "[a line with a secret]";
/// Characters of a line below which it is no secret, but a bracket beside one.
const LEAST: usize = 8;

/// Masks every line of `files` that one of their judgements says has a secret in it. A file that changes gets the digest of what is left.
pub fn mask(files: &mut [(String, FileRef, Text)]) {
    let secrets = secrets(files);
    if secrets.is_empty() {
        return;
    }
    for (_, file, text) in files {
        let holds = |line: &str| secrets.iter().any(|secret| line.contains(secret.as_str()));
        if !holds(&text.text) {
            continue;
        }
        let masked: Vec<String> = text
            .text
            .split('\n')
            .map(|line| if holds(line) { masked(line, &secrets) } else { line.to_owned() })
            .collect();
        text.text = masked.join("\n");
        file.key = ArtifactRef::file(String::new(), text.text.as_bytes()).key;
    }
}

fn masked(line: &str, secrets: &BTreeSet<String>) -> String {
    secrets.iter().fold(line.to_owned(), |line, secret| line.replace(secret.as_str(), MASK))
}

fn secrets(files: &[(String, FileRef, Text)]) -> BTreeSet<String> {
    let mut secrets = BTreeSet::new();
    let text = |path: String| files.iter().find(|(other, ..)| *other == path).map(|(.., text)| text.text.as_str());
    for (path, _, judgement) in files {
        let Some((round, "judgement.json")) = path.split_once('/') else { continue };
        let Some(diff) = text(format!("{round}/final.diff")) else { continue };
        let changed = change(diff);
        for finding in findings_of_text(&judgement.text).into_iter().filter(|finding| finding.secret) {
            let Some(first) = finding.line else { continue };
            let lines = first..=finding.end_line.unwrap_or(first).max(first);
            let of_file = changed.iter().filter(|file| Some(file.path()) == finding.path.as_deref());
            let all = of_file.flat_map(|file| &file.hunks).flat_map(|hunk| &hunk.lines);
            let meant = all.filter(|line| line.new.or(line.old).is_some_and(|number| lines.contains(&number)));
            let texts = meant.map(|line| line.text.trim()).filter(|text| text.chars().count() >= LEAST);
            secrets.extend(texts.map(str::to_owned));
        }
    }
    secrets
}
