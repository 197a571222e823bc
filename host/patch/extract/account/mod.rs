//! The account of a reply: every line is taken by an edit, or harmless, or a rest that refuses the reply.
//!
//! The scan says which lines its parsers took. Whatever they left is judged here by what it looks like, not by a list of the
//! formats that nobody reads: signed lines, marks of other formats, calls and commands that may change files, a fence beside the
//! name of a file, and words that take an edit back.

mod alternatives;
mod blocks;
mod calls;
mod mentions;
mod shell;
mod signed;
mod words;

use std::collections::HashMap;
use std::ops::Range;

use super::Notes;
use super::lines::{Lines, blank, malformed, quote};
use super::whole_file::Block;
use super::{names, seen};
use crate::fence::Fence;
use alternatives::{Weight, taken_back};
use blocks::{Around, Blocks, Verdict};
use guardhost_core::change::{Account, AccountPart, FilePatch, LineRole, NoPatch, NoPatchKind, RepoPath};
use guardhost_core::error::{Error, Result};
pub use mentions::Surroundings;
use signed::{Place, stray};
use words::Words;

pub(super) use calls::is_reader;

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

/// A line that looks like an edit, and what it looks like.
struct Rest {
    at: usize,
    why: String,
}

/// What is known besides the lines, when the account is closed.
pub(super) struct Closing<'c> {
    pub lines: &'c Lines<'c>,
    pub blocks: &'c [Block],
    /// The blocks that are edits, by their number.
    pub block_edits: &'c [usize],
    pub edits: &'c [&'c FilePatch],
    pub hints: &'c [RepoPath],
    pub files: &'c Surroundings<'c>,
    /// The whole text is an envelope: there is no prose in it.
    pub is_envelope: bool,
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

    /// Commands of a call at the line.
    pub fn run(&mut self, at: usize, commands: Vec<String>) {
        if !commands.is_empty() {
            self.commands.push((at, commands));
        }
    }

    /// The account, or the lines that nobody read.
    pub fn close(self, closing: &Closing, notes: &mut Notes) -> std::result::Result<Account, NoPatch> {
        let unreadable = |error: Error| NoPatch {
            kind: NoPatchKind::Malformed,
            message: format!("The files that the reply speaks of cannot be read: {error}"),
        };
        let total = closing.lines.len();
        let closer = Closer { open: &self, closing, rest: Vec::new(), parts: Vec::new() };
        let (rest, parts) = closer.run(notes).map_err(unreadable)?;
        if let Some(refusal) = refusal(rest, closing.lines) {
            return Err(refusal);
        }
        Account::closed(total, parts).ok_or_else(|| NoPatch {
            kind: NoPatchKind::Malformed,
            message: "The lines of the reply were not all accounted for. Send the patch alone.".into(),
        })
    }
}

fn refusal(mut rest: Vec<Rest>, lines: &Lines) -> Option<NoPatch> {
    rest.sort_by_key(|rest| rest.at);
    rest.dedup_by_key(|rest| rest.at);
    let first = rest.first()?;
    let others: Vec<String> = rest.iter().skip(1).take(OTHERS).map(|rest| (rest.at + 1).to_string()).collect();
    let more = if rest.len() > 1 + OTHERS { ", …" } else { "" };
    let others = match others.as_slice() {
        [] => String::new(),
        [one] => format!(" (line {one} too)"),
        some => format!(" (lines {}{more} too)", some.join(", ")),
    };
    let line = lines[first.at].trim_ascii();
    // The marks of a fence say nothing.
    let quoted = if Fence::open(line, 0).is_some() { String::new() } else { quote(line) + " " };
    let why = format_args!(
        "{quoted}{}{others}. Nothing was applied, since it may be a part of the change; send every change in one format, and only \
         those that are meant",
        first.why
    );
    Some(malformed(first.at, why))
}

/// Further lines that a message names.
const OTHERS: usize = 8;

struct Closer<'c> {
    open: &'c OpenAccount,
    closing: &'c Closing<'c>,
    rest: Vec<Rest>,
    parts: Vec<AccountPart>,
}

impl Closer<'_> {
    fn run(mut self, notes: &mut Notes) -> Result<(Vec<Rest>, Vec<AccountPart>)> {
        let blocks = Blocks {
            lines: self.closing.lines,
            files: self.closing.files,
            edits: self.closing.edits,
            hints: self.closing.hints,
        };
        let mut edit_of_block = 0;
        for (nth, (range, seen)) in self.open.runs.iter().enumerate() {
            self.closing.lines.watch().visit();
            let role = match seen {
                Seen::Edit { number, .. } => LineRole::Edit(*number),
                Seen::Frame => LineRole::Frame,
                Seen::Reading => LineRole::Reading,
                Seen::Block(number) => {
                    let block = &self.closing.blocks[*number];
                    if self.closing.block_edits.contains(number) {
                        edit_of_block += 1;
                        LineRole::Edit(edit_of_block - 1)
                    } else {
                        match blocks.judge(block, range.clone(), |at| self.around(at))? {
                            Verdict::Shown => {}
                            Verdict::Copy(path) => {
                                notes.add("extra-copy", format_args!("the reply also quotes {path}; the patch counts"))
                            }
                            Verdict::Rest(at, why) => self.leave(at, &why),
                        }
                        LineRole::Shown
                    }
                }
                Seen::Unread { is_fenced } => {
                    self.text(nth, range, *is_fenced, &blocks)?;
                    continue;
                }
            };
            self.part(range.clone(), role);
        }
        for (at, commands) in &self.open.commands {
            if calls::command_changes(commands, self.closing.files)? {
                self.leave(*at, "runs a command that changes files, and is not run here");
            }
        }
        self.take_back();
        Ok((self.rest, self.parts))
    }

    fn leave(&mut self, at: usize, why: &str) {
        self.rest.push(Rest { at, why: why.to_owned() });
    }

    fn part(&mut self, lines: Range<usize>, role: LineRole) {
        match self.parts.last_mut() {
            Some(last) if last.role == role && last.lines.end == lines.start => last.lines.end = lines.end,
            _ if lines.is_empty() => {}
            _ => self.parts.push(AccountPart { lines, role }),
        }
    }

    fn around(&self, at: usize) -> Around {
        let nth = self.open.runs.partition_point(|(range, _)| range.end <= at);
        match self.open.runs.get(nth) {
            Some((_, Seen::Unread { .. })) => Around::Prose,
            Some(_) if self.is_edit(nth) => Around::Edit,
            Some(_) | None => Around::Other,
        }
    }

    fn is_edit(&self, nth: usize) -> bool {
        match self.open.runs.get(nth) {
            Some((_, Seen::Edit { .. })) => true,
            Some((_, Seen::Block(number))) => self.closing.block_edits.contains(number),
            Some((_, Seen::Frame | Seen::Reading | Seen::Unread { .. })) | None => false,
        }
    }

    /// Whether an edit lies between the lines.
    fn holds_edit(&self, from: usize, to: usize) -> bool {
        let first = self.open.runs.partition_point(|(range, _)| range.end <= from);
        (first..self.open.runs.len()).take_while(|nth| self.open.runs[*nth].0.start <= to).any(|nth| self.is_edit(nth))
    }

    /// Whether the line stands above an edit and has no other name than its.
    fn is_name_of_edit(&self, at: usize) -> bool {
        let line = self.closing.lines[at];
        let Some(nth) = self.edit_below(at).filter(|_| !line.trim_ascii_end().ends_with(b"/>")) else { return false };
        let edit = match &self.open.runs[nth].1 {
            Seen::Edit { number, .. } => self.closing.edits.get(*number).map(|edit| &edit.path),
            Seen::Block(number) => self.closing.blocks[*number].path.as_ref(),
            Seen::Frame | Seen::Reading | Seen::Unread { .. } => None,
        };
        let named = names::in_tag(line).or_else(|| names::in_element(line));
        named.is_none_or(|named| edit.is_some_and(|edit| edit.file_name() == named.file_name()))
    }

    /// Whether only names, tags and fences stand between the line and the edit below it.
    fn names_edit(&self, at: usize) -> bool {
        self.edit_below(at).is_some()
    }

    /// The run of the edit below the line, if only names, tags and fences stand between them.
    fn edit_below(&self, at: usize) -> Option<usize> {
        let lines = self.closing.lines;
        for next in (at + 1..lines.len()).take(FRAME) {
            let nth = self.open.runs.partition_point(|(range, _)| range.end <= next);
            if self.is_edit(nth) {
                return Some(nth);
            }
            let is_frame = matches!(self.open.runs.get(nth), Some((_, Seen::Frame)));
            if !(is_frame || blank(lines[next]) || names::is_frame(lines[next])) {
                return None;
            }
        }
        None
    }

    /// Text that no parser has taken.
    fn text(&mut self, nth: usize, range: &Range<usize>, is_fenced: bool, blocks: &Blocks) -> Result<()> {
        let lines = self.closing.lines;
        let text = &lines[range.clone()];
        let above = nth.checked_sub(1).and_then(|above| self.open.runs.get(above));
        let place = match above {
            _ if is_fenced || self.closing.is_envelope => Place::Envelope,
            Some((_, Seen::Edit { is_diff: true, .. })) => Place::BelowHunk,
            _ => Place::Elsewhere,
        };
        for at in stray(text, place) {
            self.leave(range.start + at, "belongs to no hunk");
        }
        if let Some((at, form)) = seen::edit_in(text) {
            self.leave(range.start + at, &format!("begins {form}, which is not read here"));
        }
        if !is_fenced {
            let words = Words { lines, files: self.closing.files, blocks };
            for (at, why) in words.edits_in(range, |at| names::is_frame(lines[at]) && self.edit_below(at).is_some())? {
                self.leave(at, why);
            }
        }
        let mut at = range.start;
        let mut from = at;
        while at < range.end {
            let found = calls::at(lines, at, self.closing.files, |from, to, is_name| {
                self.holds_edit(from, to) || is_name && self.is_name_of_edit(to)
            })?;
            match found {
                calls::Found::Nothing => at += 1,
                calls::Found::Change(why) => {
                    self.leave(at, &why);
                    at += 1;
                }
                calls::Found::Reading(next) => {
                    let next = next.clamp(at + 1, range.end);
                    self.prose(from..at);
                    self.part(at..next, LineRole::Reading);
                    (at, from) = (next, next);
                }
            }
        }
        self.prose(from..range.end);
        Ok(())
    }

    /// Prose, of which the last lines may be the name of the edit below.
    fn prose(&mut self, range: Range<usize>) {
        let lines = self.closing.lines;
        let is_frame = |at: &usize| blank(lines[*at]) || names::is_frame(lines[*at]);
        let frame =
            range.clone().rev().take(FRAME).take_while(is_frame).last().filter(|_| self.names_edit(range.end - 1));
        let split = frame.unwrap_or(range.end);
        // Between the markers no prose is left.
        let role = if self.closing.is_envelope { LineRole::Outside } else { LineRole::Prose };
        self.part(range.start..split, role);
        self.part(split..range.end, LineRole::Frame);
    }

    /// Words between two edits, or around them, that take one back.
    fn take_back(&mut self) {
        let lines = self.closing.lines;
        let is_text = |range: &Range<usize>| lines[range.clone()].iter().any(|line| !blank(line));
        // Edits with text between them are patches of their own.
        let mut patches = 0;
        let mut is_open = false;
        for (nth, (range, seen)) in self.open.runs.iter().enumerate() {
            match seen {
                _ if self.is_edit(nth) => {
                    patches += usize::from(!is_open);
                    is_open = true;
                }
                Seen::Unread { .. } if is_text(range) => is_open = false,
                _ => {}
            }
        }
        let least = if patches < 2 { Weight::Any } else { Weight::OneOfSeveral };
        let unread = self.open.runs.iter().filter(|(_, seen)| matches!(seen, Seen::Unread { is_fenced: false }));
        let retracted: Vec<usize> =
            unread.filter_map(|(range, _)| Some(range.start + taken_back(&lines[range.clone()], least)?)).collect();
        for at in retracted {
            self.leave(at, "may take a patch of this reply back; send only the final one");
        }
        self.drafts();
    }

    /// A tag around one patch, beside another patch: a draft, or thinking.
    fn drafts(&mut self) {
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
            if inside > 0 && !edits.iter().all(in_same) {
                self.leave(open, "holds a patch beside another patch, and may be a draft; send only the final one");
            }
        }
    }
}

/// Lines that the name of an edit may be above it, with tags and fences between.
const FRAME: usize = 8;

/// Tags around edits that are compared. A reply of a model has a few.
const TAGS: usize = 500;

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
