//! AsciiDoc, as far as code goes: listing (`----`), literal (`....`) and fenced blocks.

use std::ops::Range;

use super::lines;

pub fn code(text: &str) -> Vec<(Range<usize>, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize, String)> = None;
    for (at, line) in lines(text) {
        let bare = line.trim_end();
        match &mut open {
            Some((fence, start, code)) if bare == *fence => {
                blocks.push((*start..at + line.len(), std::mem::take(code)));
                open = None;
            }
            Some((_, _, code)) => code.push_str(line),
            None => open = fence(bare).map(|fence| (fence, at, String::new())),
        }
    }
    blocks
}

/// The line that will close the block which this line opens.
fn fence(line: &str) -> Option<&str> {
    let of = |c| line.len() >= 4 && line.chars().all(|other| other == c);
    if line.starts_with("```") { Some("```") } else { (of('-') || of('.')).then_some(line) }
}
