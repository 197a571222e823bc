//! Code of which only white space between tokens, or words in comments, differ.
//!
//! Both texts must parse. What is left of them without comments and white space must be the same, with lines that end at the same places. That
//! the white space which differs stands between tokens, and not in a string, is not guessed: a comment is put there, and the language's own
//! parser must see it as one. What stands before it is the same text, so that the place is code in the text without it too.

use guardhost_engine::code_text::CodeText;
use guardhost_engine::outlines::Outlines;

use super::prose::is_prose;
use super::split::{Class, Separator, Split, split};
use super::unproved::{Unproved, because};

/// Languages in which something is proved: those whose readers, with random edits, took no part of a string for a comment. Sorted.
/// (The grammar of PHP finds comments in heredocs.)
pub const LANGUAGES: [&str; 12] =
    ["c", "cpp", "csharp", "go", "java", "javascript", "kotlin", "python", "ruby", "rust", "swift", "typescript"];

/// What differs between two texts that are the same program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameCode {
    /// White space alone.
    Formatting,
    /// Comments; white space may too.
    Comments,
}

/// What is asked about one file.
pub struct Sides<'t> {
    /// Its name, which tells the language.
    pub name: &'t str,
    /// It is run as tests.
    pub is_test: bool,
    pub old: &'t str,
    pub new: &'t str,
}

/// # Errors
/// [`Unproved::Because`]: why it may be another program; [`Unproved::Stopped`]: the work was stopped.
pub fn same_code(sides: &Sides<'_>, outlines: &Outlines) -> Result<SameCode, Unproved> {
    let (old_code, new_code) = (read(sides, sides.old, outlines)?, read(sides, sides.new, outlines)?);
    if !LANGUAGES.contains(&&*new_code.language) {
        return because("its language was not tried");
    }
    // Where comments can only end a line, lines mean something, and so may their indentation.
    let indents = new_code.block_comments.is_empty();
    let old = split(sides.old, &old_code.comments, indents);
    let new = split(sides.new, &new_code.comments, indents);
    if old.chunks != new.chunks {
        return because("its code differs");
    }
    let pairs = || old.separators.iter().zip(&new.separators);
    if pairs().any(|(old, new)| old.class != new.class) {
        return because("a line ends, or is indented, in another place");
    }
    let prose = |comment: &&str| is_prose(comment, &new_code.line_comments, &new_code.block_comments);
    let mut differing = Vec::new();
    for (number, (before, after)) in pairs().enumerate().filter(|(_, (before, after))| before.text != after.text) {
        if !before.comments.iter().chain(&after.comments).all(prose) {
            return because("a comment differs, or moved, that tools may read");
        }
        if number > 0 && old.chunks[number - 1].ends_with('\\') {
            return because("a line differs that goes on behind a backslash");
        }
        differing.push(number);
    }
    let all_prose = pairs().all(|(old, new)| old.comments.iter().chain(&new.comments).all(prose));
    match differing.first() {
        None => return because("nothing differs in its text"),
        // Marks of the first lines mean nothing in later ones.
        Some(0) if !all_prose => return because("its first lines moved, and it has comments that tools may read"),
        Some(_) => {}
    }
    // What stands above it is compiled.
    if old.chunks.contains(&"\"C\"") && differing.iter().any(|number| !pairs_equal(&old, &new, *number)) {
        return because("it may hold code of C in its comments");
    }
    probe(sides, sides.old, &old, &differing, &old_code, outlines)?;
    probe(sides, sides.new, &new, &differing, &new_code, outlines)?;
    Ok(match differing.iter().all(|number| pairs_equal(&old, &new, *number)) {
        true => SameCode::Formatting,
        false => SameCode::Comments,
    })
}

fn pairs_equal(old: &Split<'_>, new: &Split<'_>, number: usize) -> bool {
    old.separators[number].comments == new.separators[number].comments
}

pub(super) fn read(sides: &Sides<'_>, text: &str, outlines: &Outlines) -> Result<CodeText, Unproved> {
    outlines.code(sides.name, sides.is_test, text).map_err(Unproved::Stopped)?.map_err(Unproved::Because)
}

/// Whether a comment may stand at each of these separators. One that has a comment has its proof.
fn probe(
    sides: &Sides<'_>,
    text: &str,
    split: &Split<'_>,
    differing: &[usize],
    code: &CodeText,
    outlines: &Outlines,
) -> Result<(), Unproved> {
    let (mut probed, mut copied, mut expected) = (String::new(), 0, Vec::new());
    for number in differing {
        let separator = &split.separators[*number];
        if !separator.comments.is_empty() {
            continue;
        }
        let Some(Probe { at, before, comment, after }) = probe_at(separator, *number, code) else {
            return because("spaces differ inside of a line, and no comment can stand there");
        };
        probed += &text[copied..at];
        probed += before;
        expected.push(probed.len()..probed.len() + comment.len());
        probed += &comment;
        probed += after;
        copied = at;
    }
    probed += &text[copied..];
    if expected.is_empty() {
        return Ok(());
    }
    // In its braces there may be comments, and `{x =}` shows its own white space.
    if code.language == "python" && split.chunks.iter().any(|chunk| opens_shown_text(chunk)) {
        return because("a formatted string of several lines may show its own white space");
    }
    let found = read(sides, &probed, outlines)?.comments;
    match expected.iter().all(|place| found.contains(place)) {
        true => Ok(()),
        false => because("white space differs that may be part of a text"),
    }
}

/// A string of Python over several lines that is formatted: `f"""`, `rf'''`.
fn opens_shown_text(chunk: &str) -> bool {
    let quotes = chunk.match_indices("\"\"\"").chain(chunk.match_indices("'''"));
    quotes.into_iter().any(|(at, _)| {
        let letters = chunk[..at].bytes().rev().take_while(u8::is_ascii_alphabetic);
        letters.take(2).any(|letter| b"fFtT".contains(&letter))
    })
}

struct Probe {
    /// In the text.
    at: usize,
    before: &'static str,
    comment: String,
    after: &'static str,
}

fn probe_at(separator: &Separator<'_>, number: usize, code: &CodeText) -> Option<Probe> {
    let line = code.line_comments.first().map(|sign| format!("{sign} probe"));
    let block = code.block_comments.first().map(|(open, close)| format!("{open} probe {close}"));
    let whole_line = line.or_else(|| block.clone());
    match separator.class {
        Class::End => Some(Probe { at: separator.start, before: "\n", comment: whole_line?, after: "\n" }),
        Class::Line(_) if number == 0 => Some(Probe { at: 0, before: "", comment: whole_line?, after: "\n" }),
        Class::Line(_) => {
            let at = separator.start + separator.text.find('\n')? + 1;
            Some(Probe { at, before: "", comment: whole_line?, after: "\n" })
        }
        Class::Space => Some(Probe { at: separator.start, before: " ", comment: block?, after: " " }),
        // It has a comment.
        Class::InComment => None,
    }
}
