//! Lines that are told apart once, of which only those that are asked for are masked: most of a large text is nobody's concern.

use std::ops::RangeInclusive;

use guard_sdk::files::Language;
use guard_sdk::files::syntax::Open;

use crate::lines::{Lexer, Runs};
use crate::masked::{Line, parts_of};

/// The lines of a text, of which none ends in a string or a comment.
pub struct Lines<'t> {
    lexer: Lexer,
    all: Vec<(&'t str, bool)>,
}

/// A line on the way through the text.
pub struct Told<'l, 't> {
    /// From 1.
    pub number: u32,
    pub text: &'t str,
    pub begins_in_code: bool,
    runs: &'l Runs,
}

impl<'t> Told<'_, 't> {
    pub fn masked(&self) -> Line<'t> {
        let (code, comment) = parts_of(self.text, self.runs);
        Line { number: self.number, text: self.text, code, comment, begins_in_code: self.begins_in_code }
    }

    /// The parts that belong to code.
    pub fn code(&self) -> impl Iterator<Item = &'t [u8]> {
        let (bytes, mut from) = (self.text.as_bytes(), 0);
        let ends = self.runs.iter().map(|(range, _)| range.clone()).chain([bytes.len()..bytes.len()]);
        ends.map(move |run| &bytes[std::mem::replace(&mut from, run.end)..run.start])
    }
}

impl<'t> Lines<'t> {
    /// None as [`masked`](crate::masked).
    pub fn read(text: &'t str, language: Language) -> Option<Self> {
        Self::read_each(text, language, |_| {})
    }

    /// Shows each line on the way, also where the text turns out to be misread.
    pub fn read_each(text: &'t str, language: Language, mut each: impl FnMut(Told<'_, 't>)) -> Option<Self> {
        let lexer = Lexer::of_language(language)?;
        let (mut open, mut runs, mut all) = (Open::Code, Runs::new(), Vec::new());
        for (number, text) in (1..).zip(text.lines()) {
            let begins_in_code = open == Open::Code;
            lexer.runs(&mut open, text, &mut runs);
            all.push((text, begins_in_code));
            each(Told { number, text, begins_in_code, runs: &runs });
        }
        lexer.may_end(&open).then_some(Lines { lexer, all })
    }

    pub fn count(&self) -> u32 {
        self.all.len() as u32
    }

    /// The line of that number, and whether it begins in code.
    pub fn line(&self, number: u32) -> Option<(&'t str, bool)> {
        self.all.get((number as usize).checked_sub(1)?).copied()
    }

    /// Those of the numbers that the text has.
    pub fn masked(&self, numbers: RangeInclusive<u32>) -> Vec<Line<'t>> {
        let (first, last) = ((*numbers.start()).max(1), (*numbers.end()).min(self.count()));
        // What is open there, a line above that begins in code tells.
        let begins = |number: &u32| self.line(*number).is_some_and(|(_, begins)| begins);
        let from = (1..=first).rev().find(begins).unwrap_or(1);
        let (mut open, mut runs, mut lines) = (Open::Code, Runs::new(), Vec::new());
        for number in from..=last {
            let Some((text, begins_in_code)) = self.line(number) else { break };
            self.lexer.runs(&mut open, text, &mut runs);
            if number >= first {
                lines.push(Told { number, text, begins_in_code, runs: &runs }.masked());
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use crate::masked;
    use guard_sdk::files::Language;

    #[test]
    fn a_part_is_masked_as_in_the_whole() {
        let text = "a = \"x\" # y\nb = \"\"\"\none # two\n\"\"\"\nc('#')\n";
        let whole = masked(text, Language::Python).unwrap();
        let lines = Lines::read(text, Language::Python).unwrap();
        for first in 0..=6 {
            for last in 0..=7 {
                let part: Vec<_> = whole.iter().filter(|line| (first..=last).contains(&line.number)).cloned().collect();
                assert_eq!(lines.masked(first..=last), part, "{first} to {last}");
            }
        }
        assert!(Lines::read("x = \"\"\"\n", Language::Python).is_none());
    }
}
