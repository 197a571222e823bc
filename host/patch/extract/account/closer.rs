//! Closes an account: gives every run of lines its part, and leaves what may be an edit as rest.

use std::ops::Range;

use super::super::lines::blank;
use super::super::{Notes, names, seen};
use super::around::FRAME;
use super::blocks::{BlockRole, Blocks};
use super::calls;
use super::refusal::Rest;
use super::shell;
use super::signed::{TextPosition, stray};
use super::words::Words;
use super::{Closing, Known, OpenAccount, Seen};
use crate::end_tokens::END_TOKENS;
use crate::quoted_printable;
use guardhost_core::change::{AccountPart, LineRole};
use guardhost_core::error::Result;

pub(super) struct Closer<'c> {
    pub(super) open: &'c OpenAccount,
    pub(super) closing: &'c Closing<'c>,
    rest: Vec<Rest>,
    parts: Vec<AccountPart>,
}

impl<'c> Closer<'c> {
    pub fn new(open: &'c OpenAccount, closing: &'c Closing<'c>) -> Self {
        Closer { open, closing, rest: Vec::new(), parts: Vec::new() }
    }

    pub fn run(mut self, notes: &mut Notes) -> Result<(Vec<Rest>, Vec<AccountPart>)> {
        let known = Known { files: self.closing.files, edits: self.closing.edits };
        let blocks =
            Blocks { lines: self.closing.lines, files: &known, edits: self.closing.edits, hints: self.closing.hints };
        // Beside edits in another format, those in blocks follow them.
        let mut edit_of_block = self.closing.edits.len() - self.closing.block_edits.len();
        let mut shown = Vec::new();
        for (nth, (range, seen)) in self.open.runs.iter().enumerate() {
            self.closing.lines.watch().visit();
            let role = match seen {
                Seen::Edit { number, .. } => {
                    if let Some(at) = self.ends_in_token(range) {
                        self.leave(at, "ends in a token of a chat template, which may be none of the file");
                    }
                    LineRole::Edit(*number)
                }
                Seen::Frame => LineRole::Frame,
                Seen::Reading => LineRole::Reading,
                Seen::Block(number) => {
                    let block = &self.closing.blocks[*number];
                    if self.closing.is_block_edit(*number) {
                        edit_of_block += 1;
                        LineRole::Edit(edit_of_block - 1)
                    } else {
                        match blocks.judge(block, range.clone(), |at| self.around(at))? {
                            BlockRole::Shown => {
                                shown.extend(
                                    Some(range.clone())
                                        .filter(|_| block.is_text() || !block.is_command() && !block.is_shown_only()),
                                );
                                LineRole::Shown
                            }
                            BlockRole::Copy(path) => {
                                notes.add("extra-copy", format_args!("the reply also quotes {path}; the patch counts"));
                                LineRole::Shown
                            }
                            BlockRole::Rest(at, why) => {
                                self.leave(at, &why);
                                LineRole::Rest
                            }
                        }
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
            if calls::command_changes(commands, &known)? {
                self.leave(*at, "runs a command that changes files, and is not run here");
            }
        }
        self.find_versions(&shown);
        self.find_other_numbers(&shown);
        self.find_variants(&shown, &blocks)?;
        self.find_requests()?;
        self.find_missing_of_stat();
        self.find_taken_back();
        self.find_drafts_in_tags();
        self.find_reserved_frames();
        Ok((self.rest, self.parts))
    }

    /// The last line of an edit, if a message of the model ends in it.
    fn ends_in_token(&self, range: &Range<usize>) -> Option<usize> {
        let last = range.clone().rev().find(|at| !blank(self.closing.lines[*at]))?;
        let line = self.closing.lines[last].trim_ascii_end();
        // Alone on its line it is what the edit adds.
        let has_token = |token: &&str| line.ends_with(token.as_bytes()) && line.len() > token.len() + 1;
        END_TOKENS.iter().any(has_token).then_some(last)
    }

    /// The line behind the last edit.
    pub(super) fn end_of_edits(&self) -> usize {
        let is_edit = |part: &&AccountPart| matches!(part.role, LineRole::Edit(_));
        self.parts.iter().filter(is_edit).map(|part| part.lines.end).max().unwrap_or_default()
    }

    pub(super) fn leave(&mut self, at: usize, why: &str) {
        self.rest.push(Rest { at, why: why.to_owned() });
    }

    fn part(&mut self, lines: Range<usize>, role: LineRole) {
        match self.parts.last_mut() {
            Some(last) if last.role == role && last.lines.end == lines.start => last.lines.end = lines.end,
            _ if lines.is_empty() => {}
            _ => self.parts.push(AccountPart { lines, role }),
        }
    }

    /// Text that no parser has taken.
    fn text(&mut self, nth: usize, range: &Range<usize>, is_fenced: bool, blocks: &Blocks) -> Result<()> {
        let lines = self.closing.lines;
        let text = &lines[range.clone()];
        let above = nth.checked_sub(1).and_then(|above| self.open.runs.get(above));
        let place = match above {
            _ if is_fenced || self.closing.is_envelope => TextPosition::Envelope,
            Some((_, Seen::Edit { is_diff: true, .. })) => TextPosition::BelowHunk,
            _ => TextPosition::Elsewhere,
        };
        for at in stray(text, place) {
            self.leave(range.start + at, "belongs to no hunk");
        }
        // What all lines below were encoded with has been undone, and its header is gone.
        if let Some(at) = text.iter().position(|line| line.trim_ascii().eq_ignore_ascii_case(quoted_printable::HEADER))
        {
            self.leave(range.start + at, "says that the text is encoded, and lines of it are not");
        }
        if let Some(at) = (0..text.len()).find(|at| seen::is_answer_at(text, *at)) {
            self.leave(range.start + at, "is the answer of an API, which may hold another patch");
        }
        if let Some((at, form)) = seen::edit_in(text) {
            self.leave(range.start + at, &format!("begins {form}, which is not read here"));
        }
        if is_fenced {
            // Commands below the text that one of them has applied.
            for at in shell::changes(text, blocks.files)? {
                self.leave(range.start + at, "changes files of the repository, and is not run here");
            }
        } else {
            let words = Words { lines, files: blocks.files, blocks };
            for (at, why) in words.edits_in(range, |at| names::is_frame(lines[at]) && self.edit_below(at).is_some())? {
                self.leave(at, why);
            }
        }
        let mut at = range.start;
        let mut from = at;
        while at < range.end {
            let found = calls::at(lines, at, blocks.files, |from, to, is_name| {
                self.holds_edit(from, to) || is_name && self.is_name_of_edit(to)
            })?;
            match found {
                calls::UnreadCall::Nothing => at += 1,
                calls::UnreadCall::Change(why) => {
                    self.leave(at, &why);
                    at += 1;
                }
                calls::UnreadCall::Reading(next) => {
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
}
