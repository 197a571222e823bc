//! Edits in words: what text between edits says in code that is quoted in its lines, indented, or marked as a quotation.

use std::collections::HashSet;
use std::ops::Range;

use bstr::ByteSlice;

use super::super::lines::{Lines, blank, skip_blank};
use super::super::{names, seen};
use super::Known;
use super::announced::{goes_for_others, heads_list, is_to_go, joins_another, listed, new_files, told_changes};
use super::blocks::Blocks;
use super::elsewhere::{as_words, leaves_open};
use super::imperative::{asks_for_change, has_texts, tells};
use super::parts::told_places;
use super::shell;
use super::signed::mixed;
use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, RepoPath};
use guardhost_core::error::Result;

pub(super) struct Words<'w> {
    pub lines: &'w Lines<'w>,
    pub files: &'w Known<'w>,
    pub blocks: &'w Blocks<'w>,
}

impl Words<'_> {
    /// The lines of the range that may be edits, and why. `is_frame`: whether the line stands right above an edit.
    pub fn edits_in(
        &self,
        range: &Range<usize>,
        is_frame: impl Fn(usize) -> bool,
    ) -> Result<Vec<(usize, &'static str)>> {
        let mut found = Vec::new();
        for at in range.clone() {
            self.lines.watch().visit();
            let line = self.lines[at];
            let command = shell::prompted(line).unwrap_or_default();
            if !shell::changes(&[command], self.files)?.is_empty() || shell::moves_files(line, self.files)? {
                found.push((at, "changes files of the repository, and is not run here"));
            } else if is_frame(at) {
                continue;
            } else if let Some(why) = self.in_code(line)? {
                found.push((at, why));
            } else if self.blocks.replaces_kept_line(line)? {
                found.push((at, "has a line of an edited file beside another one, which may be meant in its place"));
            } else if self.is_label(range, at)? {
                found.push((at, "names a file above text that is not read here"));
            } else if self.is_asked(range, at)? {
                found.push((at, "asks for a change of a file that no edit here changes"));
            } else if self.is_announced(range, at)? {
                found.push((at, "tells of a change that no edit here makes"));
            }
        }
        found.extend(self.quoted(range).map(|at| (at, "quotes a patch, which is not read beside another one")));
        found.extend(self.indented(range)?);
        Ok(found)
    }

    /// Code between backticks: a command that changes files, or one text in place of another.
    fn in_code(&self, line: &[u8]) -> Result<Option<&'static str>> {
        if !line.contains(&b'`') {
            return Ok(None);
        }
        if line.find_iter("```").count() > 3 {
            return Ok(Some("quotes code that may be an edit"));
        }
        let parts: Vec<&[u8]> = line.split(|byte| *byte == b'`').collect();
        for code in parts.iter().skip(1).step_by(2) {
            // A program's name is in small letters; what begins otherwise may be a name with blanks.
            let is_program = code.first().is_some_and(u8::is_ascii_lowercase);
            if is_program && code.contains(&b' ') && !shell::changes(&[code], self.files)?.is_empty() {
                return Ok(Some("has a command that changes files of the repository, and is not run here"));
            }
        }
        let is_arrow = |part: &&&[u8]| {
            matches!(part.trim_ascii(), b"->" | b"=>") || matches!(part.to_str_lossy().trim(), "→" | "⇒")
        };
        // Beside the name of an edited file one text alone is in the place of nothing.
        let is_edited = |part: &&&[u8]| self.blocks.edits.iter().any(|edit| edit.path.as_bytes() == **part);
        let texts = parts.iter().skip(1).step_by(2).filter(|part| !is_edited(part)).count();
        let is_row = line.trim_ascii().starts_with(b"|") && parts.len() > 4 && texts > 1;
        let is_replaced = is_row || parts.iter().skip(2).step_by(2).filter(is_arrow).count() > 0;
        let names_file = is_replaced && self.names_file(line)?;
        Ok(names_file.then_some("replaces code in words, which are not read here"))
    }

    fn names_file(&self, line: &[u8]) -> Result<bool> {
        for path in self.files.mentioned(line)? {
            if self.files.exists(&path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the line speaks of an existing file that no edit changes, and says how it changes: with a verb, with texts beside the
    /// name, or by a quotation below it.
    fn is_asked(&self, range: &Range<usize>, at: usize) -> Result<bool> {
        let line = self.lines[at];
        // JSON and tags are judged as what they are.
        let is_code =
            line.trim_ascii_start().first().is_some_and(|byte| b"{[<".contains(byte)) && !line.contains_str("](");
        if self.blocks.edits.is_empty() || is_code {
            return Ok(false);
        }
        let mut others: Vec<RepoPath> = Vec::new();
        for path in self.files.mentioned(line)? {
            // A bare name means the file of it that an edit changes, if there is one.
            let is_bare = !line.contains_str(path.as_bytes());
            let is_same = |edit: &&FilePatch| edit.path == path || is_bare && edit.path.file_name() == path.file_name();
            if self.files.exists(&path)? && !self.blocks.edits.iter().any(is_same) {
                others.push(path);
            }
        }
        if others.is_empty() {
            return Ok(false);
        }
        let names = |word: &str, path: &RepoPath| {
            let name = path.file_name().to_str_lossy().to_lowercase();
            word.rsplit(['/', '\\']).next().is_some_and(|last| last == name || last.starts_with(&(name + ":")))
        };
        let is_other = |word: &str| others.iter().any(|path| names(word, path));
        let is_edited = |word: &str| self.blocks.edits.iter().any(|edit| names(word, &edit.path));
        let is_name = |text: &[u8]| names::plausible(text.trim_ascii(), &[]).is_some();
        let below = self.text_below(range, at).map(|at| self.lines[at]);
        let quotes = below.is_some_and(|below| below.starts_with(b"> "));
        let is_member = line.trim_ascii().split(|byte| *byte == b' ').count() == 2
            && line.contains_str(b": ")
            && below.is_some_and(|below| below.contains_str(b": "));
        let named: HashSet<String> = others.iter().flat_map(as_words).collect();
        Ok(leaves_open(line, |word| named.contains(word))
            || joins_another(line, is_other, is_edited)
            || asks_for_change(line, is_other, is_edited)
            || !tells(line) && has_texts(line, is_name)
            || quotes
            || is_member)
    }

    /// Whether the line is an item in a list of changed files that no edit changes, though one changes another of the list; names a new
    /// file that no edit makes; or says that others are changed likewise.
    fn is_announced(&self, range: &Range<usize>, at: usize) -> Result<bool> {
        let edits = self.blocks.edits;
        let is_edited = |path: &RepoPath| edits.iter().any(|edit| edit.path == *path);
        if edits.is_empty() {
            return Ok(false);
        }
        let line = self.lines[at];
        let is_modified = |word: &str| {
            let modified = edits.iter().filter(|edit| matches!(edit.op, FileOp::Modify(_)));
            modified.into_iter().any(|edit| edit.path.to_string().to_lowercase() == word)
        };
        let has_fewer = |told: usize| changed_lines(edits).is_some_and(|changed| changed < told);
        let has_fewer_places = |told: usize| changed_places(edits).is_some_and(|changed| changed < told);
        if told_places(line).is_some_and(has_fewer_places)
            || goes_for_others(line)
            || is_to_go(line, is_modified)
            || told_changes(line).is_some_and(has_fewer)
        {
            return Ok(true);
        }
        for name in new_files(self.lines[at]) {
            let path = RepoPath::from(name.as_str());
            if !is_edited(&path) && !self.files.exists(&path)? {
                return Ok(true);
            }
        }
        let Some(path) = listed(self.lines[at]).map(RepoPath::new) else { return Ok(false) };
        if is_edited(&path) || !self.files.exists(&path)? {
            return Ok(false);
        }
        let is_item = |at: &usize| listed(self.lines[*at]).is_some();
        let above = (range.start..at).rev().take_while(is_item);
        let below = (at + 1..range.end).take_while(is_item);
        let first = above.clone().last().unwrap_or(at);
        let names_edited = above.chain(below).filter_map(|at| listed(self.lines[at]));
        let head = (range.start..first).rev().find(|at| !blank(self.lines[*at]));
        Ok(head.is_some_and(|head| heads_list(self.lines[head]))
            && names_edited.map(RepoPath::new).any(|path| is_edited(&path)))
    }

    /// The next line of the range that has text.
    fn text_below(&self, range: &Range<usize>, at: usize) -> Option<usize> {
        Some(skip_blank(self.lines, at + 1)).filter(|next| *next < range.end)
    }

    /// Whether the line is a file's name with a word or two before it, and text right below it that is no list.
    fn is_label(&self, range: &Range<usize>, at: usize) -> Result<bool> {
        let line = self.lines[at].trim_ascii();
        let words = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
        let is_list = |line: &[u8]| {
            let line = line.trim_ascii_start();
            [&b"- "[..], b"* ", b"+ ", b"|", b"<", b"`", b"#", b"{", b"["].iter().any(|mark| line.starts_with(mark))
                || line.first().is_some_and(u8::is_ascii_digit)
        };
        let is_short = (1..=3).contains(&words) && !line.ends_with(b".") && !line.ends_with(b",") && !is_list(line);
        let next = if is_short { self.text_below(range, at) } else { None };
        let Some(next) = next.filter(|&next| !is_list(self.lines[next])) else { return Ok(false) };
        // Text that is a blank line away belongs to a name that is alone in its line.
        let is_near = next == at + 1 || words == 1 && names::alone(self.lines[next], &[]).is_none();
        if !is_near || self.heads_edit(range, at, next) {
            return Ok(false);
        }
        for path in self.files.mentioned(line)? {
            let is_edited = self.blocks.edits.iter().any(|edit| edit.path == path);
            if self.files.exists(&path)? && !(is_edited && next > at + 1) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether nothing but a rule stands between the name and the edit below the range: `Index: a.py`, `=====`.
    fn heads_edit(&self, range: &Range<usize>, at: usize, next: usize) -> bool {
        let is_rule = |line: &[u8]| line.trim_ascii().iter().all(|byte| matches!(byte, b'=' | b'-' | b'_' | b'*'));
        let rest = &self.lines[at + 1..range.end];
        next > at && rest.len() <= 3 && rest.iter().all(|line| is_rule(line))
    }

    /// The first line of a quotation that holds a patch.
    fn quoted(&self, range: &Range<usize>) -> Option<usize> {
        let text: Vec<&[u8]> = range.clone().map(|at| unquoted(self.lines[at])).collect();
        let is_patch = |at: usize| {
            let next = text.get(at + 1).copied().unwrap_or_default();
            text[at].starts_with(b"@@ -")
                || text[at].starts_with(b"--- ") && next.starts_with(b"+++ ")
                || mixed(&text, at)
        };
        let first = (0..text.len()).find(|at| is_patch(*at)).map(|at| range.start + at);
        first.or_else(|| seen::edit_in(&text).map(|(at, _)| range.start + at))
    }

    /// Indented texts below a blank line that change files: commands, or lines of a file that is named above them.
    fn indented(&self, range: &Range<usize>) -> Result<Vec<(usize, &'static str)>> {
        let mut found = Vec::new();
        let is_code = |at: usize| {
            let line = self.lines[at];
            !blank(line) && (line.starts_with(b"    ") || line.starts_with(b"\t"))
        };
        let mut at = range.start;
        while at < range.end {
            if !is_code(at) || at > range.start && !blank(self.lines[at - 1]) {
                at += 1;
                continue;
            }
            let end = (at..range.end).take_while(|at| is_code(*at) || blank(self.lines[*at])).last().unwrap_or(at) + 1;
            let text: Vec<&[u8]> = self.lines[at..end].iter().map(|line| line.trim_ascii()).collect();
            if let Some(nth) = shell::changes(&text, self.files)?.first() {
                found.push((at + nth, "changes files of the repository, and is not run here"));
            }
            let above = (range.start..at).rev().find(|at| !blank(self.lines[*at]));
            let is_list = text.first().is_some_and(|line| line.starts_with(b"- ") || line.starts_with(b"* "));
            if let Some(above) = above.filter(|_| !is_list) {
                let named: Vec<RepoPath> = self.files.mentioned(self.lines[above])?;
                let mut is_quotation = named.is_empty();
                for path in &named {
                    is_quotation |= self.blocks.is_quotation(&text, path)?;
                }
                if !is_quotation {
                    found.push((at, "may be lines of the file that is named above it"));
                }
            }
            at = end;
        }
        Ok(found)
    }
}

/// Lines that the edits add and remove; None where one gives a whole file.
fn changed_lines(edits: &[&FilePatch]) -> Option<usize> {
    let changed = |edit: &&FilePatch| match &edit.op {
        FileOp::Modify(hunks) => {
            Some(hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| !matches!(line, Line::Context(_))).count())
        }
        FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) | FileOp::Rename { .. } | FileOp::Copy { .. } => None,
    };
    edits.iter().map(changed).sum()
}

/// Places that the edits change; None where one gives a whole file.
fn changed_places(edits: &[&FilePatch]) -> Option<usize> {
    let is_context = |line: &Line| matches!(line, Line::Context(_));
    let in_hunk = |hunk: &Hunk| {
        hunk.lines.chunk_by(|a, b| is_context(a) == is_context(b)).filter(|run| !is_context(&run[0])).count()
    };
    let changed = |edit: &&FilePatch| match &edit.op {
        FileOp::Modify(hunks) if hunks.iter().all(|hunk| !hunk.is_everywhere) => {
            Some(hunks.iter().map(in_hunk).sum::<usize>())
        }
        FileOp::Modify(_)
        | FileOp::Create(_)
        | FileOp::Write(_)
        | FileOp::Delete(_)
        | FileOp::Rename { .. }
        | FileOp::Copy { .. } => None,
    };
    edits.iter().map(changed).sum()
}

/// The line without the mark of a quotation.
fn unquoted(line: &[u8]) -> &[u8] {
    match line {
        [b'>', b' ', rest @ ..] => rest,
        _ => b"",
    }
}
