//! The source lines of findings, read while the repository is open: reports are rendered without it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Candidate, Finding, Judgement};
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
        let mut secrets: BTreeMap<(&str, u32), Vec<&Finding>> = BTreeMap::new();
        for finding in judgement.evidence.iter().flat_map(|evidence| evidence.verdict.findings()) {
            if let (true, Some(path), Some(line)) = (finding.is_secret, &finding.path, finding.line) {
                let last = finding.end_line.unwrap_or(line).min(line.saturating_add(MAX_LINES - 1));
                (line..=last).for_each(|line| secrets.entry((path, line)).or_default().push(finding));
            }
        }
        let mut quotes = BTreeMap::new();
        for file in &candidate.files {
            let Some(lines) = wanted.get(file.path.to_string().as_str()) else { continue };
            // Findings on a deleted file are about its old content.
            let Some(blob) = file.after.or(file.before).filter(|blob| blob.size <= MAX_FILE) else { continue };
            let Ok(bytes) = candidate.objects.blob(blob.oid) else { continue };
            if [Some(&file.path), file.old_path.as_ref()]
                .into_iter()
                .flatten()
                .any(|path| hidden(path, &bytes).is_some())
            {
                continue;
            }
            for (number, line) in (1u32..).zip(bytes.split(|byte| *byte == b'\n')) {
                if lines.contains(&number) {
                    let line = line.strip_suffix(b"\r").unwrap_or(line);
                    let path = file.path.to_string();
                    let here = secrets.get(&(path.as_str(), number)).map_or(&[][..], Vec::as_slice);
                    if let Some(line) = masked(&String::from_utf8_lossy(line), here) {
                        quotes.insert((path, number), line[..line.floor_char_boundary(MAX_LINE)].to_owned());
                    }
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

/// The line with `[secret]` in the place of each secret; None when it is not known which part of it is one.
fn masked(line: &str, secrets: &[&Finding]) -> Option<String> {
    if secrets.is_empty() {
        return Some(line.to_owned());
    }
    let mut hidden: Vec<(usize, usize)> = Vec::new();
    for finding in secrets {
        let columns = (finding.column?, finding.end_column?);
        hidden.push(((columns.0 as usize).checked_sub(1)?, columns.1 as usize));
    }
    let mut text = String::new();
    let mut was_hidden = false;
    for (at, c) in line.chars().enumerate() {
        let is_hidden = hidden.iter().any(|(from, to)| (*from..*to).contains(&at));
        match (is_hidden, was_hidden) {
            (true, false) => text.push_str("[secret]"),
            (true, true) => {}
            (false, _) => text.push(c),
        }
        was_hidden = is_hidden;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::super::{Finding, Severity};
    use super::masked;

    #[test]
    fn no_part_of_a_secret_is_quoted() {
        let at = |columns: Option<(u32, u32)>| Finding {
            column: columns.map(|(first, _)| first),
            end_column: columns.map(|(_, last)| last),
            is_secret: true,
            ..Finding::new("x", Severity::Error, "x")
        };
        let (key, other, whole) = (at(Some((3, 5))), at(Some((4, 7))), at(None));
        assert_eq!(masked("ä=abcdefg", &[&key]).as_deref(), Some("ä=[secret]defg"));
        assert_eq!(masked("ä=abcdefg", &[&other, &key]).as_deref(), Some("ä=[secret]fg"));
        assert_eq!(masked("ä=abcdefg", &[&key, &whole]), None);
        assert_eq!(masked("ä=a", &[]).as_deref(), Some("ä=a"));
    }
}
