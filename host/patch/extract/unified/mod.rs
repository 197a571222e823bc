//! Git's diff and the plain unified diff. One parser: a git diff is a unified diff with more headers. Context diffs are read into the
//! same hunks.
//!
//! Format: git-scm.com/docs/diff-format ("Generating patch text with -p") and the POSIX `diff -u` output.

mod context;
mod head;
mod hunk;
mod names;
mod operation;
mod word;

pub(super) use hunk::{End, Header, HunkBody, Missing, body, header, is_no_newline, mark_no_newline, signature};

use super::Notes;
use super::lines::{Lines, indent, malformed, quote, skip_blank};
use crate::fence::Fence;
use guardhost_core::change::{Author, FilePatch, Hunk, Line, NoPatch, RepoPath};

/// One file's part of a diff.
pub(super) struct DiffSection {
    pub file: FilePatch,
    pub next: usize,
    /// It has a `diff --git` line.
    pub is_git: bool,
    /// How many of its hunks have wrong counts.
    pub wrong_counts: usize,
    /// Of its last hunk.
    pub end: End,
    /// Its name with the prefix that was taken from both sides, which is the same: it may be a folder.
    pub as_written: Option<RepoPath>,
}

/// Whether a file's section begins at this line, at any indentation.
pub(super) fn starts(lines: &[&[u8]], at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    // In the body of a hunk, `+++ x` is an added line; here its `---` line is missing.
    let is_half = |at: usize| {
        !(at > 0 && names::are_of_a_test(lines[at - 1], lines[at]))
            && lines[at].starts_with(b"+++ ")
            && lines.get(at + 1).is_some_and(|next| next.starts_with(b"@@ -") || *next == b"@@")
    };
    match indent(line) {
        b"" => section_starts(lines, at) || is_half(at),
        indent => {
            let three = lines[at..].iter().take(3).filter_map(|line| line.strip_prefix(indent)).collect::<Vec<_>>();
            section_starts(&three, 0)
        }
    }
}

fn section_starts(lines: &[&[u8]], at: usize) -> bool {
    is_git_header(lines, at) || is_plain_header(lines, at) || context::starts(lines, at)
}

fn is_git_header(lines: &[&[u8]], at: usize) -> bool {
    let headers = [&b"diff --git "[..], b"diff --cc ", b"diff --combined "];
    lines.get(at).is_some_and(|line| headers.iter().any(|header| line.starts_with(header)))
}

fn is_plain_header(lines: &[&[u8]], at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    let next = lines.get(at + 1).copied().unwrap_or_default();
    let is_header =
        line.starts_with(b"--- ") && (next.starts_with(b"+++ ") || next.starts_with(b"@@ ") || next == b"@@");
    is_header && !names::are_of_a_test(line, next)
}

/// Whether the lines have what a test compares, as its output has it.
pub(super) fn has_results_of_a_test(lines: &[&[u8]]) -> bool {
    lines.windows(2).any(|two| names::are_of_a_test(two[0], two[1]))
}

/// Reads the section that begins at `start`, which is not indented.
pub(super) fn parse(
    lines: &Lines,
    start: usize,
    fence: Option<&Fence>,
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<DiffSection, NoPatch> {
    if context::starts(lines, start) {
        return in_context_format(lines, start, hints, notes);
    }
    let (head, mut at) = head::read(lines, start, notes)?;
    let mut read = Hunks { is_git: head.is_git, ..Hunks::default() };
    if let Some(line) = lines.get(at)
        && header(line).is_none()
        && head.new.is_some()
        && matches!(line.first(), Some(b'+' | b'-' | b' '))
        && !section_starts(lines, at)
    {
        notes.add("no-hunk-header", format_args!("{}: the hunk has no @@ line", quote(lines[start])));
        at = read.read(lines, at, Header::default(), fence, notes);
    }
    let mut empty = None;
    loop {
        let next = skip_blank(lines, at);
        let Some(line) = lines.get(next) else { break };
        if line.starts_with(b"@@@") {
            return Err(malformed(next, "combined diffs of merges are not accepted; send a diff against one version"));
        }
        let Some(header) = header(line) else { break };
        let is_counted = header.counts.is_some();
        at = read.read(lines, next + 1, header, fence, notes);
        // At the end of a reply the scan says what is missing.
        if is_counted && read.end.missing == Missing::All && skip_blank(lines, at) < lines.len() {
            empty = empty.or(Some(next));
        }
        if read.last_lost_signs {
            return Err(malformed(next, LOST_SIGNS));
        }
    }
    if let Some(at) = empty.filter(|_| !read.hunks.is_empty()) {
        return Err(malformed(at, "there is nothing below this @@ line, which counts lines"));
    }
    let as_written = match (&head.old, &head.new) {
        (Some(names::Name::Path(old)), Some(names::Name::Path(new))) if old == new => Some(RepoPath::new(old.clone())),
        _ => None,
    };
    let (path, op) = operation::operation(&head, read.hunks, hints, notes).map_err(|why| malformed(start, why))?;
    let written_by = Author::Model { says_whole: false };
    Ok(DiffSection {
        file: FilePatch {
            mode: head.mode,
            claimed_blob: head.claimed_blob,
            written_by,
            ..FilePatch::new(RepoPath::new(path), op)
        },
        next: at,
        is_git: head.is_git,
        wrong_counts: read.wrong_counts,
        end: read.end,
        as_written,
    })
}

fn in_context_format(
    lines: &Lines,
    start: usize,
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<DiffSection, NoPatch> {
    let name = |at: usize, mark: &[u8]| lines[at].strip_prefix(mark).map(|text| names::side(text).0);
    let head = head::DiffHead { old: name(start, b"*** "), new: name(start + 1, b"--- "), ..Default::default() };
    let (hunks, next) = context::hunks(lines, start + 2)?;
    let (path, op) = operation::operation(&head, hunks, hints, notes).map_err(|why| malformed(start, why))?;
    let file = FilePatch { written_by: Author::Model { says_whole: false }, ..FilePatch::new(RepoPath::new(path), op) };
    Ok(DiffSection { file, next, is_git: false, wrong_counts: 0, end: End::default(), as_written: None })
}

/// The file that the command `diff OLD NEW` compares, whatever its options; a prompt may stand before it.
pub(super) fn compared_by(line: &[u8], hints: &[RepoPath]) -> Option<RepoPath> {
    let line = line.trim_ascii();
    let words = line.strip_prefix(b"$ ").unwrap_or(line).strip_prefix(b"diff ")?;
    let is_name = |word: &&[u8]| !word.is_empty() && !word.starts_with(b"-");
    let mut sides = words.split(|byte| *byte == b' ').filter(is_name).map(<[u8]>::to_vec);
    let (old, new, None) = (sides.next()?, sides.next()?, sides.next()) else { return None };
    operation::compared(old, new, hints).map(RepoPath::new)
}

pub(super) const LOST_SIGNS: &str = "the @@ line counts other lines than stand below it, and none of them has a sign; mark what is \
                                     removed with - and what is added with +";

#[derive(Default)]
struct Hunks {
    /// The last hunk changes nothing, though its header's counts say so.
    last_lost_signs: bool,
    /// The last hunk marks words. Then all do, and one whose words do not come out has no signs either.
    has_words: bool,
    is_git: bool,
    hunks: Vec<Hunk>,
    wrong_counts: usize,
    end: End,
}

impl Hunks {
    fn read(&mut self, lines: &Lines, at: usize, header: Header, fence: Option<&Fence>, notes: &mut Notes) -> usize {
        let counts = header.counts;
        let body: HunkBody = body(lines, at, header, fence, self.is_git);
        let changes_nothing = body.hunk.lines.iter().all(|line| matches!(line, Line::Context(_)));
        let may_be_words = changes_nothing || !body.is_exact || body.lost_blank.is_some();
        let words = counts.filter(|_| may_be_words).and_then(|counts| word::hunk(lines, at, counts));
        let is_unread = || {
            let end = counts.map_or(body.next, |counts| word::end_of_marks(lines, at, counts).max(body.next));
            lines[at..end].iter().any(|line| word::is_marked(line, body.lost_blank.is_some()))
        };
        let is_mixed = !self.hunks.is_empty() && self.has_words != words.is_some() || words.is_none() && is_unread();
        self.has_words = words.is_some();
        if let Some((words, next)) = words {
            notes.add("word-diff", format_args!("the hunk before line {} marks words, not lines", next + 1));
            // It is exact, and nothing else may have to be repaired.
            self.hunks.push(Hunk { is_miscounted: true, lines: words, ..body.hunk });
            (self.end, self.last_lost_signs) = (End::default(), is_mixed);
            return next;
        }
        self.end = body.end;
        self.last_lost_signs = is_mixed || body.has_lost_signs(lines);
        if body.hunk.lines.is_empty() {
            self.end.missing = Missing::All;
        }
        if !body.is_exact {
            self.wrong_counts += 1;
            notes.add("recount", format_args!("the counts in the @@ line before line {} are wrong", at + 1));
        }
        if let Some(lost) = body.lost_blank {
            notes.add("lost-blank", format_args!("line {} has no blank before a context line", lost + 1));
        }
        if body.hunk.lines.is_empty() {
            notes.add("empty-hunk", format_args!("the @@ line {} has nothing below it", at));
        } else {
            self.hunks.push(Hunk { is_miscounted: !body.is_exact, ..body.hunk });
        }
        body.next
    }
}
