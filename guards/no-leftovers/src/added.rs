//! The lines that the change brings into one file, and which of them begin in code.

use std::cell::OnceCell;

use guard_sdk::File;

use crate::place::{self, Kind};

/// Bytes of the longest line that a person writes.
const LONGEST: usize = 2_000;

pub struct Added<'t> {
    pub file: File<'t>,
    pub kind: Kind,
    /// Of the candidate's file, without their line endings.
    pub lines: Vec<&'t str>,
    /// Index in `lines`, in order.
    pub new: Vec<usize>,
    text: &'t str,
    in_code: OnceCell<Option<Vec<bool>>>,
    before: OnceCell<String>,
}

impl<'t> Added<'t> {
    pub fn new(file: &File<'t>, text: &'t str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let new = file.changed_lines().into_iter().flatten().map(|line| line as usize - 1);
        let new = new.filter(|line| *line < lines.len()).collect();
        // Lines that no one writes by hand, and most of the file: a tool makes it, and its text may be anything.
        let is_made =
            lines.iter().filter(|line| line.len() > LONGEST).map(|line| line.len()).sum::<usize>() * 2 > text.len();
        let kind = if is_made { Kind::Open } else { place::kind(file.path()) };
        Added { file: *file, kind, lines, new, text, in_code: OnceCell::new(), before: OnceCell::new() }
    }

    pub fn path(&self) -> &'t str {
        self.file.path()
    }

    /// The base's text; empty when there is none.
    pub fn before(&self) -> &str {
        self.before.get_or_init(|| match self.file.before().is_regular() {
            true => self.file.before().text().unwrap_or_default(),
            false => String::new(),
        })
    }

    /// Added lines with their numbers from 0.
    pub fn new_lines(&self) -> impl Iterator<Item = (usize, &'t str)> {
        self.new.iter().map(|line| (*line, self.lines[*line]))
    }

    /// Whether the line begins in code, for certain: not in a string, not in a comment that a line above opened. Of a document:
    /// outside of its fenced code.
    pub fn is_in_code(&self, line: usize) -> bool {
        let known = self.in_code.get_or_init(|| match self.kind {
            Kind::Code(language) => lexing::lines_in_code(self.text, language),
            Kind::Document => Some(outside_of_fences(&self.lines)),
            Kind::Open => None,
        });
        known.as_ref().is_some_and(|lines| lines[line])
    }

    /// The nearest line above that is not blank.
    pub fn above(&self, line: usize) -> Option<&'t str> {
        self.lines[..line].iter().rev().take(50).find(|line| !line.trim().is_empty()).copied()
    }
}

fn outside_of_fences(lines: &[&str]) -> Vec<bool> {
    let mut fence: Option<&str> = None;
    let mut outside = Vec::with_capacity(lines.len());
    for line in lines {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        outside.push(fence.is_none() && !line.starts_with("    ") && !line.starts_with('\t'));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
    }
    outside
}

/// Runs of neighbouring lines, as first and last.
pub fn runs(lines: &[usize]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => runs.push((*line, *line)),
        }
    }
    runs
}
