//! A text as what a program reads of it, and what stands between: white space and comments.

use std::ops::Range;

/// `separators[n]` stands before `chunks[n]`; the last one ends the text.
pub struct Split<'t> {
    /// Without white space and comments outside of strings; a string that has white space is several.
    pub chunks: Vec<&'t str>,
    pub separators: Vec<Separator<'t>>,
}

pub struct Separator<'t> {
    pub text: &'t str,
    /// Where it begins in the text.
    pub start: usize,
    pub comments: Vec<&'t str>,
    pub class: Class<'t>,
}

/// What a separator may mean to a grammar. Two of one class mean the same, as far as they stand where white space means nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class<'t> {
    /// Spaces and comments on one line.
    Space,
    /// A line ends inside of a comment alone.
    InComment,
    /// A line ends. Where indentation means something, that of the next chunk.
    Line(&'t str),
    /// The end of the text.
    End,
}

/// `comments` are in order. `indents`: indentation means something.
pub fn split<'t>(text: &'t str, comments: &[Range<usize>], indents: bool) -> Split<'t> {
    let (mut chunks, mut separators, mut at) = (Vec::new(), Vec::new(), 0);
    let mut comments = comments.iter().peekable();
    loop {
        let (start, mut found) = (at, Vec::new());
        // Of the first chunk, as if a line had ended before it.
        let (mut line, mut in_comment) = ((start == 0).then_some(0), false);
        loop {
            // One that begins inside of another is part of it.
            while comments.next_if(|comment| comment.start < at).is_some() {}
            if let Some(comment) = comments.next_if(|comment| comment.start == at) {
                in_comment |= text[comment.clone()].contains('\n');
                found.push(&text[comment.clone()]);
                at = comment.end;
            } else if let Some(length) = blank(&text[at..]) {
                if text[at..].starts_with(['\r', '\n']) {
                    line = Some(at + length);
                }
                at += length;
            } else {
                break;
            }
        }
        let class = match line {
            _ if at == text.len() => Class::End,
            Some(begins) if indents => Class::Line(&text[begins..at]),
            Some(_) => Class::Line(""),
            None if in_comment => Class::InComment,
            None => Class::Space,
        };
        separators.push(Separator { text: &text[start..at], start, comments: found, class });
        if at == text.len() {
            return Split { chunks, separators };
        }
        let limit = comments.peek().map_or(text.len(), |comment| comment.start);
        let begins = at;
        while at < limit && blank(&text[at..]).is_none() {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
        chunks.push(&text[begins..at]);
    }
}

/// Bytes of the white space at the beginning. Other signs that a language may take for some are not passed over.
fn blank(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [b' ' | b'\t' | b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}
