//! A file in which a changed block stands twice: below its own heading, and as a copy below another one.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk, Line, letters, near_places};
use super::super::random::Random;
use super::pick;

/// The block that a commit changes, and its copy. Lines have no newline.
pub struct Pair {
    path: String,
    head: Vec<String>,
    /// From the heading to the end of the hunk.
    pub own: Vec<String>,
    pub copy: Vec<String>,
    tail: Vec<String>,
    is_copy_above: bool,
    /// Where the hunk begins, in lines below the heading.
    offset: usize,
    /// The hunk as the model writes it. Changed lines apply at `own`.
    pub hunk: Hunk,
}

impl Pair {
    pub fn new(source: &Source, random: &mut Random) -> Option<Self> {
        let edit = source.plain()?;
        let hunk = edit.hunks(3).into_iter().find(|hunk| hunk.lines.iter().any(|line| line.sign == '-'))?;
        let lines: Vec<String> = edit.before.lines().map(str::to_owned).collect();
        let (from, to) = (hunk.old - 1, hunk.old - 1 + hunk.count('-'));
        let is_heading =
            |at: &usize| lines[*at].starts_with(|first: char| first.is_ascii_alphabetic()) && letters(&lines[*at]) > 4;
        let start = (from.saturating_sub(60)..from).rev().find(is_heading)?;
        let mut copy = lines[start..to].to_vec();
        copy[0] = renamed(&copy[0])?;
        let times = |line: &String| lines.iter().filter(|other| *other == line).count();
        let is_telling = times(&lines[start]) == 1 && times(&copy[0]) == 0 && letters(&hunk.side('-').concat()) > 20;
        let pair = Pair {
            path: edit.path.clone(),
            head: lines[..start].to_vec(),
            own: lines[start..to].to_vec(),
            copy,
            tail: lines[to..].to_vec(),
            is_copy_above: random.below(2) == 0,
            offset: from - start,
            hunk: Hunk { heading: lines[start].clone(), ..hunk },
        };
        // No third place is like the two.
        (is_telling && near_places(&pair.edit().before, &pair.hunk.side('-'), 1) == 2).then_some(pair)
    }

    pub fn copy_below(mut self) -> Self {
        self.is_copy_above = false;
        self
    }

    /// The file with both blocks, changed at its own place only.
    pub fn edit(&self) -> Edit {
        self.edit_with(&self.applied(&self.own), &self.copy)
    }

    /// The file with both blocks, and what it becomes with these.
    pub fn edit_with(&self, own: &[String], copy: &[String]) -> Edit {
        Edit::new(&self.path, self.file(&self.own, &self.copy), self.file(own, copy))
    }

    fn file(&self, own: &[String], copy: &[String]) -> String {
        let gap = [String::new()];
        let (head, tail): (&[String], &[String]) = (&self.head, &self.tail);
        let parts = if self.is_copy_above { [head, copy, &gap, own, tail] } else { [head, own, tail, &gap, copy] };
        parts.concat().iter().map(|line| format!("{line}\n")).collect()
    }

    /// The block with the hunk's changed lines: removed and added ones as they are, context as the block has it.
    pub fn applied(&self, block: &[String]) -> Vec<String> {
        let mut made = block[..self.offset].to_vec();
        let mut at = self.offset;
        for line in &self.hunk.lines {
            match line.sign {
                '+' => made.push(line.text.clone()),
                '-' => at += 1,
                _ => {
                    made.push(block[at].clone());
                    at += 1;
                }
            }
        }
        made.extend_from_slice(&block[at..]);
        made
    }

    /// The line of a block where line `nth` of the hunk's old side stands.
    fn line(&self, nth: usize) -> usize {
        self.offset + self.hunk.lines[..nth].iter().filter(|line| line.sign != '+').count()
    }

    pub fn set_own(&mut self, nth: usize, text: String) {
        let at = self.line(nth);
        self.own[at] = text;
    }

    pub fn set_copy(&mut self, nth: usize, text: String) {
        let at = self.line(nth);
        self.copy[at] = text;
    }

    /// The copy reads otherwise in one context line, whose position in the hunk is returned.
    pub fn tell_apart(&mut self, random: &mut Random) -> Option<usize> {
        let nth = *pick(random, &self.hunk.positions(' ', |text| letters(text) > 6))?;
        let other = renamed(&self.hunk.lines[nth].text)?;
        self.set_copy(nth, other);
        Some(nth)
    }

    /// First line of the hunk's old side at its own place, from 1.
    pub fn own_number(&self) -> usize {
        self.head.len() + if self.is_copy_above { self.copy.len() + 1 } else { 0 } + self.offset + 1
    }

    pub fn copy_number(&self) -> usize {
        let below = if self.is_copy_above { 0 } else { self.own.len() + self.tail.len() + 1 };
        self.head.len() + below + self.offset + 1
    }

    /// A number that is far from both places.
    pub fn wrong_number(&self) -> Option<usize> {
        let all = self.head.len() + self.own.len() + self.tail.len() + self.copy.len();
        let far = |at: usize| self.own_number().abs_diff(at) > 20 && self.copy_number().abs_diff(at) > 20;
        [1, all, all + 60].into_iter().find(|at| far(*at))
    }

    /// The hunk below `@@` with a number, if any, and a heading.
    pub fn diff(&self, number: Option<usize>, heading: &str) -> String {
        let hunk = Hunk { heading: heading.to_owned(), ..self.hunk.clone() };
        let header = match number {
            Some(at) => Hunk { old: at, new: at, ..hunk.clone() }.header(),
            None => format!("@@ {heading}").trim_end().to_owned(),
        };
        format!("--- a/{0}\n+++ b/{0}\n{header}\n{1}", self.path, hunk.body())
    }

    /// A change of one line between the two blocks: the line's position in `tail` and a hunk for it, without a number.
    pub fn change_between(&mut self, random: &mut Random) -> Option<(usize, Hunk)> {
        let file = self.edit().before;
        let alone = |at: &usize| {
            *at + 2 < self.tail.len()
                && letters(&self.tail[*at]) > 8
                && file.lines().filter(|line| *line == self.tail[*at]).count() == 1
        };
        let all: Vec<usize> = (4..self.tail.len().saturating_sub(4)).filter(alone).collect();
        let at = *pick(random, &all)?;
        let context = |nth: usize| Line::new(' ', self.tail[nth].clone());
        let lines = vec![
            context(at - 1),
            Line::new('-', self.tail[at].clone()),
            Line::new('+', renamed(&self.tail[at])?),
            context(at + 1),
        ];
        Some((at, Hunk { old: 0, new: 0, heading: String::new(), lines }))
    }

    /// The file that has `text` in line `at` of what stands between the two blocks.
    pub fn with_between(&self, at: usize, text: &str) -> Edit {
        let after = self.edit();
        let mut tail = self.tail.clone();
        tail[at] = text.to_owned();
        let gap = [String::new()];
        let own = self.applied(&self.own);
        let parts = [&self.head[..], &own, &tail, &gap, &self.copy].concat();
        Edit { after: parts.iter().map(|line| format!("{line}\n")).collect(), ..after }
    }
}

/// The line with another second word, or another first one: `def user():` becomes `def twin_user():`.
pub fn renamed(text: &str) -> Option<String> {
    let starts = |at: &usize| {
        let before = text[..*at].chars().next_back();
        text[*at..].starts_with(|first: char| first.is_ascii_alphabetic())
            && before.is_none_or(|before| !before.is_ascii_alphanumeric() && before != '_')
    };
    let words: Vec<usize> = text.char_indices().map(|(at, _)| at).filter(starts).collect();
    let at = *words.get(1).or(words.first())?;
    Some(format!("{}twin_{}", &text[..at], &text[at..]))
}
