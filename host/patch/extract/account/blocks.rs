//! Fenced texts that no parser has taken as an edit: quotations, examples, output and commands, or a file that would be lost.

use std::ops::Range;
use std::sync::Arc;

use super::super::lines::{Lines, blank};
use super::super::{names, seen, unified, whole_file::Block};
use super::Known;
use super::calls;
use super::shell;
use super::signed::mixed;
use crate::fence::Fence;
use crate::numbered::numbered;
use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, Line, RepoPath};
use guardhost_core::error::Result;

/// What a block beside the edits is.
pub(super) enum BlockRole {
    Shown,
    /// A copy of a file that an edit changes, or a quotation of it.
    Copy(RepoPath),
    /// A line of it, and why it may be an edit.
    Rest(usize, String),
}

/// Of what a line is that stands around a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Prose,
    Edit,
    Other,
}

/// Bytes of a label before a name: `- file: a.py`, `# a.py`.
const LABEL: usize = 16;

/// Edited files that a block may quote without naming them.
pub(super) const EDITED: usize = 16;

/// Lines above a block in which a file may be named that it is about.
const REACH: usize = 40;

pub(super) struct Blocks<'b> {
    pub lines: &'b Lines<'b>,
    pub files: &'b Known<'b>,
    pub edits: &'b [&'b FilePatch],
    /// The paths that the task names.
    pub hints: &'b [RepoPath],
}

impl Blocks<'_> {
    /// `block` stands in `range`, fences included. `is_prose` says whether a line is of the text between edits.
    pub fn judge(&self, block: &Block, range: Range<usize>, around: impl Fn(usize) -> Around) -> Result<BlockRole> {
        let inside = range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
        let content = &self.lines[inside.clone()];
        let rest = |at: usize, why: &str| Ok(BlockRole::Rest(at, why.to_owned()));
        if let Some(form) = block.unread_form() {
            return Ok(BlockRole::Rest(range.start, format!("begins {form}, which is not read here")));
        }
        let opening = Fence::open(self.lines[range.start], range.start).map(|fence| fence.info).unwrap_or_default();
        if let Some(cited) = names::cited(opening)
            && self.is_quotation(content, &cited)?
        {
            return Ok(BlockRole::Copy(cited));
        }
        let is_comparison = block.has_no_language() && self.is_comparison(content)?;
        if is_comparison && unified::has_results_of_a_test(content) {
            return Ok(BlockRole::Shown);
        }
        if let Some(at) = (0..content.len()).find(|&at| mixed(content, at)).filter(|_| !is_comparison) {
            return rest(inside.start + at, "looks like a line of a diff, in a block that is none");
        }
        if let Some((at, form)) = seen::edit_in(content).filter(|_| !is_comparison) {
            return Ok(BlockRole::Rest(inside.start + at, format!("begins {form}, which is not read here")));
        }
        if let Some(first) = (inside.clone()).find(|&at| !blank(self.lines[at]))
            && let calls::UnreadCall::Change(why) = calls::at(self.lines, first, self.files, |_, _, _| false)?
        {
            return Ok(BlockRole::Rest(first, why));
        }
        let named = block.path.clone();
        if named.is_none() || block.is_named_inside() {
            let has_prompt = content.iter().any(|line| shell::prompted(line).is_some());
            let may_be_input = has_prompt || content.iter().any(|line| line.contains_str(" <<"));
            if (block.is_command() || may_be_input)
                && let Some(at) = shell::changes(content, self.files)?.first()
            {
                return rest(inside.start + at, "changes files of the repository, and is not run here");
            }
            if block.is_command() || has_prompt {
                let named = if block.says_whole() { self.near(&range, &around)? } else { Vec::new() };
                let edited = named.into_iter().find(|path| self.edits.iter().any(|edit| edit.path == *path));
                return Ok(match edited {
                    Some(path) if !self.is_quotation(content, &path)? => BlockRole::Rest(
                        range.start,
                        format!("the whole text of {path} is not what the patch makes of it"),
                    ),
                    Some(_) | None => BlockRole::Shown,
                });
            }
            // Recipes and other scripts have commands too, and a script of the repository may be quoted.
            if let Some(at) = shell::surely_changes(content, self.files)?
                && (block.has_no_language() || self.quoted_edit(content)?.is_none())
            {
                return rest(inside.start + at, "changes files of the repository, and is not run here");
            }
            let mut told = content.iter().filter(|line| !blank(line));
            if block.has_no_language()
                && let (Some(first), Some(_)) = (told.next(), told.next())
                && first.starts_with(b"diff ")
                && !self.files.mentioned(first)?.is_empty()
            {
                return rest(inside.start, "compares files of the repository in a form that is not read here");
            }
            if block.is_shown_only() {
                return self.judge_output(block, &range, content, around);
            }
        }
        if named.is_none()
            && let Some(at) = self.names_file(content)?
        {
            return rest(inside.start + at, "names a file of the repository, in a block that is not read here");
        }
        let mut named = match named {
            Some(named) => vec![named],
            None => self.near(&range, &around)?,
        };
        let mut is_known = false;
        for path in &named {
            is_known |= self.files.exists(path)?;
        }
        if !is_known && let Some(path) = self.new_file_above(range.start, &around)? {
            return Ok(BlockRole::Rest(range.start, new_file(&path)));
        }
        // A block without a name is the file that the task names, unless an edit is of that.
        if let ([only], true) = (self.hints, named.is_empty())
            && self.edits.iter().all(|edit| edit.path != *only)
        {
            named.push(only.clone());
        }
        let Some(first) = named.first() else {
            // Before and after, as an answer recalls them.
            if let Some(path) = self.quoted_edit(content)? {
                return Ok(BlockRole::Copy(path));
            }
            if let Some(path) = self.lines_changed_by(content)? {
                let why = format!("begins and ends with lines of {path}, and has others between");
                return Ok(BlockRole::Rest(range.start, why));
            }
            let above = (0..range.start).rev().take(3).find(|&at| !blank(self.lines[at]));
            let above = above.filter(|&at| around(at) == Around::Prose).map(|at| self.lines[at]);
            let is_code = !block.has_no_language();
            let why = if is_code { self.why_meant(content, above)? } else { None };
            return Ok(why.map_or(BlockRole::Shown, |why| BlockRole::Rest(range.start, why.to_owned())));
        };
        // What is said of another file is no quotation of an edited one, though it has the same lines.
        let is_of_others = named.iter().all(|path| self.edits.iter().all(|edit| edit.path != *path));
        let edited = if is_of_others && self.files.exists(first)? { &[] } else { self.edits };
        for path in named.iter().chain(edited.iter().take(EDITED).map(|edit| &edit.path)) {
            if self.is_quotation(content, path)? {
                return Ok(BlockRole::Copy(path.clone()));
            }
        }
        let is_touched = self.edits.iter().any(|edit| edit.path == *first);
        Ok(BlockRole::Rest(
            range.start,
            match (&block.path, is_touched) {
                (Some(path), false) => {
                    format!("{path} is given whole beside a patch in another format")
                }
                (Some(path), true) => format!("the block for {path} has lines that neither the file nor the patch has"),
                (None, _) => format!("the block beside the words about {first} may be a part of the change"),
            },
        ))
    }

    /// The edited file of which the text is a quotation.
    fn quoted_edit(&self, content: &[&[u8]]) -> Result<Option<RepoPath>> {
        for edit in self.edits.iter().take(EDITED) {
            if self.is_quotation(content, &edit.path)? {
                return Ok(Some(edit.path.clone()));
            }
        }
        Ok(None)
    }

    /// Whether the text is the output of a test that compares what it wanted with what it got: it says so, and no file that is edited
    /// has its lines.
    fn is_comparison(&self, content: &[&[u8]]) -> Result<bool> {
        const OUTPUT: [&str; 6] =
            ["Traceback (most recent", "AssertionError", "--- FAIL", "FAILED", "Expected", "expected"];
        if !content.iter().any(|line| OUTPUT.iter().any(|mark| line.contains_str(mark))) {
            return Ok(false);
        }
        for path in self.edits.iter().take(EDITED).map(|edit| &edit.path) {
            let Some(text) = self.files.content(path)? else { continue };
            let is_of_file = |line: &&&[u8]| {
                let own = line.get(1..).unwrap_or_default().trim_ascii();
                !own.is_empty() && line.starts_with(b"-") && text.lines().any(|line| line.trim_ascii() == own)
            };
            if !self.lines.spend(text.len()) || content.iter().any(|line| is_of_file(&line)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Output is harmless; text below the name of a file may be the file.
    fn judge_output(
        &self,
        block: &Block,
        range: &Range<usize>,
        content: &[&[u8]],
        around: impl Fn(usize) -> Around,
    ) -> Result<BlockRole> {
        let above = (0..range.start).rev().take(3).find(|&at| !blank(self.lines[at]));
        let above = above.filter(|at| block.is_text() && around(*at) == Around::Prose);
        for path in above.map(|at| self.files.mentioned(self.lines[at])).transpose()?.unwrap_or_default() {
            if self.files.exists(&path)? && !self.is_quotation(content, &path)? {
                let why = format!("the text below the name of {path} may be the file");
                return Ok(BlockRole::Rest(range.start, why));
            }
        }
        let new = if block.is_text() { self.new_file_above(range.start, &around)? } else { None };
        Ok(new.map_or(BlockRole::Shown, |path| BlockRole::Rest(range.start, new_file(&path))))
    }

    /// The path right above a block of a file that does not exist and that no edit makes, where the words call it new or its first folder
    /// exists: the block may be that file.
    fn new_file_above(&self, start: usize, around: &impl Fn(usize) -> Around) -> Result<Option<RepoPath>> {
        let above = (0..start).rev().take(3).find(|&at| !blank(self.lines[at]));
        let Some(line) = above.filter(|&at| around(at) == Around::Prose).map(|at| self.lines[at]) else {
            return Ok(None);
        };
        let text = line.to_str_lossy().to_lowercase();
        let is_new =
            text.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "new" | "create" | "creates"));
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/+@".contains(byte);
        for word in line.split(|byte| !is_part(byte)).filter(|word| word.contains(&b'/')) {
            let Some(path) = names::plausible(word, &[]).filter(|path| path.file_name().contains(&b'.')) else {
                continue;
            };
            let is_made = self.edits.iter().any(|edit| edit.path == path);
            if !is_made && !self.files.exists(&path)? && (is_new || self.files.has_first_folder(&path)?) {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// The line of a block that names a file of the repository as programs and lists of edits do: in quotes, or alone behind a label.
    /// A place in the output of a tool has a number behind it.
    fn names_file(&self, content: &[&[u8]]) -> Result<Option<usize>> {
        // A name alone in a fence is that of the edit below.
        let mut texts = content.iter().filter(|line| !blank(line));
        if let (Some(only), None) = (texts.next(), texts.next())
            && names::alone(only, &[]).is_some()
        {
            return Ok(None);
        }
        for (at, line) in content.iter().enumerate() {
            let text = line.trim_ascii();
            let quoted = text.split(|byte| matches!(byte, b'"' | b'\'')).skip(1).step_by(2);
            let label =
                text.iter().rposition(|byte| matches!(byte, b' ' | b':' | b'=')).map_or(text, |end| &text[end + 1..]);
            let is_labelled = text.len() - label.len() < LABEL && !text.starts_with(b"import");
            for word in quoted.chain(is_labelled.then_some(label)) {
                let path = RepoPath::new(word);
                let is_output =
                    [&b"line "[..], b"File ", b"modified:", b"M\t"].iter().any(|word| text.contains_str(word));
                if !is_output
                    && (names::plausible(word, &[]).is_some() && self.files.exists(&path)?
                        || self.files.is_bare_file(word)?)
                    && !self.is_quotation(&[line], &path)?
                {
                    return Ok(Some(at));
                }
            }
        }
        Ok(None)
    }

    /// The files that the words right above the block name, or those right below it, if no other block follows them; or a file that
    /// no edit changes, named in the text since the last edit.
    fn near(&self, range: &Range<usize>, around: &impl Fn(usize) -> Around) -> Result<Vec<RepoPath>> {
        let is_prose = |at: usize| around(at) == Around::Prose;
        let opening = Fence::open(self.lines[range.start], range.start).map(|fence| fence.info).unwrap_or_default();
        let mut named = self.files.mentioned(opening)?;
        let above = (0..range.start).rev().take(3).find(|&at| !blank(self.lines[at])).filter(|&at| is_prose(at));
        // A line with a colon introduces the block by itself.
        let is_introduced = above.is_some_and(|above| self.lines[above].trim_ascii_end().ends_with(b":"));
        if let Some(above) = above {
            named.extend(self.files.mentioned(self.lines[above])?);
            if named.is_empty() && !is_introduced && above > 0 && is_prose(above - 1) {
                named.extend(self.files.mentioned(self.lines[above - 1])?);
            }
        }
        let below = (range.end..self.lines.len()).take(2).find(|&at| !blank(self.lines[at])).filter(|&at| is_prose(at));
        if let Some(below) = below.filter(|_| named.is_empty() && !is_introduced) {
            let next = (below + 1..self.lines.len()).take(2).find(|&at| !blank(self.lines[at]));
            if next.is_none_or(is_prose) {
                named.extend(self.files.mentioned(self.lines[below])?);
            }
        }
        let mut at = range.start;
        while named.is_empty() && at > range.start.saturating_sub(REACH) {
            at = at.saturating_sub(1);
            match around(at) {
                Around::Edit => break,
                Around::Prose => {
                    let others = self.files.mentioned(self.lines[at])?;
                    named.extend(others.into_iter().filter(|path| self.edits.iter().all(|edit| edit.path != *path)));
                }
                Around::Other => {}
            }
            if at == 0 {
                break;
            }
        }
        Ok(named)
    }

    /// Whether the text is a piece of the file, as it is or as the edits leave it; or several with dots between them. Lines without
    /// letters or digits say nothing.
    pub fn is_quotation(&self, content: &[&[u8]], path: &RepoPath) -> Result<bool> {
        let old = self.files.content(path)?.unwrap_or_else(|| Arc::from([]));
        if !self.lines.spend(old.len() + content.len()) {
            return Ok(false);
        }
        let old = telling(old.split(|byte| *byte == b'\n'));
        let mut texts = vec![old.clone()];
        let mut new = old;
        for edit in self.edits.iter().filter(|edit| edit.path == *path) {
            match &edit.op {
                FileOp::Modify(hunks)
                | FileOp::Delete(hunks)
                | FileOp::Rename { hunks, .. }
                | FileOp::Copy { hunks, .. } => {
                    for hunk in hunks {
                        let side = |is_side: fn(&Line) -> bool| {
                            telling(hunk.lines.iter().filter(|line| is_side(line)).map(Line::bytes))
                        };
                        let (before, after) = (side(Line::is_old), side(Line::is_new));
                        if let Some(at) = place_of(&new, &before) {
                            new.splice(at..at + before.len(), after.iter().copied());
                        }
                        texts.extend([before, after]);
                    }
                }
                FileOp::Create(text) | FileOp::Write(text) => texts.push(telling(text.split(|byte| *byte == b'\n'))),
            }
        }
        texts.push(new);
        let is_elision = |line: &&[u8]| {
            let line = line.trim_ascii();
            line.ends_with(b"...") || line.starts_with("…".as_bytes())
        };
        let pieces = content.split(is_elision).map(|piece| telling(piece.iter().copied()));
        Ok(pieces.into_iter().all(|piece| texts.iter().any(|text| place_of(text, &piece).is_some())))
    }
}

fn new_file(path: &RepoPath) -> String {
    format!("the text below the name of {path} may be that new file; write the path alone on the line above it")
}

/// The lines without the numbers before them, and without blank ones at both ends.
pub(super) fn telling<'l>(lines: impl Iterator<Item = &'l [u8]>) -> Vec<&'l [u8]> {
    let bare = |line: &'l [u8]| numbered(line).map_or(line, |(_, line)| line).trim_ascii_end();
    let lines: Vec<&[u8]> = lines.map(bare).collect();
    let from = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let to = lines.iter().rposition(|line| !line.is_empty()).map_or(from, |last| last + 1);
    lines[from..to].to_vec()
}

/// Where the lines stand one after the other, all with the same more or less before them; None where that would take too long to
/// find.
pub(super) fn place_of(text: &[&[u8]], lines: &[&[u8]]) -> Option<usize> {
    let Some(first) = lines.first() else { return Some(0) };
    if text.len().saturating_mul(lines.len()) > COMPARED {
        return None;
    }
    let is_same = |at: &usize| {
        let mut shift = None;
        text.get(*at..*at + lines.len()).is_some_and(|there| {
            there.iter().zip(lines).all(|(own, line)| {
                let by = own.len() as isize - line.len() as isize;
                own.trim_ascii_start() == line.trim_ascii_start() && (line.is_empty() || *shift.get_or_insert(by) == by)
            })
        })
    };
    (0..text.len()).filter(|at| text[*at].trim_ascii_start() == first.trim_ascii_start()).find(is_same)
}

/// Lines of a file, multiplied by those of a quotation, that are compared at most: a file of 14,000 lines quoted whole is above it.
const COMPARED: usize = 200_000_000;
