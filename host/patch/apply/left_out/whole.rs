//! A text in place of a whole file: what it leaves out, and whether it is one.

use std::collections::HashMap;

use super::filled::{filled, redefined, region};
use super::gap::{Gap, GapText};
use super::placeholder::{Shape, shape_in};
use super::words::says_that_lines_stay;
use super::{Checked, is_text, known, lines_of, shown, text};
use crate::apply::text::has_substance;
use guardhost_core::change::{Author, FileOp, FilePatch, RepoPath};

const ELIDED: &str = "stands for lines that are left out. Send the complete file, or a diff of what changes.";

/// Files of so few lines are replaced by anything.
const SMALL: usize = 3;

/// A file that does not exist: only what cannot be meant is an elision.
pub(super) fn new_file(content: &[u8], path: &RepoPath) -> Checked {
    let lines = lines_of(content);
    let kind = text::from_path(path, &lines);
    let elided = placeholders(&lines, true).find(|(at, shape)| {
        let (above, below) = around(&lines, *at);
        let is_example = text::is_example(lines[..*at].iter().rev().copied());
        let line = lines[*at];
        let gap = Gap {
            shape: *shape,
            line,
            above,
            below,
            is_example,
            removed: 0,
            added: 0,
            is_instead: false,
            text: GapText::NewFile,
        };
        gap.is_elision(kind)
    });
    elided.map_or(Checked::Kept, |(at, _)| Checked::left_out(None, lines[at], ELIDED))
}

/// The content that `file` writes over `base`.
pub(super) fn checked(content: &[u8], base: &[u8], file: &FilePatch) -> Checked {
    let (sent, old) = (lines_of(content), lines_of(base));
    let plain = without_name(content, &sent, &old, &file.path);
    let kept = plain.as_deref().unwrap_or(content);
    let new = lines_of(kept);
    let marks = elisions(&new, &old, &file.path);
    let text = |whole: Vec<&[u8]>| whole.iter().flat_map(|line| [line, &b"\n"[..]]).collect::<Vec<_>>().concat();
    if let Some(first) = marks.first() {
        let is_clear = marks.iter().all(|at| says_that_lines_stay(new[*at]));
        let whole = is_clear.then(|| filled(&new, &old, &marks)).flatten();
        // Where nothing else changes, the change is among the lines that were left out.
        let whole = whole.filter(|whole| *whole != old && missing(whole, &old).is_none());
        return match whole {
            Some(whole) => Checked::Changed(
                FileOp::Write(text(whole)),
                ("left-out", "marks between lines of the file stood for the lines between them, which were kept"),
            ),
            None => Checked::left_out(None, new[*first], ELIDED),
        };
    }
    if file.written_by == (Author::Model { says_whole: false })
        && let Some(message) = missing(&new, &old)
    {
        if !file.may_be_part {
            return Checked::Misfit { hunk: None, code: "not-whole", message };
        }
        let is_code = text::from_path(&file.path, &old) != text::TextKind::Prose;
        let ways = [region(&new, &old), if is_code { redefined(&new, &old) } else { None }];
        let mut ways = ways.into_iter().flatten().filter(|whole| *whole != old);
        return match (ways.next(), ways.next()) {
            (Some(whole), other) if other.as_ref().is_none_or(|other| *other == whole) => Checked::Changed(
                FileOp::Write(text(whole)),
                ("part", "the text is a part of the file, which has its first and last line, or its name, once"),
            ),
            _ => Checked::Misfit { hunk: None, code: "not-whole", message },
        };
    }
    match plain {
        Some(content) => Checked::Changed(
            FileOp::Write(content),
            ("name-line", "the first line named the file, which the file itself does not, and was left out"),
        ),
        None => Checked::Kept,
    }
}

fn placeholders<'l>(lines: &'l [&[u8]], is_ascii: bool) -> impl Iterator<Item = (usize, Shape)> + 'l {
    lines.iter().enumerate().filter_map(move |(at, line)| Some((at, shape_in(line, is_ascii)?)))
}

/// The nearest lines with text.
fn around<'a>(lines: &[&'a [u8]], at: usize) -> (Option<&'a [u8]>, Option<&'a [u8]>) {
    let text = |line: &&&[u8]| is_text(line);
    (lines[..at].iter().rev().take(5).find(text).copied(), lines[at + 1..].iter().take(5).find(text).copied())
}

/// The lines that stand for others, of those that the file does not have.
fn elisions(new: &[&[u8]], old: &[&[u8]], path: &RepoPath) -> Vec<usize> {
    let known = known(old);
    let is_ascii = old.iter().all(|line| line.is_ascii());
    let candidates: Vec<(usize, Shape)> =
        placeholders(new, is_ascii).filter(|(at, _)| !known.contains(new[*at].trim_ascii())).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let kind = text::from_path(path, old);
    let places = Places::new(new, old, is_ascii);
    let is_elision = |(at, shape): &&(usize, Shape)| {
        let (above, below) = around(new, *at);
        let (removed, added) = places.changed_at(*at);
        let is_example = text::is_example(new[..*at].iter().rev().copied());
        let line = new[*at];
        let gap = Gap {
            shape: *shape,
            line,
            above,
            below,
            is_example,
            removed,
            added,
            is_instead: false,
            text: GapText::WholeFile,
        };
        gap.is_elision(kind)
    };
    candidates.iter().filter(is_elision).map(|(at, _)| *at).collect()
}

/// Where the lines of a new text are in the old one, and how many lines are gone and new up to each line.
struct Places {
    /// For each new line: the nearest line at or above it that both texts have once, in the new and in the old text.
    above: Vec<Option<(usize, usize)>>,
    /// The same below.
    below: Vec<Option<(usize, usize)>>,
    /// Old lines above each old line that the new text does not have.
    removed: Vec<usize>,
    /// New lines above each new line that the old text does not have, placeholders not counted.
    added: Vec<usize>,
}

impl Places {
    fn new(new: &[&[u8]], old: &[&[u8]], is_ascii: bool) -> Self {
        // Of each line: how often it is in the old and in the new text, and its last place in the old one.
        let mut count: HashMap<&[u8], (usize, usize, usize)> = HashMap::new();
        for (at, line) in old.iter().enumerate() {
            let entry = count.entry(line.trim_ascii_end()).or_default();
            (entry.0, entry.2) = (entry.0 + 1, at);
        }
        for line in new {
            count.entry(line.trim_ascii_end()).or_default().1 += 1;
        }
        let counts = |line: &[u8]| count.get(line.trim_ascii_end()).copied().unwrap_or_default();
        let place = |at: usize| match counts(new[at]) {
            (1, 1, old) if is_text(&new[at]) => Some((at, old)),
            _ => None,
        };
        let keep_last = |last: &mut Option<(usize, usize)>, at: usize| {
            *last = place(at).or(*last);
            Some(*last)
        };
        let above = (0..new.len()).scan(None, keep_last).collect();
        let mut below: Vec<_> = (0..new.len()).rev().scan(None, keep_last).collect();
        below.reverse();
        let removed = sums(old, |line| counts(line).1 == 0);
        let added = sums(new, |line| counts(line).0 == 0 && shape_in(line, is_ascii).is_none());
        Places { above, below, removed, added }
    }

    /// Between the nearest lines around `at` that both texts have once: how many lines are gone and how many are new.
    fn changed_at(&self, at: usize) -> (usize, usize) {
        let (new_from, old_from) = self.above[at].map_or((0, 0), |(new, old)| (new + 1, old + 1));
        let (new_to, old_to) = self.below[at].unwrap_or((self.added.len() - 1, self.removed.len() - 1));
        let removed = self.removed[old_to.max(old_from)] - self.removed[old_from];
        (removed, self.added[new_to.max(new_from)] - self.added[new_from])
    }
}

/// For each line and for the end: how many lines with text above it are counted.
fn sums(lines: &[&[u8]], is_counted: impl Fn(&[u8]) -> bool) -> Vec<usize> {
    let mut sums = Vec::with_capacity(lines.len() + 1);
    let mut sum = 0;
    sums.push(sum);
    for line in lines {
        sum += usize::from(is_text(line) && is_counted(line));
        sums.push(sum);
    }
    sums
}

/// The content without a first line that is only a comment with the file's path, as models write it above an excerpt.
fn without_name(content: &[u8], new: &[&[u8]], old: &[&[u8]], path: &RepoPath) -> Option<Vec<u8>> {
    let first = new.first()?.trim_ascii();
    let marks = [&b"#"[..], b"//", b"<!--", b"--", b"/*", b";"];
    let inner = marks.iter().find_map(|mark| first.strip_prefix(*mark))?.trim_ascii();
    let inner = [&b"-->"[..], b"*/"].iter().find_map(|end| inner.strip_suffix(*end)).unwrap_or(inner).trim_ascii();
    let inner = [&b"File:"[..], b"file:", b"Path:", b"path:", b"filepath:", b"filename:"]
        .iter()
        .find_map(|key| inner.strip_prefix(*key))
        .unwrap_or(inner);
    if inner.trim_ascii() != path.as_bytes() || old.first().is_some_and(|line| line.trim_ascii() == first) {
        return None;
    }
    let end = content.iter().position(|byte| *byte == b'\n')? + 1;
    // A blank line below it belongs to it, if the file does not begin with one.
    let rest = &content[end..];
    let starts_blank = old.first().is_some_and(|line| !is_text(line));
    Some(rest.strip_prefix(b"\n").filter(|_| !starts_blank).unwrap_or(rest).to_vec())
}

/// Whether a quarter of the file, at its end, is gone without half as much in its place: the text may have been cut off there,
/// however much it adds above.
fn lacks_end(new: &[&[u8]], old: &[&[u8]]) -> bool {
    // Of each line with text: how often it is in the new text, and where it is last.
    let mut in_new: HashMap<&[u8], (usize, usize)> = HashMap::new();
    for (at, line) in new.iter().enumerate().filter(|(_, line)| is_text(line)) {
        let entry = in_new.entry(line.trim_ascii_end()).or_default();
        *entry = (entry.0 + 1, at);
    }
    let mut in_old: HashMap<&[u8], usize> = HashMap::new();
    old.iter().filter(|line| is_text(line)).for_each(|line| *in_old.entry(line.trim_ascii_end()).or_default() += 1);
    let texts = |lines: &[&[u8]]| lines.iter().filter(|line| is_text(line)).count();
    // The last line that both texts have once.
    let last = old.iter().enumerate().rev().find_map(|(at, line)| {
        let line = line.trim_ascii_end();
        let (count, place) = *in_new.get(line)?;
        (count == 1 && in_old.get(line) == Some(&1) && has_substance(line)).then_some((at, place))
    });
    let Some((in_old, in_new)) = last else { return false };
    let (gone, put) = (texts(&old[in_old + 1..]), texts(&new[in_new + 1..]));
    gone > (texts(old) / 4).max(8) && put * 2 < gone
}

/// The last line with text.
fn last_text<'l>(lines: &[&'l [u8]]) -> &'l [u8] {
    lines.iter().rev().find(|line| is_text(line)).map_or(b"", |line| line.trim_ascii_end())
}

/// Whether the text ends with the end of its outermost block: `end` in Ruby and Elixir, `}`.
fn closes_outermost(lines: &[&[u8]]) -> bool {
    [&b"end"[..], b"}", b"};", b"})", b"});", b")", b"]", b"fi", b"done", b"esac"].contains(&last_text(lines))
}

/// Whether the text ends inside a block: its last line has a margin.
fn ends_inside(lines: &[&[u8]]) -> bool {
    last_text(lines).first().is_some_and(|first| matches!(first, b' ' | b'\t'))
}

/// Why a text is no whole file, although it is given for one that exists.
fn missing(new: &[&[u8]], old: &[&[u8]]) -> Option<String> {
    let texts = |lines: &[&[u8]]| lines.iter().filter(|line| is_text(line)).count();
    let (new_texts, old_texts) = (texts(new), texts(old));
    if old_texts <= SMALL {
        return None;
    }
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    for line in new.iter().filter(|line| is_text(line)) {
        *counts.entry(line.trim_ascii_end()).or_default() += 1;
    }
    let mut take = |line: &&&[u8]| match counts.get_mut(line.trim_ascii_end()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let is_kept: Vec<bool> = old.iter().filter(|line| is_text(line)).map(|line| take(&line)).collect();
    let kept = is_kept.iter().filter(|kept| **kept).count();
    let lost = old_texts - kept;
    let head = is_kept.iter().take_while(|kept| !**kept).count();
    let tail = is_kept.iter().rev().take_while(|kept| !**kept).count();
    let old_set = known(old);
    let is_old = |line: &&&[u8]| old_set.contains(line.trim_ascii());
    let new_head = new.iter().filter(|line| is_text(line)).take_while(|line| !is_old(line)).count();
    let new_tail = new.iter().rev().filter(|line| is_text(line)).take_while(|line| !is_old(line)).count();
    let shrinks = old_texts.saturating_sub(new_texts) > (old_texts / 4).max(2);
    let is_middle = head > 2 && new_head == 0 && tail > 2 && new_tail == 0;
    let is_other = old_texts > 8 && kept * 4 < old_texts;
    let opens = |lines: &[&[u8]]| {
        let last = lines.iter().rev().find(|line| is_text(line)).map(|line| line.trim_ascii_end());
        last.is_some_and(|line| {
            line.ends_with(b"{") || line.ends_with(b"(") || line.ends_with(b"[") || line.ends_with(b",")
        })
    };
    // As bytes: a brace in a string counts too, but for both texts.
    let unclosed = |lines: &[&[u8]]| {
        let all = |brace: u8| lines.iter().flat_map(|line| line.iter()).filter(|byte| **byte == brace).count();
        all(b'{') as isize - all(b'}') as isize
    };
    // It ends where a block or a list begins or goes on.
    let breaks_off = opens(new) && !opens(old)
        || unclosed(old) == 0 && unclosed(new) > 0
        || closes_outermost(old) && ends_inside(new);
    (shrinks || is_middle || is_other || breaks_off || lacks_end(new, old)).then(|| {
        let first = old.iter().filter(|line| is_text(line)).zip(&is_kept).find(|(_, kept)| !**kept);
        let first = first.map(|(line, _)| shown(line)).unwrap_or_default();
        format!(
            "it is unclear whether the text is the whole file: {lost} of the file's {old_texts} lines with text are not in it, first \
             `{first}`. Send a diff of what changes, or say above the block that it is the complete file."
        )
    })
}
