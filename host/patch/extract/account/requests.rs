//! Requests beside the edits. One that the edits carry out names what they, or the files that they change, have; one that names
//! anything else is not carried out, in whatever words it asks.

use std::ops::Range;

use super::super::lines::blank;
use super::super::names;
use super::Seen;
use super::blocks::EDITED;
use super::closer::Closer;
use super::contradicted::hunks;
use super::imperative::is_source;
use super::request::{codes, is_about_edit, is_for_others, is_request, sentences};
use super::shell;
use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, RepoPath};
use guardhost_core::error::Result;

/// Codes of one reply that are looked for: a reply with more is no answer with a patch in it.
const CODES: usize = 64;

/// Bytes of a paragraph. A longer one is a log, and judged in parts; a line that is longer is no prose.
const PARAGRAPH: usize = 1 << 16;

/// Letters of a name that says something.
const SHORTEST: usize = 3;

impl Closer<'_> {
    /// Leaves the requests that name a file or code that no edit has to do with, and those that are about the edits above them.
    pub(super) fn find_requests(&mut self) -> Result<()> {
        if self.closing.edits.is_empty() || self.closing.is_envelope {
            return Ok(());
        }
        let end = self.end_of_edits();
        let mut asked: Vec<(usize, String)> = Vec::new();
        for paragraph in self.paragraphs() {
            let (text, starts) = self.joined(&paragraph);
            for (from, sentence) in sentences(&text) {
                self.closing.lines.watch().visit();
                let begin = from + sentence.len() - sentence.trim_start().len();
                let at = starts[starts.partition_point(|(start, _)| *start <= begin).saturating_sub(1)].1;
                if at >= end && is_about_edit(sentence) {
                    self.leave(at, "asks for something to be done with the edit above; send what is meant in the end");
                } else if at >= end && is_for_others(sentence) {
                    self.leave(at, "asks for the same change elsewhere, which no edit here makes");
                } else if is_request(sentence) {
                    if let Some(path) = self.other_file(sentence)? {
                        self.leave(at, &format!("asks for something in {path}, which no edit here changes"));
                    }
                    let open = codes(sentence)
                        .filter(|code| !shell::is_program(code) && !is_path(code))
                        .take(CODES - asked.len());
                    asked.extend(open.map(|code| (at, code.to_owned())));
                }
            }
        }
        for (at, code) in self.unknown(&asked)? {
            self.leave(at, &format!("asks for `{code}`, which neither the edits nor the files that they change have"));
        }
        Ok(())
    }

    /// The paragraphs and the items of lists between the edits. Text of other kinds is judged as what it is.
    fn paragraphs(&self) -> Vec<Range<usize>> {
        let lines = self.closing.lines;
        let is_other = |at: usize| {
            let line = lines[at];
            let is_code = line.trim_ascii_start().first().is_some_and(|byte| b">|{[<$".contains(byte));
            is_code || line.starts_with(b"    ") || names::is_frame(line) && self.names_edit(at)
        };
        let begins = |at: usize| {
            let text = lines[at].trim_ascii_start();
            let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            [&b"- "[..], b"* ", b"+ ", b"#"].iter().any(|mark| text.starts_with(mark))
                || digits > 0 && text[digits..].starts_with(b". ")
        };
        let mut found: Vec<Range<usize>> = Vec::new();
        for (range, seen) in &self.open.runs {
            if !matches!(seen, Seen::Unread { is_fenced: false }) {
                continue;
            }
            // The bytes of a paragraph that may go on.
            let mut open: Option<usize> = None;
            for at in range.clone() {
                let size = open.unwrap_or_default() + lines[at].len();
                if blank(lines[at]) || is_other(at) || lines[at].len() > PARAGRAPH {
                    open = None;
                    continue;
                }
                let goes_on = open.is_some() && size <= PARAGRAPH && !begins(at);
                match found.last_mut().filter(|_| goes_on) {
                    Some(last) => last.end = at + 1,
                    None => found.push(at..at + 1),
                }
                open = Some(size).filter(|_| !lines[at].starts_with(b"#"));
            }
        }
        found
    }

    /// The paragraph in one line, with where each of its lines begins.
    fn joined(&self, paragraph: &Range<usize>) -> (String, Vec<(usize, usize)>) {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for at in paragraph.clone() {
            starts.push((text.len(), at));
            text.push_str(&self.closing.lines[at].trim_ascii().to_str_lossy());
            text.push(' ');
        }
        (text, starts)
    }

    /// A file that the sentence names, that exists, and that no edit changes. Where something is only taken from it, it is none.
    fn other_file(&self, sentence: &str) -> Result<Option<RepoPath>> {
        for path in self.closing.files.mentioned(sentence.as_bytes())? {
            let is_bare = !sentence.as_bytes().contains_str(path.as_bytes());
            let is_same = |edit: &&FilePatch| edit.path == path || is_bare && edit.path.file_name() == path.file_name();
            let is_edited = self.closing.edits.iter().any(is_same);
            if !is_edited && self.closing.files.exists(&path)? && !is_source(sentence, &path) {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// The codes that have a name which neither the edits nor their files have.
    fn unknown(&self, asked: &[(usize, String)]) -> Result<Vec<(usize, String)>> {
        let mut open: Vec<(usize, &str)> =
            asked.iter().enumerate().flat_map(|(nth, (_, code))| names_in(code).map(move |name| (nth, name))).collect();
        let mut seen = |text: &[u8]| open.retain(|(_, name)| !text.contains_str(name));
        for edit in self.closing.edits {
            seen(edit.path.as_bytes());
            hunks(&edit.op).iter().flat_map(|hunk| &hunk.lines).for_each(|line| seen(line.bytes()));
            match &edit.op {
                FileOp::Create(text) | FileOp::Write(text) => seen(text),
                FileOp::Modify(_) | FileOp::Delete(_) | FileOp::Rename { .. } | FileOp::Copy { .. } => {}
            }
        }
        let mut paths: Vec<&RepoPath> = self.closing.edits.iter().map(|edit| &edit.path).collect();
        paths.dedup();
        for path in paths.into_iter().take(EDITED) {
            if !open.is_empty()
                && let Some(content) = self.closing.files.content(path)?
            {
                open.retain(|(_, name)| !content.contains_str(name));
            }
        }
        let mut found: Vec<usize> = open.into_iter().map(|(nth, _)| nth).collect();
        found.dedup();
        Ok(found.into_iter().map(|nth| asked[nth].clone()).collect())
    }
}

/// Whether the code is a path. Of a file that does not exist it is judged with the text below it.
fn is_path(code: &str) -> bool {
    code.contains('/') && names::plausible(code.as_bytes(), &[]).is_some()
}

/// The names and numbers in a code.
fn names_in(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_number = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_digit());
    code.split(move |c| !is_part(c)).filter(move |word| word.len() >= SHORTEST || is_number(word))
}
