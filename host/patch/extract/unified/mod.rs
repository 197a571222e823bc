//! Git's diff and the plain unified diff. One parser: a git diff is a unified diff with more headers.
//!
//! Format: git-scm.com/docs/diff-format ("Generating patch text with -p") and the POSIX `diff -u` output.

mod head;
mod hunk;
mod names;
mod operation;

pub(super) use hunk::{End, Header, HunkBody, Missing, body, header, is_no_newline, mark_no_newline, signature};

use super::Notes;
use super::lines::{Lines, indent, malformed, quote, skip_blank};
use crate::fence::Fence;
use guardhost_core::change::{Author, FilePatch, Hunk, NoPatch, RepoPath};

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
    is_git_header(lines, at) || is_plain_header(lines, at)
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
    loop {
        let next = skip_blank(lines, at);
        let Some(line) = lines.get(next) else { break };
        if line.starts_with(b"@@@") {
            return Err(malformed(next, "combined diffs of merges are not accepted; send a diff against one version"));
        }
        let Some(header) = header(line) else { break };
        at = read.read(lines, next + 1, header, fence, notes);
        if read.last_lost_signs {
            return Err(malformed(next, LOST_SIGNS));
        }
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

pub(super) const LOST_SIGNS: &str = "the @@ line counts other lines than stand below it, and none of them has a sign; mark what is \
                                     removed with - and what is added with +";

#[derive(Default)]
struct Hunks {
    /// The last hunk changes nothing, though its header's counts say so.
    last_lost_signs: bool,
    is_git: bool,
    hunks: Vec<Hunk>,
    wrong_counts: usize,
    end: End,
}

impl Hunks {
    fn read(&mut self, lines: &Lines, at: usize, header: Header, fence: Option<&Fence>, notes: &mut Notes) -> usize {
        let body: HunkBody = body(lines, at, header, fence, self.is_git);
        self.end = body.end;
        self.last_lost_signs = body.has_lost_signs(lines);
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
