//! The source lines of findings, and what their fixes make of them, read while the repository is open: reports are rendered without it.

use std::collections::{BTreeMap, BTreeSet};

use super::replacement::{self, FixKey, Replacement};
use super::{Blob, Candidate, Finding, Judgement};
use crate::sensitive::{hidden, hidden_finding};

/// Maximum size of a file that is read for quotes, in bytes.
const MAX_FILE: u64 = 4 << 20;
/// Maximum bytes of a line that are kept.
const MAX_LINE: usize = 400;
/// Maximum lines of one finding, from its first: enough to recognise the place.
const MAX_LINES: u32 = 3;

/// The first lines of each finding, by path and line. Control characters are not escaped yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quotes {
    lines: BTreeMap<(String, u32), String>,
    /// Files with findings that no model may read, and why: a guard may repeat what stands in them.
    hidden: BTreeMap<String, &'static str>,
    /// Of each fix that changes the file of its finding alone, sorted. A slice is small: quotes are part of errors, which are moved about.
    replacements: Box<[(FixKey, Replacement)]>,
}

impl Quotes {
    /// Reads each file with findings once, both sides of it. Only touched files are read: quotes may be sent to a provider, which must not
    /// see unrelated files, and no credentials. A file that cannot be read is not quoted, since quotes are optional, and neither is a line
    /// with a secret in it: a guard need not have found every one of the line.
    pub fn take(candidate: &Candidate, judgement: &Judgement) -> Self {
        let mut wanted: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        let mut secret: BTreeSet<(&str, u32)> = BTreeSet::new();
        let mut fixes: BTreeSet<FixKey> = BTreeSet::new();
        for finding in judgement.evidence.iter().flat_map(|evidence| evidence.verdict.findings()) {
            let Some(path) = &finding.path else { continue };
            let lines = wanted.entry(path).or_default();
            fixes.extend(replacement::key(finding).filter(|_| !finding.is_secret));
            if let Some(line) = finding.line {
                let last = finding.end_line.unwrap_or(line).min(line.saturating_add(MAX_LINES - 1));
                lines.extend(line..=last);
                if finding.is_secret {
                    secret.extend((line..=last).map(|line| (path.as_str(), line)));
                }
            }
        }
        let mut quotes = Quotes::default();
        let mut replacements = Vec::new();
        for file in &candidate.files {
            let path = file.path.to_string();
            let Some(lines) = wanted.get(path.as_str()) else { continue };
            let read = |blob: Option<Blob>| {
                let blob = blob.filter(|blob| blob.size <= MAX_FILE)?;
                candidate.objects.blob(blob.oid).ok()
            };
            let (before, after) = (read(file.before), read(file.after));
            let paths = || [Some(&file.path), file.old_path.as_ref()].into_iter().flatten();
            let mut sides = [&before, &after].into_iter().map(|side| side.as_deref().unwrap_or_default());
            if let Some(why) = sides.find_map(|bytes| paths().find_map(|path| hidden(path, bytes))) {
                quotes.hidden.insert(path, why);
                continue;
            }
            // A fix changes the new content. What lies between its edits may be a secret of another finding.
            if let Some(bytes) = &after {
                let shows = |line: u32| secret.contains(&(path.as_str(), line));
                let of_file = fixes.iter().filter(|(of, _)| *of == path);
                let made = of_file.filter_map(|fix| Some((fix.clone(), replacement::from_edits(&fix.1, bytes)?)));
                replacements.extend(made.filter(|(_, made)| !(made.start.line..=made.end.line).any(shows)));
            }
            // Findings on a deleted file are about its old content.
            let Some(bytes) = (if file.after.is_some() { &after } else { &before }) else { continue };
            for (number, line) in (1u32..).zip(bytes.split(|byte| *byte == b'\n')) {
                if lines.contains(&number) && !secret.contains(&(path.as_str(), number)) {
                    let line = line.strip_suffix(b"\r").unwrap_or(line);
                    let text = String::from_utf8_lossy(&line[..line.len().min(MAX_LINE)]).into_owned();
                    quotes.add(path.clone(), number, text);
                }
            }
        }
        replacements.sort_by(|(one, _), (other, _): &(FixKey, Replacement)| one.cmp(other));
        quotes.replacements = replacements.into();
        quotes
    }

    /// Why no model may read what the finding says; None when it may.
    pub fn withheld(&self, finding: &Finding) -> Option<&'static str> {
        let of_file = finding.path.as_ref().and_then(|path| self.hidden.get(path)).copied();
        of_file.or_else(|| hidden_finding(finding))
    }

    /// None when the line is not quoted.
    pub fn line(&self, path: &str, line: u32) -> Option<&str> {
        self.lines.get(&(path.to_owned(), line)).map(String::as_str)
    }

    /// The quoted lines from `first` to `last`, with their numbers.
    pub fn lines<'a>(&'a self, path: &str, first: u32, last: u32) -> impl Iterator<Item = (u32, &'a str)> {
        let (first, last) = ((path.to_owned(), first), (path.to_owned(), last.max(first)));
        self.lines.range(first..=last).map(|((_, line), text)| (*line, text.as_str())).take(MAX_LINES as usize)
    }

    /// What the fix of a finding makes of its file. None without a fix of that file alone.
    pub fn replacement(&self, finding: &Finding) -> Option<&Replacement> {
        let key = replacement::key(finding)?;
        let at = self.replacements.binary_search_by(|(known, _)| known.cmp(&key)).ok()?;
        Some(&self.replacements[at].1)
    }

    /// Adds a line that the caller has read itself.
    pub fn add(&mut self, path: impl Into<String>, line: u32, text: impl Into<String>) {
        self.lines.insert((path.into(), line), text.into());
    }
}
