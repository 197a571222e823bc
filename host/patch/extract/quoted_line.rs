//! One line in place of another, both quoted in a sentence, a list or a table: ``In `a.py`, replace `x = 1` with `x = 2` ``.
//!
//! The first is a whole line of the file that is named, which stands there once: so it is certain what is replaced, in whatever words it is
//! said. The words around the two are all known, since `not` and `every` say something else.

use super::account::{Surroundings, lets_stand};
use super::labels::{TextSide, half};
use super::lines::{Lines, blank};
use super::names;
use super::replacement::{KNOWN, VERBS};
use crate::fence::Fence;
use bstr::ByteSlice;
use guardhost_core::change::{Author, FileOp, FilePatch, Hunk, Line};
use guardhost_core::error::Error;

/// Lines over which such an edit extends, blank ones among them.
const REACH: usize = 12;

/// Words beside those of a sentence: of lists and tables, and the verbs between the two lines.
const BESIDE: [&str; 6] = ["path", "filename", "becomes", "should", "become", "be"];

/// The edit that begins at the line, which names the file, and the line below it.
///
/// # Errors
/// The file cannot be read.
pub(super) fn at(lines: &Lines, at: usize, files: &Surroundings) -> Result<Option<(FilePatch, usize)>, Error> {
    if !lines[at].contains(&b'`') || !lines.spend(lines[at].len()) {
        return Ok(None);
    }
    let mut codes: Vec<(&[u8], usize)> = Vec::new();
    // The words before each code, and behind the last one.
    let mut words = vec![String::new()];
    for (below, line) in lines[at..].iter().take(REACH).enumerate() {
        if Fence::open(line, at).is_some() || line.find_iter("`").count() % 2 == 1 || line.contains_str("``") {
            return Ok(None);
        }
        let mut parts = line.split(|byte| *byte == b'`');
        words.last_mut().into_iter().for_each(|text| add(text, parts.next().unwrap_or_default()));
        let mut rest: Vec<&[u8]> = parts.collect();
        rest.reverse();
        while let (Some(code), Some(text)) = (rest.pop(), rest.pop()) {
            codes.push((code, at + below));
            words.push(String::new());
            words.last_mut().into_iter().for_each(|words| add(words, text));
        }
        if codes.len() >= 3 || codes.is_empty() && !blank(line) {
            break;
        }
    }
    let [(name, _), (old, _), (new, last)] = codes.as_slice() else { return Ok(None) };
    let [before, above, between, behind] = words.as_slice() else { return Ok(None) };
    let (old, new) = (old.trim_ascii(), new.trim_ascii());
    if old == new || new.is_empty() {
        return Ok(None);
    }
    let Some(path) = names::plausible(name, &[]) else { return Ok(None) };
    let Some(content) = files.content(&path)? else { return Ok(None) };
    let mut places = content.lines().enumerate().filter(|(_, line)| line.trim_ascii() == old);
    let (Some((number, line)), None) = (places.next(), places.next()) else { return Ok(None) };
    if !is_replacement([before, above, between, behind].map(String::as_str), number + 1) {
        return Ok(None);
    }
    let margin = &line[..line.len() - line.trim_ascii_start().len()];
    let changed = vec![Line::Remove(line.to_vec()), Line::Add([margin, new].concat())];
    let hunk = Hunk { old_start: u32::try_from(number + 1).ok(), lines: changed, ..Hunk::default() };
    let written_by = Author::Model { says_whole: false };
    let file = FilePatch { written_by, ..FilePatch::new(path, FileOp::Modify(vec![hunk])) };
    Ok(Some((file, last + 1)))
}

fn add(words: &mut String, text: &[u8]) {
    words.push(' ');
    words.push_str(&text.to_str_lossy().to_lowercase());
}

/// Whether the words say that the second line takes the place of the first, and nothing else. The last words may go on with another
/// sentence. `number`: that of the line, which may be given.
fn is_replacement([before, above, between, behind]: [&str; 4], number: usize) -> bool {
    fn all(text: &str) -> Vec<&str> {
        text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect()
    }
    let is_verb = |word: &str| VERBS.iter().any(|(verb, _)| *verb == word);
    let number = number.to_string();
    let is_known = |word: &&str| {
        *word == number || KNOWN.contains(word) || BESIDE.contains(word) || is_verb(word) || half(word).is_some()
    };
    // Another sentence may stand before and behind it.
    let (first, before) = before.rsplit_once(". ").unwrap_or(("", before));
    let (head, joint) = ([all(before), all(above)].concat(), all(between).join(" "));
    let is_with = VERBS.iter().any(|(_, with)| with.contains(&joint.as_str())) && head.iter().any(|word| is_verb(word));
    let is_labelled =
        half(&joint) == Some(TextSide::New) && head.last().is_some_and(|word| half(word) == Some(TextSide::Old));
    let is_row = joint.is_empty() && between.contains('|') && {
        let halves: Vec<TextSide> = head.iter().filter_map(|word| half(word)).collect();
        halves.ends_with(&[TextSide::Old, TextSide::New])
    };
    let ends = behind.trim_start().trim_start_matches('|').trim_start();
    let is_end = (ends.is_empty() || ends.starts_with(['.', '。'])) && lets_stand(first) && lets_stand(ends);
    head.iter().all(is_known) && (is_with || is_labelled || is_row) && is_end
}
