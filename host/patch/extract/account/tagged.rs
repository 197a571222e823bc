//! Tags around patches: one that is unknown may hold a draft.

use std::collections::HashMap;
use std::ops::Range;

use super::super::names;
use super::Seen;
use super::closer::Closer;
use super::standing::is_out_of_force;

/// Tags around edits that are compared. A reply of a model has a few.
const TAGS: usize = 500;

/// What a tag around a patch is, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// It says how a text looks, or is named for the edit or the call that it holds: whatever is meant stands in it as well.
    Neutral,
    /// What is folded on a page is plainly meant if every patch of the reply is.
    Folded,
    /// It may say that what it holds is not meant.
    Unknown,
}

fn tag(name: &[u8]) -> Tag {
    const MARKUP: [&str; 10] = ["code", "pre", "p", "div", "li", "ul", "ol", "section", "article", "body"];
    const EDIT: [&str; 24] = [
        "tool",
        "call",
        "calls",
        "invoke",
        "function",
        "functions",
        "edit",
        "edits",
        "diff",
        "patch",
        "replace",
        "write",
        "file",
        "apply",
        "change",
        "changes",
        "update",
        "create",
        "block",
        "hunk",
        "args",
        "content",
        "action",
        "parameter",
    ];
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let has = |words: &[&str]| name.split(['_', '-', ':']).any(|word| words.contains(&word));
    match name.as_str() {
        "details" => Tag::Folded,
        name if MARKUP.contains(&name) || has(&EDIT) => Tag::Neutral,
        _ => Tag::Unknown,
    }
}

impl Closer<'_> {
    /// A tag around one patch, beside another patch: a draft, or thinking.
    pub(super) fn find_drafts_in_tags(&mut self) {
        let lines = self.closing.lines;
        let edits: Vec<Range<usize>> = (0..self.open.runs.len())
            .filter(|nth| self.is_edit(*nth))
            .map(|nth| self.open.runs[nth].0.clone())
            .collect();
        // From the last line up, so that the end of each tag is known when its beginning is met.
        let mut ends: HashMap<&[u8], usize> = HashMap::new();
        let mut wrapped: Vec<(usize, &[u8], usize)> = Vec::new();
        let tags = self.open.runs.iter().filter(|(_, seen)| matches!(seen, Seen::Unread { .. }));
        for at in tags.rev().flat_map(|(range, _)| range.clone().rev()) {
            if let Some(name) = closing_tag(lines[at]) {
                ends.insert(name, at);
            }
            if let Some(name) = opening_tag(lines[at]).filter(|name| !names::is_of_file(name))
                && let Some(end) = ends.get(name)
            {
                wrapped.push((at, name, *end));
            }
        }
        wrapped.truncate(TAGS);
        for &(open, name, close) in &wrapped {
            let is_inside = |edit: &&Range<usize>| edit.start > open && edit.end <= close;
            let inside = edits.iter().filter(is_inside).count();
            let in_same = |edit: &Range<usize>| {
                wrapped.iter().any(|(at, other, end)| *other == name && edit.start > *at && edit.end <= *end)
            };
            let may_be_draft = match tag(name) {
                Tag::Neutral => false,
                Tag::Folded => !edits.iter().all(in_same),
                Tag::Unknown => true,
            };
            let is_named_so = || is_out_of_force(&String::from_utf8_lossy(name)) && tag(name) == Tag::Unknown;
            if inside > 0 && inside < edits.len() && may_be_draft || inside > 0 && is_named_so() {
                self.leave(open, "holds a patch beside another patch, and may be a draft; send only the final one");
            }
        }
    }
}

/// The name of the tag that the line closes: `</draft>`, `[/THINK]`.
fn closing_tag(line: &[u8]) -> Option<&[u8]> {
    let text = line.trim_ascii();
    let inner = text.strip_prefix(b"</").or_else(|| text.strip_prefix(b"[/"))?;
    inner.strip_suffix(b">").or_else(|| inner.strip_suffix(b"]"))
}

/// The name of the tag that the line begins with: `<draft>`, `[THINK]`.
fn opening_tag(line: &[u8]) -> Option<&[u8]> {
    let text = line.trim_ascii();
    let inner = text.strip_prefix(b"<").or_else(|| text.strip_prefix(b"[").filter(|text| text.ends_with(b"]")))?;
    let len = inner.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte)).count();
    let is_end = inner.get(len).is_some_and(|byte| matches!(byte, b'>' | b']' | b' '));
    (len > 0 && is_end).then(|| &inner[..len])
}
