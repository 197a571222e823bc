//! Fenced texts that no parser has taken as an edit: quotations, examples, output and commands, or a file that would be lost.

use std::collections::HashSet;
use std::ops::Range;

use super::super::lines::{Lines, blank};
use super::super::{seen, whole_file::Block};
use super::calls;
use super::mentions::Surroundings;
use super::shell;
use super::signed::mixed;
use crate::fence::Fence;
use crate::numbered::numbered;
use guardhost_core::change::{FileOp, FilePatch, Hunk, RepoPath};
use guardhost_core::error::Result;

/// What a block beside the edits is.
pub(super) enum Verdict {
    Shown,
    /// A copy of a file that an edit changes, or a quotation of it.
    Copy(RepoPath),
    /// A line of it, and why it may be an edit.
    Rest(usize, String),
}

pub(super) struct Blocks<'b> {
    pub lines: &'b Lines<'b>,
    pub files: &'b Surroundings<'b>,
    pub edits: &'b [&'b FilePatch],
    /// The text of all edits, a line each, without margins.
    pub written: HashSet<&'b [u8]>,
}

/// The lines that the edits have.
pub(super) fn written<'e>(edits: &[&'e FilePatch]) -> HashSet<&'e [u8]> {
    fn of_hunks(hunks: &[Hunk]) -> impl Iterator<Item = &[u8]> {
        hunks.iter().flat_map(|hunk| hunk.lines.iter().map(|line| line.bytes().trim_ascii()))
    }
    let mut written = HashSet::new();
    for edit in edits {
        match &edit.op {
            FileOp::Modify(hunks)
            | FileOp::Delete(hunks)
            | FileOp::Rename { hunks, .. }
            | FileOp::Copy { hunks, .. } => {
                written.extend(of_hunks(hunks));
            }
            FileOp::Create(text) | FileOp::Write(text) => {
                written.extend(text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii));
            }
        }
    }
    written
}

impl Blocks<'_> {
    /// `block` stands in `range`, fences included. `is_prose` says whether a line is of the text between edits.
    pub fn judge(&self, block: &Block, range: Range<usize>, is_prose: impl Fn(usize) -> bool) -> Result<Verdict> {
        let inside = range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
        let content = &self.lines[inside.clone()];
        let rest = |at: usize, why: &str| Ok(Verdict::Rest(at, why.to_owned()));
        if let Some(form) = block.unread_form() {
            return Ok(Verdict::Rest(range.start, format!("begins {form}, which is not read here")));
        }
        if let Some(at) = (0..content.len()).find(|&at| mixed(content, at)) {
            return rest(inside.start + at, "looks like a line of a diff, in a block that is none");
        }
        if let Some((at, form)) = seen::edit_in(content) {
            return Ok(Verdict::Rest(inside.start + at, format!("begins {form}, which is not read here")));
        }
        if let Some(first) = (inside.clone()).find(|&at| !blank(self.lines[at]))
            && let calls::Found::Change(why) = calls::at(self.lines, first, self.files, |_, _, _| false)?
        {
            return Ok(Verdict::Rest(first, why));
        }
        let named = block.path.clone();
        if named.is_none() || block.is_named_inside() {
            let is_input = block.is_command() || content.iter().any(|line| shell::prompted(line).is_some());
            if is_input {
                return Ok(match shell::changes(content, self.files)?.first() {
                    Some(at) => {
                        Verdict::Rest(inside.start + at, "changes files of the repository, and is not run here".into())
                    }
                    None => Verdict::Shown,
                });
            }
            if block.is_shown_only() {
                return Ok(Verdict::Shown);
            }
        }
        if named.is_none()
            && let Some(at) = self.writes(content)?
        {
            return rest(inside.start + at, "may write a file of the repository, and is not run here");
        }
        let named = match named {
            Some(named) => vec![named],
            None => self.near(&range, is_prose)?,
        };
        let Some(first) = named.first() else { return Ok(Verdict::Shown) };
        for path in &named {
            if self.is_quotation(content, path)? {
                return Ok(Verdict::Copy(path.clone()));
            }
        }
        let is_touched = self.edits.iter().any(|edit| edit.path == *first);
        Ok(Verdict::Rest(
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

    /// The line of a program that names a file of the repository, where it writes, moves or removes files.
    fn writes(&self, content: &[&[u8]]) -> Result<Option<usize>> {
        const WRITES: [&str; 8] = ["write", "unlink", "remove", "rename", "rmtree", "move(", "copy", "open("];
        let does_write =
            content.iter().any(|line| WRITES.iter().any(|word| String::from_utf8_lossy(line).contains(word)));
        for (at, line) in content.iter().enumerate().filter(|_| does_write) {
            for path in self.files.mentioned(line)? {
                if self.files.exists(&path)? && !self.is_quotation(&[line], &path)? {
                    return Ok(Some(at));
                }
            }
        }
        Ok(None)
    }

    /// The files that the words right above the block name, or those right below it, if no other block follows them.
    fn near(&self, range: &Range<usize>, is_prose: impl Fn(usize) -> bool) -> Result<Vec<RepoPath>> {
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
        Ok(named)
    }

    /// Whether the file, or an edit, has every line of the text. Lines without letters or digits say nothing.
    pub fn is_quotation(&self, content: &[&[u8]], path: &RepoPath) -> Result<bool> {
        let old = self.files.content(path)?;
        let old: HashSet<&[u8]> =
            old.iter().flat_map(|old| old.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii)).collect();
        let is_known = |line: &[u8]| {
            let line = line.trim_ascii();
            !line.iter().any(u8::is_ascii_alphanumeric) || self.written.contains(line) || old.contains(line)
        };
        Ok(content.iter().all(|line| is_known(line) || numbered(line).is_some_and(|(_, line)| is_known(line))))
    }
}
