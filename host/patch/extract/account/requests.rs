//! Requests beside the edits. One above them that they carry out names what they, or the files that they change, have. One below them is
//! harmless only if the edits themselves show what it asks for: whatever else it names is not carried out, in whatever words it asks.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::lines::blank;
use super::super::names;
use super::Seen;
use super::blocks::EDITED;
use super::closer::Closer;
use super::elsewhere::says_stays;
use super::evidence::{Evidence, is_digest, names_of};
use super::imperative::is_source;
use super::patch_below::{points_below, takes_below_back};
use super::request::{Owed, Said, codes, sentences};
use super::shell;
use crate::numbered::numbered;
use bstr::ByteSlice;
use guardhost_core::change::{FilePatch, RepoPath};
use guardhost_core::error::Result;

/// Bytes of a paragraph. A longer one is a log, and judged in parts; a line that is longer is no prose.
const PARAGRAPH: usize = 1 << 16;

impl Closer<'_> {
    /// Leaves the requests that name a file or code that no edit has to do with, and those that are about the edits above them.
    pub(super) fn find_requests(&mut self) -> Result<()> {
        if self.closing.edits.is_empty() || self.closing.is_envelope {
            return Ok(());
        }
        let end = self.end_of_edits();
        let begin_of_edits = self.patches().first().map_or(0, |patch| patch.start);
        let evidence = Evidence::of(self.closing.edits);
        let mut asked: Vec<(usize, String)> = Vec::new();
        // Sentences below the edits that ask for nothing: whoever repeats one says nothing more.
        let mut harmless: HashSet<String> = HashSet::new();
        for paragraph in self.paragraphs() {
            let (text, starts) = self.joined(&paragraph);
            let is_title = is_title(&text);
            let is_above = paragraph.end <= begin_of_edits;
            // Whether the sentences before speak of the patch below.
            let mut is_told = false;
            for (from, sentence) in sentences(&text) {
                // A word alone names nothing that it asks for.
                let is_word = sentence.is_ascii() && !sentence.trim().contains([' ', '`']);
                if is_word || harmless.contains(sentence) {
                    continue;
                }
                let said = Said::of(sentence);
                let was_told = is_told;
                is_told |= is_above && points_below(&said);
                let is_question = text[from + sentence.len()..].starts_with(['?', '？']);
                self.closing.lines.watch().visit();
                let begin = from + sentence.len() - sentence.trim_start().len();
                let at = starts[starts.partition_point(|(start, _)| *start <= begin).saturating_sub(1)].1;
                let is_below = at >= end && !is_title;
                if is_above && takes_below_back(&said, was_told) {
                    self.leave(at, "asks for something to be done with the edit below; send what is meant in the end");
                } else if is_below && said.is_about_edit() {
                    self.leave(at, "asks for something to be done with the edit above; send what is meant in the end");
                } else if is_below && said.is_for_others() {
                    self.leave(at, "asks for the same change elsewhere, which no edit here makes");
                } else if said.is_request()
                    && let Some(path) = self.other_file(sentence)?
                {
                    self.leave(at, &format!("asks for something in {path}, which no edit here changes"));
                } else if is_below
                    && !is_question
                    && let Some(why) = not_shown(&said, &evidence)
                {
                    self.leave(at, &why);
                } else if said.is_request() {
                    let open = codes(sentence).filter(|code| !shell::is_program(code) && !is_path(code));
                    asked.extend(open.map(|code| (at, code.to_owned())));
                } else if is_below && !is_question {
                    harmless.insert(sentence.to_owned());
                }
            }
        }
        for (at, code) in self.unknown(&asked, &evidence)? {
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
            let is_screen = numbered(line).is_some() || line.trim_ascii_start().starts_with("⎿".as_bytes());
            is_code || is_screen || line.starts_with(b"    ") || names::is_frame(line) && self.names_edit(at)
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
    fn unknown(&self, asked: &[(usize, String)], evidence: &Evidence) -> Result<Vec<(usize, String)>> {
        let mut open: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (nth, (_, code)) in asked.iter().enumerate() {
            for name in names_of(code.as_bytes()).filter(|name| !evidence.has(name)) {
                open.entry(name).or_default().push(nth);
            }
        }
        let mut paths: Vec<&RepoPath> = self.closing.edits.iter().map(|edit| &edit.path).collect();
        paths.dedup();
        for path in paths.into_iter().take(EDITED) {
            if !open.is_empty()
                && let Some(content) = self.closing.files.content(path)?
            {
                names_of(&content).for_each(|name| drop(open.remove(name)));
                open.retain(|name, _| !(is_digest(name) && content.contains_str(name)));
            }
        }
        let mut found: Vec<usize> = open.into_values().flatten().collect();
        found.sort_unstable();
        found.dedup();
        Ok(found.into_iter().map(|nth| asked[nth].clone()).collect())
    }
}

/// Why a sentence below the edits may ask for more than they show; None where it tells, or they show all that it names.
fn not_shown(said: &Said, evidence: &Evidence) -> Option<String> {
    let sentence = said.sentence;
    match (said.owed(), said.is_request()) {
        (Owed::No, false) => return None,
        (Owed::No, true) if !said.is_english && says_stays(sentence) => return None,
        (Owed::Places, _) => {
            return Some("speaks of other places that are to change, and no edit here changes them".into());
        }
        (Owed::State, _) | (Owed::No, true) => {}
    }
    let is_open = |code: &&str| names_of(code.as_bytes()).any(|name| !evidence.has(name));
    let mut named = codes(sentence).filter(|code| !shell::is_program(code) && !is_path(code));
    let open = named.find(is_open).map(|code| format!("asks for `{code}`, which the edits do not show"));
    open.or_else(|| {
        let number = values(sentence).find(|number| !evidence.has(number))?;
        Some(format!("asks for {number}, which the edits do not show"))
    })
}

/// The numbers that something is to be, outside of code: `to 30`, `at least 30`.
fn values(sentence: &str) -> impl Iterator<Item = String> {
    const BEFORE: [&str; 9] = ["to", "be", "by", "is", "least", "most", "than", "becomes", "become"];
    let plain: String = sentence.to_lowercase().split('`').step_by(2).collect();
    let words: Vec<String> =
        plain.split_whitespace().map(|word| word.trim_end_matches([',', '.', ')']).to_owned()).collect();
    let is_value = move |at: &usize| {
        let is_number = words[*at].len() > 1 && words[*at].bytes().all(|byte| byte.is_ascii_digit());
        (is_number && BEFORE.contains(&words[at - 1].as_str())).then(|| words[*at].clone())
    };
    (1..plain.split_whitespace().count()).filter_map(move |at| is_value(&at))
}

/// Whether the paragraph is a title in bold letters: it names the change.
fn is_title(paragraph: &str) -> bool {
    let text = paragraph.trim();
    text.len() > 4 && text.starts_with("**") && text.ends_with("**")
}

/// Whether the code is a path. Of a file that does not exist it is judged with the text below it.
fn is_path(code: &str) -> bool {
    code.contains('/') && names::plausible(code.as_bytes(), &[]).is_some()
}
