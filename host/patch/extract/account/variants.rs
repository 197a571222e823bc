//! Lines beside the edits that are lines of the tree with something changed, in whatever form they stand there.
//!
//! A change can be shown in more forms than anybody reads: a listing of AsciiDoc, a screen of an editor, a cell of a table, code in a
//! sentence. All have in common that a line of a file stands there with other words in it. That the tree shows, without any list of forms.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::lines::blank;
use super::blocks::{Blocks, EDITED};
use super::closer::Closer;
use super::contradicted::hunks;
use super::kept::has_substance;
use super::{Known, Seen};
use crate::numbered::numbered;
use bstr::ByteSlice;
use guardhost_core::change::{FileOp, RepoPath};
use guardhost_core::error::Result;

/// Texts of one reply that are compared with the files: each may share a word with most of their lines.
const PIECES: usize = 500;

/// Words of a text with which its other version is looked for; one of them may be what changed.
const KEYS: usize = 2;

/// Tokens that two versions of a text share at least, where nothing around them tells which line is meant.
const SHARED: usize = 4;

/// A text outside of edits that may be a changed line of a file.
struct Piece<'l> {
    at: usize,
    text: &'l [u8],
    /// The texts above and below it, which tell its place.
    around: [Option<&'l [u8]>; 2],
}

impl Closer<'_> {
    /// Leaves the first line that is one of the tree with something changed. `shown`: the blocks that were taken for examples.
    pub(super) fn find_variants(&mut self, shown: &[Range<usize>], blocks: &Blocks) -> Result<()> {
        if self.closing.edits.is_empty() || self.closing.is_envelope {
            return Ok(());
        }
        let written: HashSet<&[u8]> = self.closing.edits.iter().flat_map(|edit| lines_of(&edit.op)).collect();
        let mut pieces = self.pieces(shown);
        pieces.retain(|piece| !written.contains(piece.text) && !written.iter().any(|own| own.contains_str(piece.text)));
        if pieces.is_empty() {
            return Ok(());
        }
        if let Some(more) = pieces.get(PIECES) {
            self.leave(more.at, "is one of more lines outside of the edits than are compared with the files");
            return Ok(());
        }
        match blocks.files.first_variant(&pieces, &written)? {
            Compared::Changed(at, path) => {
                self.leave(
                    at,
                    &format!("is a line of {path} with something changed, and no edit here makes that change"),
                );
            }
            Compared::Unknown(at) => {
                self.leave(at, "may be a line of a file with something changed, and the reply makes more files be searched than are compared with it");
            }
            Compared::Alike => {}
        }
        Ok(())
    }

    /// Lines that no edit has, with those around them, and codes in their sentences and tables.
    fn pieces(&self, shown: &[Range<usize>]) -> Vec<Piece<'_>> {
        let lines = self.closing.lines;
        let inside = |block: &Range<usize>| block.start + 1..block.end.saturating_sub(1).max(block.start + 1);
        let prose = self.open.runs.iter().filter(|(_, seen)| matches!(seen, Seen::Unread { is_fenced: false }));
        let texts = prose.map(|(range, _)| range.clone()).chain(shown.iter().map(inside));
        let mut pieces = Vec::new();
        for range in texts {
            let told: Vec<(usize, &[u8])> =
                range.filter(|at| !blank(lines[*at])).map(|at| (at, bare(lines[at]))).collect();
            for (nth, (at, text)) in told.iter().enumerate() {
                let beside = |nth: Option<usize>| nth.and_then(|nth| told.get(nth)).map(|(_, text)| *text);
                let around = [beside(nth.checked_sub(1)), beside(nth.checked_add(1))];
                if around.iter().flatten().chain([text]).any(|text| is_statement(text)) {
                    pieces.push(Piece { at: *at, text, around });
                }
                let marks: &[u8] = if text.contains(&b'`') { b"`" } else { b"|" };
                let parts = text.split(|byte| marks.contains(byte)).skip(usize::from(marks == b"`"));
                for code in parts.step_by(if marks == b"`" { 2 } else { 1 }).map(<[u8]>::trim_ascii) {
                    if is_statement(code) && code.len() < text.len() {
                        pieces.push(Piece { at: *at, text: code, around: [None, None] });
                    }
                }
            }
        }
        pieces
    }
}

impl Known<'_> {
    /// What the pieces are beside the lines of the files.
    fn first_variant(&self, pieces: &[Piece], written: &HashSet<&[u8]>) -> Result<Compared> {
        let wanted = Wanted::new(pieces);
        let (mut found, mut quoted) = (Vec::new(), HashSet::new());
        let mut look = |path: &RepoPath, content: &[u8]| {
            let lines: Vec<&[u8]> = content.lines().map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).collect();
            wanted.look(&lines, written, &mut quoted, |nth| found.push((nth, path.clone())));
        };
        for edit in self.edits.iter().take(EDITED) {
            if let Some(content) = self.content(&edit.path)? {
                look(&edit.path, &content);
            }
        }
        // A tree that is too large is not looked at in all: what stands in the edited files is compared. A budget that the reply has used up
        // says that it is no normal one.
        let has_budget = self.may_look();
        if has_budget {
            self.each_file(|path, content| {
                look(path, content);
                true
            })?;
        }
        // What some file has as it stands here is a quotation of that.
        found.retain(|(nth, _)| !quoted.contains(nth));
        let first = found.into_iter().min_by_key(|(nth, _)| *nth);
        let unseen = (0..pieces.len()).find(|nth| !has_budget && !quoted.contains(nth));
        Ok(match (first, unseen) {
            (Some((nth, path)), _) => Compared::Changed(pieces[nth].at, path),
            (None, Some(nth)) if self.has_tree() => Compared::Unknown(pieces[nth].at),
            (None, _) => Compared::Alike,
        })
    }
}

/// What texts beside the edits are, compared with the lines of all files.
enum Compared {
    /// A line of the file with something changed.
    Changed(usize, RepoPath),
    /// Not all files were compared.
    Unknown(usize),
    /// None of them is a changed line.
    Alike,
}

/// The pieces by what a file must have to be asked about them.
struct Wanted<'p> {
    pieces: &'p [Piece<'p>],
    by_text: HashMap<&'p [u8], Vec<usize>>,
    by_neighbour: HashMap<&'p [u8], Vec<(usize, Side)>>,
    by_word: HashMap<&'p [u8], Vec<usize>>,
}

/// Where a neighbour stands.
#[derive(Clone, Copy)]
enum Side {
    Above,
    Below,
}

impl<'p> Wanted<'p> {
    fn new(pieces: &'p [Piece<'p>]) -> Self {
        let mut wanted =
            Wanted { pieces, by_text: HashMap::new(), by_neighbour: HashMap::new(), by_word: HashMap::new() };
        for (nth, piece) in pieces.iter().enumerate() {
            wanted.by_text.entry(piece.text).or_default().push(nth);
            for (side, text) in [Side::Above, Side::Below].into_iter().zip(piece.around) {
                if let Some(text) = text.filter(|text| has_substance(text)) {
                    wanted.by_neighbour.entry(text).or_default().push((nth, side));
                }
            }
            if is_statement(piece.text) {
                let mut words = tokens(piece.text);
                words.sort_by_key(|word| std::cmp::Reverse(word.len()));
                for word in words.into_iter().take(KEYS).filter(|word| word.len() > 2) {
                    wanted.by_word.entry(word).or_default().push(nth);
                }
            }
        }
        wanted
    }

    /// Finds the pieces that are lines of the file with something changed, and those that it has as they are.
    fn look(
        &self,
        lines: &[&[u8]],
        written: &HashSet<&[u8]>,
        quoted: &mut HashSet<usize>,
        mut found: impl FnMut(usize),
    ) {
        let is_kept = |line: &&[u8]| !written.contains(*line);
        let text = |nth: usize| self.pieces[nth].text;
        let mut beside: HashMap<(usize, &[u8]), Vec<&[u8]>> = HashMap::new();
        let mut alike: HashMap<usize, Vec<&[u8]>> = HashMap::new();
        for (at, line) in lines.iter().copied().enumerate() {
            quoted.extend(self.by_text.get(line).into_iter().flatten());
            for (nth, side) in self.by_neighbour.get(line).into_iter().flatten() {
                let next = match side {
                    Side::Above => lines.get(at + 1),
                    Side::Below => at.checked_sub(1).and_then(|at| lines.get(at)),
                };
                beside.entry((*nth, line)).or_default().push(next.copied().unwrap_or_default());
            }
            let mut asked = HashSet::new();
            for nth in tokens(line).into_iter().filter_map(|word| self.by_word.get(word)).flatten() {
                if !asked.insert(*nth) {
                    continue;
                }
                if text(*nth).len() >= SHORTEST && line.contains_str(text(*nth)) {
                    quoted.insert(*nth);
                } else if shared(line, text(*nth)).is_some_and(|by| by.is_all_but_one) {
                    alike.entry(*nth).or_default().push(line);
                }
            }
        }
        for ((nth, _), next) in beside {
            // A neighbour that the file has twice tells no place.
            if let [next] = next.as_slice()
                && is_kept(next)
                && shared(next, text(nth)).is_some_and(|by| by.is_most)
            {
                found(nth);
            }
        }
        for (nth, lines) in alike {
            if let [line] = lines.as_slice()
                && is_kept(line)
            {
                found(nth);
            }
        }
    }
}

/// Bytes of a text that stands within another line by no chance.
const SHORTEST: usize = 12;

/// What two texts share.
struct Shared {
    /// At least half of the tokens, and not all.
    is_most: bool,
    /// All but one word, or two beside each other.
    is_all_but_one: bool,
}

fn shared(old: &[u8], new: &[u8]) -> Option<Shared> {
    // Most pairs differ by far more than a change of a word does.
    if old.len() > 3 * new.len() || new.len() > 3 * old.len() || is_elided(old) || is_elided(new) {
        return None;
    }
    let (old, new) = (tokens(old), tokens(new));
    let shorter = old.len().min(new.len());
    let from = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let to = old.iter().rev().zip(new.iter().rev()).take(shorter - from).take_while(|(a, b)| a == b).count();
    let same = from + to;
    let is_word = |token: &&&[u8]| token.len() > 2 && token[0].is_ascii_alphabetic();
    let has_word = new[..from].iter().chain(&new[new.len() - to..]).any(|token| is_word(&token));
    let (gone, come) = (old.len() - same, new.len() - same);
    let is_change = has_word && gone + come > 0;
    Some(Shared {
        is_most: is_change && 2 * same >= old.len().max(new.len()),
        is_all_but_one: is_change && same >= SHARED && gone == 1 && come == 1,
    })
}

fn is_elided(text: &[u8]) -> bool {
    text.contains_str("...") || text.contains_str("…")
}

/// Words and numbers, and every other character for itself.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_part(**byte)).count().max(1);
        if !text[at].is_ascii_whitespace() {
            tokens.push(&text[at..at + length]);
        }
        at += length;
    }
    tokens
}

/// Whether the text is a whole statement: it sets something, or begins or ends as only one does.
fn is_statement(text: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 9] =
        [b"return ", b"if ", b"for ", b"while ", b"raise ", b"throw ", b"let ", b"const ", b"var "];
    let sets = [&b" = "[..], b" := ", b" += ", b" == "].iter().any(|sign| text.contains_str(sign));
    let is_ended = text.ends_with(b";") || text.ends_with(b"{") || text.ends_with(b":") || text.ends_with(b")");
    text.contains(&b' ')
        && (sets || BEGINNINGS.iter().any(|word| text.starts_with(word)) && (is_ended || text.len() < LINE))
}

/// Bytes of a statement in a line of its own. A sentence that begins with `if` is mostly longer.
const LINE: usize = 80;

/// The line without what a page, a screen or a quotation puts around it.
fn bare(line: &[u8]) -> &[u8] {
    let line = numbered(line).map_or(line, |(_, line)| line).trim_ascii();
    let mut text = behind_place(without_arrow(line.strip_prefix(b"> ").unwrap_or(line)));
    while let Some(end) = text.strip_prefix(b"<").and_then(|rest| rest.find_byte(b'>')) {
        text = text[end + 2..].trim_ascii_start();
    }
    match text.rfind(b"</") {
        Some(at) if text.ends_with(b">") => text[..text.find(b"</").unwrap_or(at)].trim_ascii_end(),
        Some(_) | None => text,
    }
}

/// The line without an arrow that points to it: `==> a = 2`.
fn without_arrow(line: &[u8]) -> &[u8] {
    let arrows = ["==>", "-->", "=>", "->", "→", "⇒", "➜"].iter();
    let text = arrows.filter_map(|arrow| line.strip_prefix(arrow.as_bytes())).next();
    text.filter(|text| text.starts_with(b" ")).map_or(line, <[u8]>::trim_ascii_start)
}

/// The line without the place before it, as tools print it: `src/a.py:7: a = 2`, `a.py:7:3: …`.
fn behind_place(line: &[u8]) -> &[u8] {
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let mut parts = line.splitn(3, |byte| *byte == b':');
    let (Some(name), Some(number), Some(rest)) = (parts.next(), parts.next(), parts.next()) else { return line };
    let is_name = name.contains(&b'.') && !name.contains(&b' ');
    if !is_name || !is_number(number) {
        return line;
    }
    let column = rest.iter().position(|byte| *byte == b':').filter(|at| is_number(&rest[..*at]));
    column.map_or(rest, |at| &rest[at + 1..]).trim_ascii_start()
}

/// The lines that an edit quotes or writes.
fn lines_of(op: &FileOp) -> Vec<&[u8]> {
    let text: &[u8] = match op {
        FileOp::Create(text) | FileOp::Write(text) => text,
        FileOp::Modify(_) | FileOp::Delete(_) | FileOp::Rename { .. } | FileOp::Copy { .. } => b"",
    };
    let quoted = hunks(op).iter().flat_map(|hunk| &hunk.lines).map(|line| line.bytes().trim_ascii());
    quoted.chain(text.lines().map(<[u8]>::trim_ascii)).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{bare, is_statement, shared};

    #[test]
    fn versions_of_a_line() {
        let of = |old: &str, new: &str| shared(old.as_bytes(), new.as_bytes());
        assert!(of("kind = param.kind", "kind = param.sort").unwrap().is_all_but_one);
        assert!(!of("kind = param.kind", "kind = param.kind").unwrap().is_most);
        assert!(!of("return value", "return None").unwrap().is_all_but_one);
        assert!(of("if left is None:", "if left is None or right is None:").unwrap().is_most);
        assert!(of("call(a, b)", "call(...)").is_none());
    }

    #[test]
    fn statements_and_what_stands_around_them() {
        for text in ["kind = param.kind", "return hash(first)", "if a == b {"] {
            assert!(is_statement(text.as_bytes()), "{text}");
        }
        for text in ["param.kind", "load(None)", "`b.py`"] {
            assert!(!is_statement(text.as_bytes()), "{text}");
        }
        assert_eq!(bare(b" 12 | <td><code>a = b</code></td>"), b"a = b");
        assert_eq!(bare(b"a < b"), b"a < b");
        assert_eq!(bare(b"  ==> a = b"), b"a = b");
        assert_eq!(bare(b"src/a.py:7:3: a = b"), b"a = b");
        assert_eq!(bare(b"-1 = a:2:b"), b"-1 = a:2:b");
    }
}
