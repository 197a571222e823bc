//! Hunks without file names, changes that belong to no hunk, and hunks that break off.

use super::super::account::Seen;
use super::super::lines::{blank, malformed, quote, skip_blank, truncated};
use super::super::unified::{self, End, Missing};
use super::super::{meant, nameless, names};
use super::Scanner;
use guardhost_core::change::{
    Author, FileOp, FilePatch, HeaderCounts, Hunk, Line, NoPatch, PatchFormat, RepoPath, Tail,
};

pub(super) struct LastHunk {
    end: End,
    /// Where its section begins.
    section: usize,
}

pub(super) const UNFINISHED: &str = "the hunk above has fewer lines than its @@ line says, and the counts do not tell how it goes on here; send \
                          the hunk whole";

pub(super) const MIXED_MARGINS: &str = "one diff of the reply is indented and another is not, so one of them may be quoted; send only \
                                        what is meant, without a margin";

impl Scanner<'_, '_> {
    /// The file of an edit at the line that searches for the old lines, where nothing names it.
    pub(super) fn only_holder(&mut self, old: &[&[u8]], at: usize) -> Result<Option<RepoPath>, NoPatch> {
        let holder = nameless::only_holder(old, self.lines, at, self.files)
            .map_err(|error| malformed(at, format_args!("the files of the repository cannot be read: {error}")))?;
        if let Some(holder) = &holder {
            let path = quote(holder.as_bytes());
            self.notes.add(
                "nameless",
                format_args!("an edit without a file name, taken for {path}, which alone has its lines"),
            );
        }
        Ok(holder)
    }

    /// A hunk without `---` and `+++`: of the file named before its fence, or of the one above as in aider's `udiff`, or of the
    /// only one that the task names.
    pub(super) fn nameless(&mut self, start: usize) -> Result<usize, NoPatch> {
        let lines = &*self.lines;
        let header = unified::header(lines[start]);
        let begin = if header.is_some() { start + 1 } else { start };
        let is_headless = header.is_none();
        let body = unified::body(lines, begin, header.unwrap_or_default(), self.fence.as_ref(), false);
        if body.hunk.lines.iter().all(|line| matches!(line, Line::Context(_))) {
            if body.hunk.lines.is_empty() && self.lines[start].starts_with(b"@@ -") {
                return Err(malformed(start, "there is nothing below this @@ line"));
            }
            if body.has_lost_signs(lines) {
                return Err(malformed(start, unified::LOST_SIGNS));
            }
            // The `@@` of an e-mail or a document: it changes nothing.
            return Ok(body.next.max(start + 1));
        }
        if let Some(next) = self.unfinished.take().filter(|_| is_headless) {
            return self.go_on(next, body.hunk.lines, start, body.next);
        }
        let named = self.path_of_nameless(start, &body.hunk).or_else(|| self.only_hint("a diff without a file name"));
        let path = match named {
            Some(path) => path,
            None => {
                let old: Vec<&[u8]> = body.hunk.lines.iter().filter(|line| line.is_old()).map(Line::bytes).collect();
                let missing = "a diff without a file name; begin it with --- and +++ lines";
                self.only_holder(&old, start)?.ok_or_else(|| malformed(start, missing))?
            }
        };
        if body.lost_blank.is_some() || !body.is_exact {
            self.found.header_counts = HeaderCounts::Repaired;
            self.notes.add("recount", format_args!("the hunk at line {} has wrong counts or lost blanks", start + 1));
        }
        self.wrong_counts += usize::from(!body.is_exact);
        let hunk = Hunk { is_miscounted: !body.is_exact, ..body.hunk };
        let written_by = Author::Model { says_whole: false };
        let file = FilePatch { written_by, ..FilePatch::new(path, FileOp::Modify(vec![hunk])) };
        self.add(PatchFormat::UnifiedDiff, vec![file])?;
        self.end_of_hunk(body.end, start, body.next)?;
        Ok(body.next)
    }

    /// Lines without a header below a hunk that lacks some: an answer that was cut and goes on, often with its last lines again. They
    /// belong to that hunk if its counts come out in one way.
    fn go_on(&mut self, lacks: (usize, usize), lines: Vec<Line>, start: usize, next: usize) -> Result<usize, NoPatch> {
        let hunk = match self.found.files.last_mut().map(|(_, file)| &mut file.op) {
            Some(FileOp::Modify(hunks)) => hunks.last_mut(),
            _ => None,
        };
        let Some(hunk) = hunk else { return Err(malformed(start, UNFINISHED)) };
        let count = |lines: &[Line], side: fn(&Line) -> bool| lines.iter().filter(|line| side(line)).count();
        let fits = |again: &usize| {
            let rest = &lines[*again..];
            (count(rest, Line::is_old), count(rest, Line::is_new)) == lacks && hunk.lines.ends_with(&lines[..*again])
        };
        let mut ways = (0..=lines.len().min(hunk.lines.len())).filter(fits);
        let (Some(again), None) = (ways.next(), ways.next()) else { return Err(malformed(start, UNFINISHED)) };
        hunk.lines.extend(lines.into_iter().skip(again));
        hunk.is_miscounted = false;
        self.notes.add("continued", format_args!("the lines from line {} on go on with the hunk above", start + 1));
        self.seen = Some(Seen::Edit { number: self.found.files.len() - 1, is_diff: true });
        (self.last_hunk, self.is_below_hunk) = (None, true);
        self.wrong_counts = self.wrong_counts.saturating_sub(1);
        Ok(next)
    }

    fn path_of_nameless(&self, start: usize, hunk: &Hunk) -> Option<RepoPath> {
        let fence = self.fence.as_ref().filter(|fence| skip_blank(self.lines, fence.at + 1) == start);
        let above = self.path_of(&[PatchFormat::GitDiff, PatchFormat::UnifiedDiff]);
        match fence {
            Some(fence) => names::before(self.lines, start, Some(fence), self.hints)
                .or_else(|| self.mentioned_above(fence.at, hunk, above.as_ref()))
                .or_else(|| above.filter(|above| !names::other_named(self.lines, fence.at, above))),
            // The name may be inside the fence.
            None => above.or_else(|| {
                let fence = self.fence.as_ref().filter(|_| !self.is_below_hunk)?;
                let name = (fence.at + 1..start).rev().find(|&at| !blank(self.lines[at]))?;
                names::alone(self.lines[name], self.hints)
            }),
        }
    }

    /// The only file of the repository that the words right above the line name, if it has the old lines of the hunk and `other`, which
    /// the hunk may be of as well, has not.
    fn mentioned_above(&self, at: usize, hunk: &Hunk, other: Option<&RepoPath>) -> Option<RepoPath> {
        let above = (0..at).rev().take(3).find(|&at| !blank(self.lines[at]))?;
        let mentioned = self.files.mentioned(self.lines[above]).ok()?;
        let mut existing = mentioned.into_iter().filter(|path| self.files.exists(path).unwrap_or(false));
        let (only, None) = (existing.next()?, existing.next()) else { return None };
        let hunks = std::slice::from_ref(hunk);
        let has_lines = |path: &RepoPath| meant::has_old_lines(path, hunks, self.files).unwrap_or(false);
        let is_other = other.is_some_and(|other| *other != only && has_lines(other));
        (has_lines(&only) && !is_other).then_some(only)
    }

    pub(super) fn refuse_truncated_hunk(&mut self) -> Result<(), NoPatch> {
        let Some(LastHunk { end: End { missing, trimmed, .. }, section }) = self.last_hunk else { return Ok(()) };
        let why = match (missing, &self.fence) {
            (Missing::Nothing, _) => return Ok(()),
            (Missing::All, _) => "there is nothing below the last @@ line",
            (Missing::Unknown, Some(_)) => {
                "its fence is never closed, and the last @@ line does not say how many lines are below it"
            }
            (Missing::Lines | Missing::Change(_) | Missing::End, Some(_)) => {
                "the last hunk has fewer lines than its @@ line says"
            }
            // Without a fence more must be known: all other counts are right, and the hunk ends within a change.
            (Missing::End, None) if self.wrong_counts == 1 => {
                "the last hunk breaks off and has fewer lines than its @@ line says"
            }
            (Missing::Change(least), None) if self.wrong_counts == 1 && (self.found.hunks > 1 || least > 1) => {
                "the last hunk lacks a change that its @@ line counts"
            }
            (Missing::Unknown | Missing::Lines | Missing::Change(_) | Missing::End, None) => return Ok(()),
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

    /// Whether only the file shows that the reply is complete.
    pub(super) fn tail(&self) -> Tail {
        let last = self.last_hunk.as_ref().filter(|_| self.fence.is_none());
        match last.and_then(|last| last.end.short) {
            Some(old) if self.wrong_counts == 1 => Tail::Short { old },
            _ if self.ends_early() => Tail::Doubtful,
            _ => Tail::Complete,
        }
    }

    /// Counts that are wrong everywhere say nothing, but the other hunks show how much context their writer quotes: whether the last
    /// hunk has less of it below its change than above it, and less than every other hunk.
    fn ends_early(&self) -> bool {
        let is_open = |last: &LastHunk| last.end.missing != Missing::Nothing;
        if self.wrong_counts < 2 || self.fence.is_some() || !self.last_hunk.as_ref().is_some_and(is_open) {
            return false;
        }
        let hunks = self.found.files.iter().filter_map(|(_, file)| match &file.op {
            FileOp::Modify(hunks) => Some(hunks),
            _ => None,
        });
        let mut all: Vec<&Hunk> = hunks.flatten().collect();
        let Some(last) = all.pop() else { return false };
        let context = |line: &&Line| matches!(line, Line::Context(_));
        let trailing = |hunk: &Hunk| hunk.lines.iter().rev().take_while(context).count();
        let leading = last.lines.iter().take_while(context).count();
        trailing(last) < leading.min(3) && all.iter().all(|hunk| trailing(hunk) > trailing(last))
    }

    /// Any text after the hunk, even a word of prose or the marker of the end, shows that the reply was not cut off in it; unless it
    /// says so.
    pub(super) fn end_of_hunk(&mut self, last: End, section: usize, next: usize) -> Result<(), NoPatch> {
        let after = skip_blank(self.lines, next);
        let is_last = after == self.lines.len();
        let is_end = |at: usize| {
            let end = skip_blank(self.lines, at + 1);
            end == self.lines.len() || self.fence.as_ref().is_some_and(|fence| fence.closed_by(self.lines[end]))
        };
        if last.missing != Missing::Nothing && !is_last && says_cut(self.lines[after], is_end(after)) {
            return Err(truncated(section, format_args!("below its last hunk it says {}", quote(self.lines[after]))));
        }
        self.last_hunk = (is_last && !self.lines.is_closed).then_some(LastHunk { end: last, section });
        self.unfinished = Some(last.lacks).filter(|lacks| *lacks != (0, 0));
        self.is_below_hunk = true;
        Ok(())
    }
}

/// `(diff truncated)`, `[output cut off]`, and `...` at the end.
fn says_cut(line: &[u8], is_end: bool) -> bool {
    let text = String::from_utf8_lossy(line.trim_ascii()).to_lowercase();
    let is_short = text.len() < 80;
    let is_framed = text.starts_with(['(', '[', '<', '.', '…', '#', '/', '*', '-']);
    let words = ["truncated", "cut off", "cut short", "omitted", "continued", "output limit", "too long"];
    is_short
        && (is_end && matches!(text.as_str(), "..." | "…" | "[...]")
            || (is_framed && words.iter().any(|word| text.contains(word))))
}
