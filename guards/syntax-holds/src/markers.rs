//! Conflict markers that a merge left behind.

/// From the `<<<<<<<` line to the `>>>>>>>` line.
#[derive(Debug, PartialEq)]
pub struct Conflict<'t> {
    /// Lines, from 1; the last one inclusive.
    pub lines: (u32, u32),
    pub text: &'t str,
}

/// All three markers at the start of lines, in order, outside of a document's code fences.
pub fn conflicts(text: &str, document: bool) -> Vec<Conflict<'_>> {
    let mut found = Vec::new();
    if !text.contains("<<<<<<<") {
        return found;
    }
    // Where the conflict began, and whether its middle was seen.
    let mut open: Option<(u32, usize, bool)> = None;
    let (mut offset, mut fenced) = (0, false);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let end = offset + line.len();
        if document && line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if !fenced && is_marker(line, '<') {
            open = Some((number, offset, false));
        } else if let Some((first, start, middle)) = &mut open {
            if line.trim_end() == "=======" {
                *middle = true;
            } else if is_marker(line, '>') && *middle {
                found.push(Conflict { lines: (*first, number), text: &text[*start..end] });
                open = None;
            }
        }
        offset = end;
    }
    found
}

/// Seven signs, then nothing or a space and a label.
fn is_marker(line: &str, sign: char) -> bool {
    let rest = line.trim_start_matches(sign);
    line.len() - rest.len() == 7 && (rest.trim().is_empty() || rest.starts_with(' '))
}

impl Conflict<'_> {
    /// The labels of the search-and-replace blocks that programs which edit by model use; git never writes them.
    pub fn is_edit_block(&self) -> bool {
        let label = |line: Option<&str>, word: &str| line.is_some_and(|line| line.trim_end().ends_with(word));
        label(self.text.lines().next(), "SEARCH") || label(self.text.lines().last(), "REPLACE")
    }
}
