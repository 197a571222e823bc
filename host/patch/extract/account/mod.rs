//! The account of a reply: every line is taken by an edit, or harmless, or a rest that refuses the reply.
//!
//! The scan says which lines its parsers took. Whatever they left is judged here by what it looks like, not by a list of the
//! formats that nobody reads: signed lines, marks of other formats, calls and commands that may change files, a fence beside the
//! name of a file, and words that take an edit back.

mod additive;
mod alternatives;
mod announced;
mod around;
mod blocks;
mod calls;
mod checklist;
mod closer;
mod contradicted;
mod doubt;
mod elsewhere;
mod evidence;
mod failing;
mod foreign;
mod frames;
mod imperative;
mod kept;
mod languages;
mod last_words;
mod left_aside;
mod mentions;
mod outcome;
mod parts;
mod patch_below;
mod plan;
mod refusal;
mod request;
mod requests;
mod reserve;
mod second_thought;
mod shell;
mod signed;
mod standing;
mod stat;
mod superseded;
mod tagged;
mod taken_back;
mod tools;
mod turns;
mod unfinished;
mod variants;
mod versions;
mod words;

use std::ops::{Deref, Range};

use super::Notes;
use super::lines::{Lines, blank};
use super::names;
use super::whole_file::Block;
use closer::Closer;
use guardhost_core::change::{Account, FilePatch, NoPatch, NoPatchKind, RepoPath};
use guardhost_core::error::Error;

pub(super) use calls::is_reader;
pub use mentions::Surroundings;

/// Whether a sentence beside an edit, in one line with it, lets it stand as it is meant.
pub(super) fn lets_stand(sentence: &str) -> bool {
    let line = sentence.as_bytes();
    let is_reserved = |side| reserve::is_reserved(line, side);
    let is_held = is_reserved(reserve::Side::Above) || is_reserved(reserve::Side::Below) || foreign::holds_back(line);
    let is_taken_back = second_thought::is_second_thought(line)
        || alternatives::taken_back(&[line], alternatives::Weight::Any).is_some();
    let is_open =
        foreign::begins_condition(line) || foreign::applies_on_condition(line) || foreign::denies_at_the_end(line);
    !(is_held || is_taken_back || is_open || doubt::is_doubtful(line) || foreign::finds_fault(line))
}

pub(super) use outcome::reports_failure;
pub(super) use standing::is_out_of_force;

/// Whether what is said of one edit, in a member or an attribute of it, keeps it from being meant.
pub(super) fn is_withheld(said: &str) -> bool {
    let is_reserved = |line: &[u8]| {
        reserve::is_reserved(line, reserve::Side::Above)
            || reserve::is_reserved(line, reserve::Side::Below)
            || foreign::holds_back(line)
            || standing::is_verdict(line)
            || alternatives::taken_back(&[line], alternatives::Weight::Any).is_some()
    };
    // What is said of an edit need not name it: `do not apply`.
    said.lines().any(|line| is_reserved(line.as_bytes()) || is_reserved(format!("{line} this").as_bytes()))
}

/// What the scan made of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    /// The edit with this number. `is_diff`: it ends in a hunk of a diff.
    Edit { number: usize, is_diff: bool },
    /// A fence around edits.
    Frame,
    /// The block with this number.
    Block(usize),
    /// A call that only looks at files, or a hunk that changes nothing.
    Reading,
    /// Nothing that a parser reads.
    Unread { is_fenced: bool },
}

/// What was seen, in the order of the reply: a partition of its lines.
#[derive(Debug, Default)]
pub(super) struct OpenAccount {
    runs: Vec<(Range<usize>, Seen)>,
    /// What calls run in a shell, and where they stand.
    commands: Vec<(usize, Vec<String>)>,
}

/// What is known besides the lines, when the account is closed.
pub(super) struct Closing<'c> {
    pub lines: &'c Lines<'c>,
    pub blocks: &'c [Block],
    /// The blocks that are edits, by their number, in ascending order.
    pub block_edits: &'c [usize],
    pub edits: &'c [&'c FilePatch],
    pub hints: &'c [RepoPath],
    pub files: &'c Surroundings<'c>,
    /// The whole text is an envelope: there is no prose in it.
    pub is_envelope: bool,
    /// The edits are parts of one change by their format, not patches of which each may be the whole.
    pub is_sequence: bool,
}

/// What lines that no parser read are judged by: the files of the repository, and the edits of the reply.
pub(super) struct Known<'k> {
    files: &'k Surroundings<'k>,
    edits: &'k [&'k FilePatch],
}

impl<'k> Deref for Known<'k> {
    type Target = Surroundings<'k>;

    fn deref(&self) -> &Self::Target {
        self.files
    }
}

impl Closing<'_> {
    fn is_block_edit(&self, number: usize) -> bool {
        self.block_edits.binary_search(&number).is_ok()
    }
}

impl OpenAccount {
    pub fn see(&mut self, lines: Range<usize>, seen: Seen) {
        match self.runs.last_mut() {
            Some((range, last)) if *last == seen && matches!(seen, Seen::Unread { .. } | Seen::Frame) => {
                range.end = lines.end
            }
            _ => self.runs.push((lines, seen)),
        }
    }

    /// The names, tags and fences right above the line belong to a call that failed, as what it holds.
    pub fn leave_frame_out(&mut self, at: usize, lines: &Lines) {
        let is_frame = |at: &usize| blank(lines[*at]) || names::is_frame(lines[*at]);
        let is_open = |at: usize| {
            self.runs.iter().rev().any(|(range, seen)| {
                range.contains(&at) && matches!(seen, Seen::Unread { is_fenced: false } | Seen::Frame)
            })
        };
        let from = (0..at).rev().take_while(|at| is_frame(at) && is_open(*at)).last().unwrap_or(at);
        self.runs.retain(|(range, _)| range.start < from);
        if let Some((range, _)) = self.runs.last_mut() {
            range.end = range.end.min(from);
        }
        self.runs.push((from..at, Seen::Reading));
    }

    /// Whether the line is below all edits, and text that no parser took stands between them and it.
    pub fn has_unread_text_between_edits_and(&self, at: usize, lines: &Lines) -> bool {
        let last = self.runs.iter().rposition(|(_, seen)| matches!(seen, Seen::Edit { .. }));
        let below = &self.runs[last.map_or(0, |last| last + 1)..];
        let is_text = |range: &Range<usize>| lines[range.clone()].iter().any(|line| !blank(line));
        let is_unread = |(range, seen): &(Range<usize>, Seen)| matches!(seen, Seen::Unread { .. }) && is_text(range);
        below.iter().any(|(range, _)| range.contains(&at))
            && below.iter().take_while(|(range, _)| range.start < at).any(is_unread)
    }

    /// Commands of a call at the line.
    pub fn run(&mut self, at: usize, commands: Vec<String>) {
        if !commands.is_empty() {
            self.commands.push((at, commands));
        }
    }

    /// The account, or the lines that nobody read.
    pub fn close(self, closing: &Closing, notes: &mut Notes) -> std::result::Result<Account, NoPatch> {
        let unreadable = |error: Error| {
            NoPatch::new(NoPatchKind::Malformed, format!("The files that the reply speaks of cannot be read: {error}"))
        };
        let total = closing.lines.len();
        let (rest, parts) = Closer::new(&self, closing).run(notes).map_err(unreadable)?;
        if let Some(refusal) = refusal::from_rest(rest, closing.lines, &parts) {
            return Err(refusal);
        }
        Account::closed(total, parts).ok_or_else(|| {
            NoPatch::new(
                NoPatchKind::Malformed,
                "The lines of the reply were not all accounted for. Send the patch alone.",
            )
        })
    }
}
