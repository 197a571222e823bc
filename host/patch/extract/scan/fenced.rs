//! Fences: those around a patch are stepped into, any other is a block that may be a file.

use super::super::lines::{blank, malformed, skip_blank};
use super::super::{names, replacement, unified, whole_file};
use super::{Parser, Scanner, begins, too_many};
use crate::fence::Fence;
use crate::limits::SECTIONS;
use guardhost_core::change::{Author, FileOp, FilePatch, NoPatch, PatchFormat};

/// Lines of a fence before its patch: a name, or words of introduction.
const INTRODUCTION: usize = 6;

impl<'r> Scanner<'_, 'r> {
    /// Steps into a fence that holds a patch, takes any other as a block; gives the next line.
    pub(super) fn enter(&mut self, fence: Fence<'r>) -> Result<usize, NoPatch> {
        let lines = &*self.lines;
        let inside = fence.at + 1;
        let is_named = names::before(lines, inside, Some(&fence), self.hints).is_some();
        // A JSON list or a call under a file's name is the content of that file.
        let is_content = |parser: Parser| is_named && matches!(parser, Parser::Json | Parser::Template);
        let patch_begins =
            |at: usize| Parser::ALL.into_iter().any(|parser| !is_content(parser) && begins(parser, lines, at));
        let body = || (inside..lines.len()).take_while(|&at| !fence.closed_by(lines[at]));
        let is_patch = body().filter(|&at| !blank(lines[at])).take(INTRODUCTION).any(patch_begins);
        if fence.is_tag() && !is_patch && !is_named {
            return Ok(inside);
        }
        let is_diff = matches!(whole_file::language(&fence).as_slice(), b"diff" | b"patch" | b"udiff");
        let is_hunk = begins_hunk(lines, skip_blank(lines, inside));
        let first = skip_blank(lines, inside);
        let has_sign = lines.get(first).is_some_and(|line| matches!(line.first(), Some(b'+' | b'-' | b' ')));
        if is_diff && self.unfinished.is_some() && has_sign && !patch_begins(first) {
            self.fence = Some(fence);
            return self.nameless(first);
        }
        if is_patch || is_hunk || (is_diff && body().any(|at| patch_begins(at) || unified::header(lines[at]).is_some()))
        {
            self.fence = Some(fence);
            return Ok(inside);
        }
        let has_changes = || body().any(|at| matches!(lines[at].first(), Some(b'+' | b'-')));
        if let Some((file, next)) = replacement::at(lines, &fence, self.files, self.notes)? {
            self.add(PatchFormat::SearchReplace, vec![file])?;
            return Ok(next);
        }
        let block = whole_file::block(lines, &fence, self.hints);
        let is_normal = block.as_ref().is_some_and(|(block, _)| block.normal_diff.is_some());
        if is_diff && has_changes() && !is_normal {
            self.fence = Some(fence);
            return self.nameless(skip_blank(self.lines, inside));
        }
        match block {
            Some((mut block, next)) => {
                if let (Some(path), Some(hunks)) = (&block.path, block.normal_diff.take()) {
                    let written_by = Author::Model { says_whole: false };
                    let file = FilePatch { written_by, ..FilePatch::new(path.clone(), FileOp::Modify(hunks)) };
                    self.add(PatchFormat::UnifiedDiff, vec![file])?;
                    return Ok(next);
                }
                if let Some((at, why)) = block.lost_marker {
                    return Err(malformed(at, why));
                }
                self.found.blocks.push(block);
                if self.found.blocks.len() > SECTIONS {
                    return Err(too_many("fenced blocks", SECTIONS));
                }
                Ok(next)
            }
            None => match whole_file::unclosed(lines, &fence, self.hints) {
                Some(cut) => Err(cut),
                None => {
                    self.fence = Some(fence);
                    Ok(inside)
                }
            },
        }
    }
}

/// Whether the line is the header of a hunk with its numbers, and a hunk is below it.
fn begins_hunk(lines: &[&[u8]], at: usize) -> bool {
    let header = lines.get(at).and_then(|line| unified::header(line));
    header.is_some_and(|header| header.counts.is_some())
        && lines[at + 1..].iter().take(3).any(|line| matches!(line.first(), Some(b'+' | b'-' | b' ')))
}
