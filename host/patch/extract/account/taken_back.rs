//! Words between patches, or around them, that take one back.

use std::ops::Range;

use super::super::lines::{Lines, blank};
use super::super::names;
use super::Seen;
use super::additive::goes_on;
use super::alternatives::{Weight, taken_back};
use super::checklist::{open_task, unchecked};
use super::closer::Closer;
use super::contradicted::{Written, hunks};
use super::doubt::{asks_for_choice, describes, is_doubtful, judges, speaks_of_patch, strikes_out};
use super::elsewhere::as_words;
use super::foreign::{applies_on_condition, begins_condition, denies_at_the_end, finds_fault, holds_back};
use super::frames::is_reserved_subject;
use super::languages::is_unreadable;
use super::last_words::leaves_open;
use super::left_aside::{is_only, is_unneeded, leaves_out, stays};
use super::outcome::{is_failure, shows_another};
use super::parts::{leaves_a_part_open, singles_out_a_part};
use super::plan::{fewer_than_counted, missing_step};
use super::reserve::{Side, is_blind, is_reserved};
use super::second_thought::is_second_thought;
use super::standing::{has_verdict, is_mark, is_report, is_verdict};
use super::turns::{begins_turn, begins_turn_of_user};
use super::unfinished::{part_of_series, says_unfinished};
use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, RepoPath};

/// Parts of a series that a reply may say it has. More are the pages of something else.
const SERIES: usize = 50;

/// Words of a turn, its role among them, with which somebody says no more than thanks.
const THANKS: usize = 5;

/// A line above a patch that has more words than these describes what is repaired.
const LABEL: usize = 12;

impl Closer<'_> {
    /// Words between two patches, or around them, that take one back, judge it or offer it for choice.
    pub(super) fn find_taken_back(&mut self) {
        let lines = self.closing.lines;
        let patches = self.patches();
        let least = if patches.len() < 2 { Weight::Any } else { Weight::OneOfSeveral };
        let prose: Vec<(usize, Range<usize>)> = (self.open.runs.iter().enumerate())
            .filter(|(_, (_, seen))| matches!(seen, Seen::Unread { is_fenced: false }))
            .map(|(nth, (range, _))| (nth, range.clone()))
            .collect();
        for (_, range) in &prose {
            if let Some(at) = taken_back(&lines[range.clone()], least) {
                self.leave(range.start + at, "may take a patch of this reply back; send only the final one");
            } else if let Some(at) = range.clone().find(|&at| strikes_out(lines[at])) {
                self.leave(at, "strikes out what stands beside it; send only what is meant");
            } else if let Some(at) = says_unfinished(&lines[range.clone()]) {
                self.leave(range.start + at, "says that the change is not whole; send all of it in one reply");
            } else if let Some(at) = range.clone().find(|&at| self.leaves_a_file_out(at)) {
                self.leave(at, "may leave a file of this reply out; send only what is meant");
            }
        }
        self.find_reserves(&patches, &prose);
        self.find_failures(&prose);
        if let Some(last) = patches.last() {
            self.find_failing_tests(last.end);
        }
        if let [only] = patches.as_slice() {
            let below = prose.iter().flat_map(|(_, range)| range.clone()).filter(|at| *at >= only.end);
            if let Some(at) = below.into_iter().find(|at| self.strikes_out_a_file(*at)) {
                self.leave(at, "may take a part of the patch above back; send only what is meant");
            }
        }
        if patches.len() < 2 {
            return;
        }
        for (nth, range) in &prose {
            if let Some(at) = self.doubtful(*nth, range, &patches) {
                self.leave(
                    at,
                    "stands beside one of several patches, and leaves it open whether that is meant; send the patches that are \
                     meant, with nothing between them",
                );
            }
        }
    }

    /// Sentences above and below all patches that hold them back, correct them, or rule out what they write; and an introduction of
    /// something that does not come.
    fn find_reserves(&mut self, patches: &[Range<usize>], prose: &[(usize, Range<usize>)]) {
        let lines = self.closing.lines;
        let (Some(first), Some(last)) = (patches.first(), patches.last()) else { return };
        let written = Written::by(self.closing.edits);
        let text = || prose.iter().flat_map(|(_, range)| range.clone()).filter(|at| !blank(lines[*at]));
        let is_outside = |at: &usize| *at < first.start || *at >= last.end;
        if let Some(at) = text().filter(|at| *at >= last.end).find(|at| is_second_thought(lines[*at])) {
            self.leave(at, "corrects the patch above or takes it back; send it as it is meant");
        }
        let side = |at: usize| if at < first.start { Side::Above } else { Side::Below };
        let is_held = |at: usize| {
            let is_below = at >= last.end;
            let is_held = is_reserved(lines[at], side(at)) || holds_back(lines[at]) || applies_on_condition(lines[at]);
            is_held || is_below && finds_fault(lines[at]) || is_reserved_subject(lines[at])
        };
        if let Some(at) = text().find(|at| if is_outside(at) { is_held(*at) } else { holds_back(lines[*at]) }) {
            self.leave(at, "holds the patch back or doubts it; send it when it is meant");
        }
        if let Some(at) = text().find(|&at| is_unreadable(lines[at])) {
            self.leave(at, "is in a language that is not read here, and may be about the patch; send the patch alone");
        }
        let is_item =
            |at: usize| [&b"- "[..], b"* ", b"#"].iter().any(|mark| lines[at].trim_ascii_start().starts_with(mark));
        let goes_on = |at: usize| at > last.end && !blank(lines[at - 1]) && !is_item(at);
        let is_judged = |at: usize| has_verdict(lines[at], goes_on(at)) || is_mark(lines[at]);
        if let Some(at) = text().filter(|at| *at >= first.end).find(|&at| is_judged(at)) {
            self.leave(at, "says that the patch above is not in force; send only what is meant");
        }
        let has_parts = self.closing.edits.iter().map(|edit| hunks(&edit.op).len().max(1)).sum::<usize>() > 1;
        let below: Vec<usize> = text().filter(|at| has_parts && *at >= last.end).collect();
        let is_open = |at: &&usize| singles_out_a_part(lines[**at]);
        if let Some(at) = below.iter().find(is_open).copied().or_else(|| self.file_left_open(&below)) {
            self.leave(at, "may take a part of the patch above back; send only what is meant");
        }
        if let Some(at) = leaves_open(lines, text().filter(|at| *at >= last.end)) {
            self.leave(at, "leaves open whether the edit above is meant; say so, or send the one that is");
        }
        let above = text().filter(|at| *at < first.start && !names::is_frame(lines[*at])).last();
        let is_open = |at: &usize| {
            introduces(lines[*at]) && (begins_condition(lines[*at]) || denies_at_the_end(lines[*at]))
                || is_report(lines[*at])
                || is_verdict(lines[*at])
        };
        if let Some(at) = above.filter(is_open) {
            self.leave(at, "introduces a patch that may not be meant; send it when it is meant");
        }
        if let Some(at) = missing_step(lines, text().filter(|at| *at < last.start), |at| self.names_edit(at)) {
            self.leave(at, "is a step of which no edit stands below its number; send all of the change");
        }
        let edits = self.closing.edits.iter().map(|edit| hunks(&edit.op).len().max(1)).sum();
        let above = text().filter(|at| *at < first.start);
        if let Some(at) = fewer_than_counted(lines, above, edits).filter(|_| self.closing.is_sequence) {
            self.leave(
                at,
                "counts more changes than there are edits below; send all of them, each as an edit of its own",
            );
        }
        let gives_whole = self.closing.edits.iter().any(|edit| matches!(edit.op, FileOp::Write(_)));
        if let Some(at) = text().filter(|_| gives_whole).find(|&at| is_blind(lines[at])) {
            self.leave(at, "says that the file was not seen; ask for it, and send what changes");
        }
        if let Some(at) = text().find(|&at| written.is_ruled_out(lines[at]) || written.is_missed(lines[at])) {
            self.leave(at, "rules out what the patch writes; send the patch that is meant");
        }
        if let Some(at) = text().filter(|at| (first.end..last.start).contains(at)).find(|&at| begins_turn(lines[at])) {
            self.leave(at, "begins another turn of a conversation; send the one answer");
        }
        // What somebody is made to say below the answer may object to it.
        let turn = text().filter(|at| *at >= last.end).find(|&at| begins_turn(lines[at]));
        let is_thanks = |turn: usize| {
            let words = |at: usize| lines[at].split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
            text().filter(|at| *at >= turn).map(words).sum::<usize>() <= THANKS
        };
        let is_answered = |turn: &usize| begins_turn_of_user(lines[*turn]) && !is_thanks(*turn);
        let objection = turn.and_then(|turn| text().filter(|at| *at >= turn).find(|&at| is_doubtful(lines[at])));
        if let Some(at) = objection.or(turn.filter(is_answered)) {
            self.leave(at, "objects to the patch above; send the one answer that is meant");
        }
        let parts: Vec<(usize, (usize, usize))> =
            text().filter_map(|at| Some((at, part_of_series(lines[at])?))).filter(|(_, (part, _))| *part > 0).collect();
        if let Some((at, (_, of))) = parts.first()
            && let Some(missing) = (1..=*of).find(|part| parts.iter().all(|(_, (other, _))| other != part))
            && *of <= SERIES
        {
            self.leave(
                *at,
                &format!("heads one of {of} parts, of which part {missing} is not here; send all of it in one reply"),
            );
        }
        if let Some(at) = unchecked(lines, text().filter(|at| *at >= last.end)) {
            self.leave(at, "is not done, and items beside it are; send all of it in one reply");
        }
        if let Some(at) = unchecked(lines, text().filter(|at| *at < first.start)).filter(|at| self.names_file(*at)) {
            self.leave(at, "is a file that is not done, beside those that are; send all of it in one reply");
        }
        if let Some(at) = open_task(lines, last.end..lines.len()) {
            self.leave(at, "lists a task that is not done beside those that are; send all of it in one reply");
        }
        let end = text().last().filter(|at| *at >= last.end && (at + 1..lines.len()).all(|at| blank(lines[at])));
        if let Some(at) = end.filter(|&at| introduces(lines[at])) {
            self.leave(at, "introduces something that does not follow; send all of it in one reply");
        }
    }

    /// Whether the line names a file, if only with a name that edited ones have too.
    fn names_file(&self, at: usize) -> bool {
        self.closing.files.mentioned(self.closing.lines[at]).is_ok_and(|files| !files.is_empty())
    }

    /// Results of tools right below an edit that say that it was not made.
    fn find_failures(&mut self, prose: &[(usize, Range<usize>)]) {
        let lines = self.closing.lines;
        for (nth, range) in prose {
            let first = range.clone().find(|at| !blank(lines[*at])).filter(|_| self.touches_edit(*nth, false));
            if let Some(at) = first.filter(|&at| is_failure(lines[at])) {
                self.leave(at, "says that the edit above was not made; send the edits that are meant");
            } else if let Some(at) =
                first.filter(|_| self.edit_above(*nth).is_some_and(|edit| shows_another(&lines[range.clone()], edit)))
            {
                self.leave(at, "shows the file without the lines of the edit above; send the edits that are meant");
            }
        }
    }

    /// Whether the line doubts the patch and speaks of one of its files, where it has several, or says to leave that file out.
    fn strikes_out_a_file(&self, at: usize) -> bool {
        let line = self.closing.lines[at];
        let edits = self.closing.edits;
        let has_several = edits.iter().any(|edit| edit.path != edits[0].path);
        let doubts = || is_doubtful(line) && speaks_of_patch(line);
        has_several && doubts() && edits.iter().any(|edit| line.contains_str(edit.path.as_bytes()))
    }

    /// The line of a text that names some edited files and not the others, and does not tell what they are or what was done there. A text
    /// that names all of them sums up.
    fn file_left_open(&self, text: &[usize]) -> Option<usize> {
        let lines = self.closing.lines;
        let edits = self.closing.edits;
        let is_in_text = |edit: &&&FilePatch| text.iter().any(|at| lines[*at].contains_str(edit.path.file_name()));
        let named: Vec<[String; 2]> = edits.iter().filter(is_in_text).map(|edit| as_words(&edit.path)).collect();
        if named.is_empty() || named.len() == edits.len() {
            return None;
        }
        let is_named = |word: &str| named.iter().flatten().any(|name| name == word);
        text.iter().copied().find(|at| leaves_a_part_open(lines[*at], is_named))
    }

    /// Whether the line asks to leave one of several edited files out, or to change one of them alone.
    fn leaves_a_file_out(&self, at: usize) -> bool {
        let line = self.closing.lines[at];
        let edits = self.closing.edits;
        if stays(line, |word| edits.iter().any(|edit| edit.path.as_bytes() == word.as_bytes())) {
            return true;
        }
        if !leaves_out(line) && !is_only(line) && !is_unneeded(line) {
            return false;
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/+@".contains(byte) || !byte.is_ascii();
        let words = || line.split(|byte| !is_part(byte)).map(|word| word.trim_end_with(|c| ".-".contains(c)));
        // A whole path means that file alone; a bare name, every file of it.
        let is_path = |edit: &&&FilePatch| words().any(|word| word == edit.path.as_bytes());
        let is_name = |edit: &&&FilePatch| words().any(|word| word == edit.path.file_name());
        let has_path = edits.iter().any(|edit| is_path(&edit));
        let is_named = |edit: &&&FilePatch| if has_path { is_path(edit) } else { is_name(edit) };
        // A bare name that several edited files have is one of them.
        let is_unclear = !has_path && edits.iter().any(|edit| edit.path != edits[0].path);
        edits.iter().any(|edit| is_named(&edit)) && (is_unclear || edits.iter().any(|edit| !is_named(&edit)))
    }

    /// The first line of the text that leaves a patch beside it open.
    fn doubtful(&self, nth: usize, range: &Range<usize>, patches: &[Range<usize>]) -> Option<usize> {
        let lines = self.closing.lines;
        let (first, last) = (patches.first()?, patches.last()?);
        if range.end <= first.start {
            // Beside the name of the file a line tells what changes there.
            let names_file =
                |at: usize| self.path_below(nth).is_some_and(|path| lines[at].contains_str(path.as_bytes()));
            let is_told = |at: usize| names_file(at) || describes(lines[at]);
            let doubts = |at: usize| if is_told(at) { judges(lines[at]) } else { is_doubtful(lines[at]) };
            return introduction(lines, range).filter(|&at| is_label(lines[at]) && doubts(at));
        }
        if range.start >= last.end {
            let asks = |at: &usize| asks_for_choice(lines[*at]) || speaks_of_patch(lines[*at]) && self.doubts(*at);
            return range.clone().find(asks);
        }
        let is_text = |at: &usize| !blank(lines[*at]) && !names::is_frame(lines[*at]);
        let paragraph = |at: &usize| !blank(lines[*at]);
        // What introduces something else, such as a quotation, is about that.
        let is_about_below = |at: usize| lines[at].trim_ascii_end().ends_with(b":");
        let (is_above, is_below) = (self.touches_edit(nth, false), self.touches_edit(nth, true));
        let upper = range.clone().skip_while(|at| !is_text(at)).take_while(paragraph).filter(|_| is_above);
        let lower = range.clone().rev().skip_while(|at| !is_text(at)).take_while(paragraph).filter(|_| is_below);
        let upper = upper.filter(|&at| is_below || !is_about_below(at));
        // A list tells what a change does.
        let is_list = |line: &[u8]| {
            let line = line.trim_ascii();
            (line.starts_with(b"- ") || line.starts_with(b"* ")) && !line.ends_with(b":")
        };
        let label = range.clone().rev().find(|at| is_text(at)).filter(|&at| is_below && is_short(lines[at]));
        let label = label.filter(|_| !self.is_repeated_below(nth));
        let label = label.filter(|&at| self.path_below(nth).is_some_and(|path| !goes_on(lines[at], path)));
        let label = label.filter(|_| !self.closing.is_sequence);
        upper.chain(lower).filter(|at| is_text(at) && !is_list(lines[*at])).find(|&at| self.doubts(at)).or(label)
    }

    /// Whether the line leaves a patch open. Where edits go on from one another, or the line tells what one does, only a judgement does.
    fn doubts(&self, at: usize) -> bool {
        let line = self.closing.lines[at];
        match self.closing.is_sequence || describes(line) {
            true => judges(line),
            false => is_doubtful(line),
        }
    }

    /// Whether the edit below the run says what another one above it does.
    fn is_repeated_below(&self, nth: usize) -> bool {
        let next = (nth + 1..self.open.runs.len()).find(|nth| self.is_edit(*nth));
        let Some((_, Seen::Edit { number, .. })) = next.and_then(|next| self.open.runs.get(next)) else { return false };
        let edits = self.closing.edits;
        edits.get(*number).is_some_and(|edit| edits.iter().take(*number).any(|other| other == edit))
    }

    /// The edit right above the run.
    fn edit_above(&self, nth: usize) -> Option<&FilePatch> {
        match self.open.runs.get(nth.checked_sub(1)?)? {
            (_, Seen::Edit { number, .. }) => self.closing.edits.get(*number).copied(),
            (_, Seen::Block(_) | Seen::Frame | Seen::Reading | Seen::Unread { .. }) => None,
        }
    }

    /// The file of the edit below the run.
    fn path_below(&self, nth: usize) -> Option<&RepoPath> {
        let next = (nth + 1..self.open.runs.len()).find(|nth| self.is_edit(*nth))?;
        match &self.open.runs[next].1 {
            Seen::Edit { number, .. } => self.closing.edits.get(*number).map(|edit| &edit.path),
            Seen::Block(number) => self.closing.blocks[*number].path.as_ref(),
            Seen::Frame | Seen::Reading | Seen::Unread { .. } => None,
        }
    }

    /// Whether the next run of lines, fences and tags aside, is an edit.
    fn touches_edit(&self, nth: usize, is_below: bool) -> bool {
        let is_frame = |nth: &usize| matches!(self.open.runs.get(*nth), Some((_, Seen::Frame)));
        let next = match is_below {
            true => (nth + 1..self.open.runs.len()).find(|nth| !is_frame(nth)),
            false => (0..nth).rev().find(|nth| !is_frame(nth)),
        };
        next.is_some_and(|nth| self.is_edit(nth))
    }

    /// The runs of edits: those with text between them are patches of their own.
    pub(super) fn patches(&self) -> Vec<Range<usize>> {
        let lines = self.closing.lines;
        let is_text = |range: &Range<usize>| lines[range.clone()].iter().any(|line| !blank(line));
        let mut patches: Vec<Range<usize>> = Vec::new();
        let mut is_open = false;
        for (nth, (range, seen)) in self.open.runs.iter().enumerate() {
            match (seen, patches.last_mut()) {
                (_, Some(last)) if is_open && self.is_edit(nth) => last.end = range.end,
                _ if self.is_edit(nth) => {
                    patches.push(range.clone());
                    is_open = true;
                }
                (Seen::Unread { .. }, _) if is_text(range) => is_open = false,
                _ => {}
            }
        }
        patches
    }
}

/// Whether the line ends as one does that introduces what is below it.
fn introduces(line: &[u8]) -> bool {
    let text = line.trim_ascii_end();
    text.ends_with(b":") || text.ends_with("：".as_bytes())
}

/// Whether the line has few words and is no sentence: a label, with a colon or without one.
fn is_short(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let words = text.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
    let is_sentence = [".", "!", "。", "．", "…"].iter().any(|end| text.ends_with(end.as_bytes()));
    let is_header = text
        .split(|byte| *byte == b':')
        .next()
        .is_some_and(|name| name.len() < text.len() - 1 && !name.contains(&b' '));
    let begins_word = text
        .iter()
        .find(|byte| !b"*#(_ ".contains(byte))
        .is_some_and(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    words <= LABEL && !is_sentence && !is_header && begins_word && !text.starts_with(b"#+") && !text.starts_with(b"* ")
}

/// Whether the line is a label: few words with a colon behind them, or a heading.
fn is_label(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let words = text.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
    words <= LABEL
        && (text.ends_with(b":") || text.ends_with(b":**") || text.starts_with(b"#") || text.ends_with("：".as_bytes()))
}

/// The last line of text above a patch that is not its name.
fn introduction(lines: &Lines, range: &Range<usize>) -> Option<usize> {
    range.clone().rev().find(|&at| !blank(lines[at]) && !names::is_frame(lines[at]))
}
