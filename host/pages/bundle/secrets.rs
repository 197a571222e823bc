//! Lines in which a guard found a secret. The records keep them, in folders that only their owner reads; a bundle is passed on.

use std::collections::BTreeSet;

use guardhost_report::journal::ArtifactRef;
use serde_json::Value;

use super::{FileRef, FileText};
use crate::view::{change, findings_of_text};

const MASK: &str = "[a line with a secret]";
/// Characters of a line below which it is no secret, but a bracket beside one.
const LEAST: usize = 8;

/// The lines of a run that one of its judgements says have a secret in them.
pub struct SecretLines(BTreeSet<String>);

impl SecretLines {
    pub fn new(files: &[(String, FileRef, FileText)]) -> Self {
        let mut secrets = secrets(files);
        // As a string of JSON has them.
        let escaped = secrets.iter().map(|secret| Value::from(secret.as_str()).to_string());
        let escaped: Vec<String> = escaped.map(|text| text.trim_matches('"').to_owned()).collect();
        secrets.extend(escaped);
        SecretLines(secrets)
    }

    /// Masks them in the texts. A file that changes gets the digest of what is left.
    pub fn mask(&self, files: &mut [(String, FileRef, FileText)]) {
        for (_, file, text) in files {
            if let Some(masked) = self.masked(&text.text) {
                file.key = ArtifactRef::file(String::new(), masked.as_bytes()).key;
                text.text = masked;
            }
        }
    }

    /// Masks them in every string of `value`.
    pub fn mask_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(masked) = self.masked(text) {
                    *text = masked;
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.mask_value(value)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.mask_value(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// None for a text without any.
    fn masked(&self, text: &str) -> Option<String> {
        let found: Vec<&String> = self.0.iter().filter(|secret| text.contains(secret.as_str())).collect();
        let mask = |text: String, secret: &&String| text.replace(secret.as_str(), MASK);
        (!found.is_empty()).then(|| found.iter().fold(text.to_owned(), mask))
    }
}

fn secrets(files: &[(String, FileRef, FileText)]) -> BTreeSet<String> {
    let mut secrets = BTreeSet::new();
    let text = |path: String| files.iter().find(|(other, ..)| *other == path).map(|(.., text)| text.text.as_str());
    for (path, _, judgement) in files {
        let Some((round, "judgement.json")) = path.split_once('/') else { continue };
        let Some(diff) = text(format!("{round}/final.diff")) else { continue };
        let changed = change(diff);
        for finding in findings_of_text(&judgement.text).into_iter().filter(|finding| finding.is_secret) {
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
