//! One pass over the reply, from the first line to the last. What begins first is read by its own parser to its end, so that
//! nothing inside it is taken for another patch.

use super::Notes;
use super::lines::{Fence, Lines, blank, malformed, quote, skip_blank, truncated};
use super::unified::Missing;
use super::whole_file::{self, Block};
use super::{json_list, names, search_replace, unified, v4a};
use crate::formats::Parser;
use guardhost_core::change::{FileOp, FilePatch, HeaderCounts, Line, NoPatch, PatchFormat, RepoPath};

/// What the scan found, in the reply's order.
#[derive(Default)]
pub(super) struct Found {
    pub files: Vec<(PatchFormat, FilePatch)>,
    /// Fenced blocks that hold no patch in another format.
    pub blocks: Vec<Block>,
    pub message: Option<String>,
    pub header_counts: HeaderCounts,
}

struct Scanner<'r, 'n> {
    lines: &'r Lines<'r>,
    hints: &'r [RepoPath],
    notes: &'n mut Notes,
    /// The fence around the current line.
    fence: Option<Fence<'r>>,
    found: Found,
    /// Hunks with wrong counts.
    wrong_counts: usize,
    /// The last hunk, if nothing follows it.
    last_hunk: Option<LastHunk>,
    above: Above,
}

struct LastHunk {
    missing: Missing,
    trimmed: u32,
    /// Where its section begins.
    section: usize,
}

/// What is above the current line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    Other,
    /// A hunk of a diff.
    Hunk,
    /// A hunk, and a blank line below it.
    HunkAndBlank,
}

pub(super) fn scan(lines: &Lines, hints: &[RepoPath], notes: &mut Notes) -> Result<Found, NoPatch> {
    let scanner = Scanner {
        lines,
        hints,
        notes,
        fence: None,
        found: Found::default(),
        wrong_counts: 0,
        last_hunk: None,
        above: Above::Other,
    };
    scanner.scan()
}

impl<'r> Scanner<'r, '_> {
    fn scan(mut self) -> Result<Found, NoPatch> {
        let mut at = 0;
        while at < self.lines.len() {
            if self.fence.as_ref().is_some_and(|fence| fence.closed_by(self.lines[at])) {
                self.fence = None;
                (self.last_hunk, self.above) = (None, Above::Other);
                at += 1;
            } else if let Some(next) = self.patch(at)? {
                at = next;
            } else if let Some(fence) = Fence::open(self.lines, at).filter(|_| self.fence.is_none()) {
                at = self.enter(fence)?;
            } else {
                self.refuse_stray_change(at)?;
                at += 1;
            }
        }
        if self.fence.is_some() && !self.found.files.is_empty() {
            self.notes.add("open-fence", "the fence around the patch is never closed");
        }
        self.refuse_truncated_hunk()?;
        Ok(self.found)
    }

    /// Reads the patch that begins at this line, if one does; gives the line after it.
    fn patch(&mut self, at: usize) -> Result<Option<usize>, NoPatch> {
        match Parser::ALL.into_iter().find(|parser| begins(*parser, self.lines, at)) {
            Some(Parser::V4a) => self.v4a(at).map(Some),
            Some(Parser::Unified) => self.unified(at).map(Some),
            Some(Parser::SearchReplace) => self.search_replace(at).map(Some),
            Some(Parser::JsonList) => self.json_list(at).map(Some),
            Some(Parser::WholeFile) | None if unified::header(self.lines[at]).is_some() => self.nameless(at).map(Some),
            Some(Parser::WholeFile) | None => match self.lines[at] {
                b"***************" => Err(malformed(at, "context diffs are not accepted; send a unified diff")),
                _ => Ok(None),
            },
        }
    }

    fn v4a(&mut self, at: usize) -> Result<usize, NoPatch> {
        let (files, next) = v4a::parse(self.lines, at, self.fence.as_ref(), self.notes)?;
        self.add(PatchFormat::V4a, files);
        Ok(next)
    }

    fn unified(&mut self, at: usize) -> Result<usize, NoPatch> {
        let section = unified::parse(self.lines, at, self.fence.as_ref(), self.hints, self.notes)?;
        let format = if section.is_git { PatchFormat::GitDiff } else { PatchFormat::UnifiedDiff };
        self.add(format, vec![section.file]);
        self.wrong_counts += section.wrong_counts;
        if section.wrong_counts > 0 {
            self.found.header_counts = HeaderCounts::Repaired;
        }
        self.end_of_hunk(section.missing, section.trimmed, at, section.next);
        Ok(section.next)
    }

    fn search_replace(&mut self, at: usize) -> Result<usize, NoPatch> {
        let path = names::before(self.lines, at, self.fence.as_ref(), self.hints)
            .or_else(|| {
                let last = self.path_of(&[PatchFormat::SearchReplace]);
                last.filter(|last| !names::other_named(self.lines, at, last))
            })
            .or_else(|| self.only_hint("a block without a file name"))
            .ok_or_else(|| malformed(at, "the block has no file name; write the path alone on the line before it"))?;
        let (file, next) = search_replace::parse(self.lines, at, &path, self.notes)?;
        self.add(PatchFormat::SearchReplace, vec![file]);
        Ok(next)
    }

    fn json_list(&mut self, at: usize) -> Result<usize, NoPatch> {
        let parsed = json_list::parse(self.lines, at)?;
        self.add(PatchFormat::JsonList, parsed.files);
        self.found.message = self.found.message.take().or(parsed.message);
        Ok(parsed.next)
    }

    /// A hunk without `---` and `+++`: of the file named before its fence, or of the one above as in aider's `udiff`, or of the
    /// only one that the task names.
    fn nameless(&mut self, start: usize) -> Result<usize, NoPatch> {
        let lines = self.lines;
        let header = unified::header(lines[start]);
        let begin = if header.is_some() { start + 1 } else { start };
        let body = unified::body(lines, begin, header.unwrap_or_default(), self.fence.as_ref());
        if body.hunk.lines.iter().all(|line| matches!(line, Line::Context(_))) {
            // The `@@` of an e-mail or a document: it changes nothing.
            return Ok(body.next.max(start + 1));
        }
        let path = self
            .path_of_nameless(start)
            .or_else(|| self.only_hint("a diff without a file name"))
            .ok_or_else(|| malformed(start, "a diff without a file name; begin it with --- and +++ lines"))?;
        if body.lost_blank.is_some() || !body.is_exact {
            self.found.header_counts = HeaderCounts::Repaired;
            self.notes.add("recount", format_args!("the hunk at line {} has wrong counts or lost blanks", start + 1));
        }
        self.wrong_counts += usize::from(!body.is_exact);
        self.add(PatchFormat::UnifiedDiff, vec![FilePatch::new(path, FileOp::Modify(vec![body.hunk]))]);
        self.end_of_hunk(body.missing, body.trimmed, start, body.next);
        Ok(body.next)
    }

    fn path_of_nameless(&self, start: usize) -> Option<RepoPath> {
        let fence = self.fence.as_ref().filter(|fence| skip_blank(self.lines, fence.at + 1) == start);
        let above = self.path_of(&[PatchFormat::GitDiff, PatchFormat::UnifiedDiff]);
        match fence {
            Some(fence) => names::before(self.lines, start, Some(fence), self.hints)
                .or_else(|| above.filter(|above| !names::other_named(self.lines, fence.at, above))),
            None => above,
        }
    }

    /// Steps into a fence that holds a patch, takes any other as a block; gives the next line.
    fn enter(&mut self, fence: Fence<'r>) -> Result<usize, NoPatch> {
        let lines = self.lines;
        let inside = fence.at + 1;
        let end = (inside..lines.len()).find(|&at| fence.closed_by(lines[at])).unwrap_or(lines.len());
        let is_named = names::before(lines, inside, Some(&fence), self.hints).is_some();
        // A JSON list under a file's name is the content of that file.
        let is_content = |parser: Parser| is_named && parser == Parser::JsonList;
        let patch_begins =
            |at: usize| Parser::ALL.into_iter().any(|parser| !is_content(parser) && begins(parser, lines, at));
        // A name, or words of introduction, may come before the patch.
        let is_patch = (inside..end).filter(|&at| !blank(lines[at])).take(6).any(patch_begins);
        let is_diff = matches!(fence.info.to_ascii_lowercase().as_slice(), b"diff" | b"patch" | b"udiff");
        if is_patch || (is_diff && (inside..end).any(|at| patch_begins(at) || unified::header(lines[at]).is_some())) {
            self.fence = Some(fence);
            return Ok(inside);
        }
        if is_diff && (inside..end).any(|at| matches!(lines[at].first(), Some(b'+' | b'-'))) {
            self.fence = Some(fence);
            return self.nameless(skip_blank(lines, inside));
        }
        match whole_file::block(lines, &fence, self.hints) {
            Some((block, next)) => {
                self.found.blocks.push(block);
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

    /// A change below a hunk that belongs to no hunk would be lost: the line between them cannot be read.
    fn refuse_stray_change(&mut self, at: usize) -> Result<(), NoPatch> {
        if self.above == Above::Other {
            return Ok(());
        }
        if unified::signature(self.lines, at) {
            self.above = Above::Other;
            return Ok(());
        }
        // After a blank line prose may begin, with lists in it; only code is indented after the mark.
        let is_change = match self.lines[at].trim_ascii_start() {
            [b'+' | b'-', b' ', b' ', ..] | [b'+' | b'-', b'\t', ..] => true,
            [b'+' | b'-', ..] => self.above == Above::Hunk,
            _ => false,
        };
        if is_change {
            return Err(malformed(at, format_args!("{} belongs to no hunk", quote(self.lines[at]))));
        }
        if self.fence.is_none() && blank(self.lines[at]) {
            self.above = Above::HunkAndBlank;
        }
        Ok(())
    }

    fn refuse_truncated_hunk(&mut self) -> Result<(), NoPatch> {
        let Some(LastHunk { missing, trimmed, section }) = self.last_hunk else { return Ok(()) };
        let why = match (missing, &self.fence) {
            (Missing::Lines | Missing::End, Some(_)) => "the last hunk has fewer lines than its @@ line says",
            // Without a fence more must be known: all other counts are right, and the hunk ends within a change.
            (Missing::End, None) if self.wrong_counts == 1 => {
                "the last hunk breaks off and has fewer lines than its @@ line says"
            }
            (Missing::Nothing | Missing::Lines | Missing::End, _) => return Ok(()),
        };
        match self.found.files.last_mut().map(|(_, file)| &mut file.op) {
            // Only the file shows whether blank lines were trimmed off or the reply was cut.
            Some(FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. }) if trimmed > 0 => {
                hunks.iter_mut().next_back().into_iter().for_each(|hunk| hunk.trimmed = trimmed);
                Ok(())
            }
            _ => Err(truncated(section, why)),
        }
    }

    fn add(&mut self, format: PatchFormat, files: Vec<FilePatch>) {
        (self.last_hunk, self.above) = (None, Above::Other);
        self.found.files.extend(files.into_iter().map(|file| (format, file)));
    }

    /// Any text after the hunk, even a word of prose, shows that the reply was not cut off in it.
    fn end_of_hunk(&mut self, missing: Missing, trimmed: u32, section: usize, next: usize) {
        let is_last = skip_blank(self.lines, next) == self.lines.len();
        self.last_hunk = is_last.then_some(LastHunk { missing, trimmed, section });
        self.above = Above::Hunk;
    }

    /// The path of the last section, when it has one of these formats.
    fn path_of(&self, formats: &[PatchFormat]) -> Option<RepoPath> {
        self.found.files.last().filter(|(format, _)| formats.contains(format)).map(|(_, file)| file.path.clone())
    }

    /// The only path that the task names.
    fn only_hint(&mut self, what: &str) -> Option<RepoPath> {
        let [only] = self.hints else { return None };
        self.notes.add("nameless", format_args!("{what}, taken for {}", quote(only.as_bytes())));
        Some(only.clone())
    }
}

/// Whether a patch for this parser begins at the line. A file in a fence is a patch only where the reply has no other, so none
/// begins here.
fn begins(parser: Parser, lines: &Lines, at: usize) -> bool {
    match parser {
        Parser::V4a => v4a::starts(lines, at),
        Parser::Unified => unified::starts(lines, at),
        Parser::SearchReplace => search_replace::starts(lines, at),
        Parser::JsonList => json_list::starts(lines, at).is_some(),
        Parser::WholeFile => false,
    }
}
