//! Texts beside the edits that are, without a name, other versions of lines which a file of the repository has.

use super::blocks::{Blocks, EDITED, telling};
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

    /// Whether a line of prose has, in code, a whole line that an edited file keeps, and beside it one that neither the file nor the edits
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
            let is_kept = |code: &&[u8]| {
                has_substance(code) && old.lines().any(|own| own.trim_ascii() == *code) && !is_changed(code)
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
