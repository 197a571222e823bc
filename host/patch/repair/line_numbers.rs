//! A patch that was copied from a listing: each line has its number before it.

use crate::{formats, numbered};
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// The numbers taken from every row of numbered lines that holds a patch, where the reply has none without numbers.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let next = |at: usize| lines.get(at + 1).copied().unwrap_or_default();
    if !lines.iter().any(|line| numbered::numbered(line).is_some_and(|(_, text)| begins(text)))
        || lines.iter().enumerate().any(|(at, line)| is_beginning(line, next(at)))
    {
        return None;
    }
    let mut plain: Vec<&[u8]> = Vec::with_capacity(lines.len());
    let mut found = false;
    let mut at = 0;
    while at < lines.len() {
        watch.visit();
        let Some((first, _)) = numbered::numbered(lines[at]) else {
            plain.push(lines[at]);
            at += 1;
            continue;
        };
        let in_order =
            |(wanted, line): (u32, &&'_ [u8])| numbered::numbered(line).is_some_and(|(number, _)| number == wanted);
        let length = (first..).zip(&lines[at..]).take_while(|pair| in_order(*pair)).count();
        let row = &lines[at..at + length];
        let texts: Vec<&[u8]> = row.iter().filter_map(|line| numbered::numbered(line)).map(|(_, text)| text).collect();
        let is_patch = texts
            .iter()
            .enumerate()
            .any(|(at, line)| is_beginning(line, texts.get(at + 1).copied().unwrap_or_default()));
        found |= is_patch;
        plain.extend(if is_patch { texts } else { row.to_vec() });
        at += length;
    }
    found.then(|| (plain.join(&b'\n'), Note::new("line-numbers", "each line of the patch had its number before it")))
}

fn begins(line: &[u8]) -> bool {
    line.starts_with(b"--- ") || formats::begins_with(line, |row| row.markers)
}

fn is_beginning(line: &[u8], next: &[u8]) -> bool {
    begins(line) && (!line.starts_with(b"--- ") || next.starts_with(b"+++ "))
}
