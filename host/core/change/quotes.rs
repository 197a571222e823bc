//! The source lines that findings point at, taken while the repository is at hand.

use std::collections::{BTreeMap, BTreeSet};

use super::{Candidate, Judgement};

/// The longest file that is read for a quotation, in bytes.
const MAX_FILE: u64 = 4 << 20;
/// The longest part of a line that is kept, in bytes.
const MAX_LINE: usize = 400;
/// Lines of one finding, from its first on: enough to know the place again.
const MAX_LINES: u32 = 3;

/// The first lines of each finding, by path and line. Not neutralised yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quotes(BTreeMap<(String, u32), String>);

impl Quotes {
    /// Reads each file that a finding names once; of the touched files only, since a quotation may go to a provider, who need not
    /// see what the change has nothing to do with. A quotation is a comfort: what cannot be read is not quoted.
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
            // A deleted file's findings point into what was there before.
            let Some(blob) = file.after.or(file.before).filter(|blob| blob.size <= MAX_FILE) else { continue };
            let Ok(bytes) = candidate.objects.blob(blob.oid) else { continue };
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

    pub fn line(&self, path: &str, line: u32) -> Option<&str> {
        self.0.get(&(path.to_owned(), line)).map(String::as_str)
    }

    /// Those that are there of a finding's lines, from `first` on.
    pub fn lines<'a>(&'a self, path: &str, first: u32, last: u32) -> impl Iterator<Item = (u32, &'a str)> {
        let (first, last) = ((path.to_owned(), first), (path.to_owned(), last.max(first)));
        self.0.range(first..=last).map(|((_, line), text)| (*line, text.as_str())).take(MAX_LINES as usize)
    }

    /// For callers that hold the text already.
    pub fn add(&mut self, path: impl Into<String>, line: u32, text: impl Into<String>) {
        self.0.insert((path.into(), line), text.into());
    }
}
