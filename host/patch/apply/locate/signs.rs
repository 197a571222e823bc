//! Context of a diff that lost the blank of its sign column: the first blank of its margin was taken for it.

use super::blanks::BlankLines;
use super::needle::Needle;
use crate::apply::text::{has_text, margin, trim_end};
use guardhost_core::change::{Hunk, Line};

/// How the context of a hunk reads, if one blank is missing before some of its lines.
pub enum Signs {
    /// None is missing, or more than that is wrong.
    Whole,
    /// The hunk with the file's lines; what it adds is as it was written.
    Restored(Hunk),
    /// Nothing shows whether the added lines lack a blank too.
    Unclear,
}

impl BlankLines<'_> {
    /// The removed lines are the file's byte for byte, in the only place that has the hunk's lines, and each line of context is the
    /// file's or lacks one blank. If nothing is removed and every line of context lacks one, the hunk may also be indented by one
    /// blank less as a whole: then the margins of the added lines decide, of which the file's lines around them have one.
    pub fn with_signs(&self, hunk: &Hunk) -> Signs {
        let old = Needle::old(hunk);
        let Some(rows) = self.only_place(&old) else { return Signs::Whole };
        let (mut lacking, mut fitting, mut removed) = (0usize, 0usize, 0usize);
        let mut lines = Vec::with_capacity(hunk.lines.len());
        let mut margins: Vec<usize> = Vec::new();
        let mut at = 0;
        for line in &hunk.lines {
            let row = rows.get(at).map_or(&b""[..], |row| row.text);
            at += usize::from(line.is_old());
            let same = |text: &[u8]| trim_end(text) == trim_end(row);
            match line {
                Line::Add(_) => lines.push(line.clone()),
                Line::Remove(text) if same(text) => {
                    removed += usize::from(has_text(text));
                    lines.push(line.clone());
                }
                Line::Context(text) if !has_text(text) || same(text) => {
                    fitting += usize::from(has_text(text));
                    lines.push(line.clone());
                }
                Line::Context(text) if row.strip_prefix(b" ").is_some_and(|row| trim_end(row) == trim_end(text)) => {
                    lacking += 1;
                    margins.push(margin(row).len());
                    lines.push(Line::Context(row.to_vec()));
                }
                Line::Context(_) | Line::Remove(_) => return Signs::Whole,
            }
        }
        if lacking == 0 {
            return Signs::Whole;
        }
        if fitting + removed == 0 {
            let added: Vec<usize> = (hunk.lines.iter())
                .filter(|line| matches!(line, Line::Add(text) if has_text(text)))
                .map(|line| margin(line.bytes()).len())
                .collect();
            let as_written = added.iter().all(|own| margins.contains(own));
            let as_shifted = added.iter().all(|own| margins.contains(&(own + 1)));
            return match (as_written, as_shifted) {
                (true, false) => Signs::Restored(Hunk { lines, ..hunk.clone() }),
                (false, true) => Signs::Whole,
                (true, true) | (false, false) => Signs::Unclear,
            };
        }
        Signs::Restored(Hunk { lines, ..hunk.clone() })
    }
}
