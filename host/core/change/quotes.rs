//! The source lines of findings, read while the repository is open: reports are rendered without it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Candidate, Judgement};
use crate::sensitive::hidden;

/// Maximum size of a file that is read for quotes, in bytes.
const MAX_FILE: u64 = 4 << 20;
/// Maximum bytes of a line that are kept.
const MAX_LINE: usize = 400;
/// Maximum lines of one finding, from its first: enough to recognise the place.
const MAX_LINES: u32 = 3;

/// The first lines of each finding, by path and line. Control characters are not escaped yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quotes(BTreeMap<(String, u32), String>);

impl Quotes {
    /// Reads each file with findings once. Only touched files are read: quotes may be sent to a provider, which must not see
    /// unrelated files, and no credentials. A file that cannot be read is not quoted, since quotes are optional.
    pub fn take(candidate: &Candidate, judgement: &Judgement) -> Self {
        let mut wanted: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for finding in judgement.evidence.iter().flat_map(|evidence| evidence.verdict.findings()) {
            if let (Some(path), Some(line)) = (&finding.path, finding.line) {
                let last = finding.end_line.unwrap_or(line).min(line.saturating_add(MAX_LINES - 1));
                wanted.entry(path).or_default().extend(line..=last);
            }
        }
        let mut quotes = BTreeMap::new();
        for file in &candidate.files {
            let Some(lines) = wanted.get(file.path.to_string().as_str()) else { continue };
            // Findings on a deleted file are about its old content.
            let Some(blob) = file.after.or(file.before).filter(|blob| blob.size <= MAX_FILE) else { continue };
            let Ok(bytes) = candidate.objects.blob(blob.oid) else { continue };
            if [Some(&file.path), file.old_path.as_ref()].into_iter().flatten().any(|path| hidden(path, &bytes).is_some()) {
                continue;
            }
            for (number, line) in (1u32..).zip(bytes.split(|byte| *byte == b'\n')) {
                if lines.contains(&number) {
                    let line = line.strip_suffix(b"\r").unwrap_or(line);
                    let line = String::from_utf8_lossy(&line[..line.len().min(MAX_LINE)]).into_owned();
                    quotes.insert((file.path.to_string(), number), line);
                }
            }
        }
        Quotes(quotes)
    }

    /// None when the line is not quoted.
    pub fn line(&self, path: &str, line: u32) -> Option<&str> {
        self.0.get(&(path.to_owned(), line)).map(String::as_str)
    }

    /// The quoted lines from `first` to `last`, with their numbers.
    pub fn lines<'a>(&'a self, path: &str, first: u32, last: u32) -> impl Iterator<Item = (u32, &'a str)> {
        let (first, last) = ((path.to_owned(), first), (path.to_owned(), last.max(first)));
        self.0.range(first..=last).map(|((_, line), text)| (*line, text.as_str())).take(MAX_LINES as usize)
    }

    /// Adds a line that the caller has read itself.
    pub fn add(&mut self, path: impl Into<String>, line: u32, text: impl Into<String>) {
        self.0.insert((path.into(), line), text.into());
    }
}
