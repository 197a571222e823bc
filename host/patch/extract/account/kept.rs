//! Texts beside the edits that are, without a name, other versions of lines which a file of the repository has.

use super::blocks::{Blocks, EDITED, place_of, telling};
use super::request::introduces_request;
use crate::definition::NamedDefinition;
use bstr::ByteSlice;
use guardhost_core::change::{FileOp, Line, RepoPath};
use guardhost_core::error::Result;

/// Letters and digits of a line that stands in a file by no chance.
const SUBSTANCE: usize = 8;

pub(super) fn has_substance(line: &[u8]) -> bool {
    line.iter().filter(|byte| byte.is_ascii_alphanumeric()).nth(SUBSTANCE - 1).is_some()
}

/// The only place of the line.
fn only_place(text: &[&[u8]], line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii();
    let mut places = text.iter().enumerate().filter(|(_, own)| own.trim_ascii() == line).map(|(at, _)| at);
    places.next().filter(|_| places.next().is_none())
}

impl Blocks<'_> {
    /// The file of which the text, which is no quotation of it, has the first and the last line, or a definition of the same name: it may
    /// be meant in their place.
    pub(super) fn lines_changed_by(&self, content: &[&[u8]]) -> Result<Option<RepoPath>> {
        let text = telling(content.iter().copied());
        let [first, .., last] = text.as_slice() else { return Ok(None) };
        let name = NamedDefinition::in_text(&text).map(|definition| definition.name);
        let is_between = |old: &[u8]| {
            let old: Vec<&[u8]> = old.lines().collect();
            let edges = [first, last].map(|edge| only_place(&old, edge).filter(|_| has_substance(edge)));
            edges[0].is_some_and(|place| old[place + 1..].iter().any(|line| line.trim_ascii() == last.trim_ascii()))
                || edges[1].is_some_and(|end| old[..end].iter().any(|line| line.trim_ascii() == first.trim_ascii()))
                || name.is_some_and(|name| NamedDefinition::named(&old, name).is_some())
        };
        for path in self.edits.iter().take(EDITED).map(|edit| &edit.path) {
            let Some(old) = self.files.content(path)? else { continue };
            if self.lines.spend(2 * old.len()) && is_between(&old) {
                return Ok(Some(path.clone()));
            }
        }
        if !has_substance(first) && name.is_none() || !self.files.may_look() {
            return Ok(None);
        }
        // An example begins with what it needs, as files do.
        let is_import = [&b"import "[..], b"from ", b"use ", b"#include", b"using ", b"package ", b"require"]
            .iter()
            .any(|word| first.starts_with(word));
        let holds = |content: &[u8]| {
            (content.contains_str(first) || name.is_some_and(|name| content.contains_str(name))) && is_between(content)
        };
        let holder = if is_import { None } else { self.files.only_file_where(holds)? };
        match holder {
            Some(path) if !self.is_quotation(content, &path)? => Ok(Some(path)),
            Some(_) | None => Ok(None),
        }
    }

    /// Why a text that no file has in that form may be a part of the change: words ask for it, or it is the inside of something. An
    /// example stands for itself. `above`: the line of text above it.
    pub(super) fn why_meant(&self, content: &[&[u8]], above: Option<&[u8]>) -> Result<Option<&'static str>> {
        let is_asked = above.is_some_and(|line| introduces_request(&line.to_str_lossy()));
        let text = telling(content.iter().copied());
        let is_margin = |line: &&[u8]| line.is_empty() || line.starts_with(b" ") || line.starts_with(b"\t");
        let is_inside = text.iter().all(is_margin) && text.iter().any(|line| has_substance(line));
        let why = match (is_asked, is_inside) {
            (true, _) => "the words above it ask for it, and no edit here makes it",
            (false, true) => "it is the inside of something, and no file that is edited has it",
            (false, false) => return Ok(None),
        };
        let mut is_quoted = false;
        if self.files.may_look() {
            self.files.each_file(|_, old| {
                let holds = || place_of(&telling(old.lines()), &text).is_some();
                is_quoted =
                    text.iter().max_by_key(|line| line.len()).is_some_and(|line| old.contains_str(line.trim_ascii()))
                        && holds();
                !is_quoted
            })?;
        }
        Ok(Some(why).filter(|_| !is_quoted))
    }

    /// Whether a line of prose has, in code, a whole line that an edited file has in the end, and beside it one that neither the file nor the edits
    /// have: the other may be meant in its place.
    pub(super) fn replaces_kept_line(&self, line: &[u8]) -> Result<bool> {
        let codes: Vec<&[u8]> = line.split(|byte| *byte == b'`').skip(1).step_by(2).map(<[u8]>::trim_ascii).collect();
        let is_statement = |code: &&&[u8]| code.iter().any(|byte| b" (=[{;".contains(byte));
        if codes.iter().filter(is_statement).count() < 2 {
            return Ok(false);
        }
        for edit in self.edits.iter().take(EDITED) {
            let FileOp::Modify(hunks) = &edit.op else { continue };
            let Some(old) = self.files.content(&edit.path)? else { continue };
            if !self.lines.spend(old.len() * codes.len()) {
                continue;
            }
            let lines = || hunks.iter().flat_map(|hunk| &hunk.lines);
            let is_changed =
                |code: &[u8]| lines().any(|line| !matches!(line, Line::Context(_)) && line.bytes().contains_str(code));
            // A line that the edit writes may be corrected as well.
            let is_written =
                |code: &[u8]| lines().any(|line| matches!(line, Line::Add(_)) && line.bytes().trim_ascii() == code);
            let is_kept = |code: &&[u8]| {
                let is_of_file = || old.lines().any(|own| own.trim_ascii() == *code) && !is_changed(code);
                is_written(code) || has_substance(code) && is_of_file()
            };
            let is_new = |code: &&[u8]| !old.contains_str(code) && !is_changed(code);
            let is_kept = codes.iter().filter(is_statement).any(is_kept);
            if is_kept && codes.iter().filter(is_statement).any(is_new) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
