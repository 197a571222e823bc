//! A touched file, as its lines and as its outlines.

use std::cell::OnceCell;
use std::ops::Range;

use guard_generated::is_generated;
use guard_sdk::{File, Hunk, Side};

use crate::effort::Effort;
use guard_sdk::files::Language;
use guard_sdk::language::{Definition, Outline};
use guard_sdk::text::{LineStarts as Starts, lines_in};

pub struct Touched<'c> {
    effort: &'c Effort<'c>,
    pub file: File<'c>,
    pub language: Option<Language>,
    /// Where it stood in the base.
    pub old_path: &'c str,
    pub lines: Lines,
    before: OnceCell<Option<Outline>>,
    after: OnceCell<Option<Outline>>,
    code: OnceCell<Lines>,
    starts_before: OnceCell<Starts>,
    starts_after: OnceCell<Starts>,
}

/// A file's text on both sides, and what differs.
pub struct Lines {
    pub before: String,
    /// Empty when the file is deleted.
    pub after: String,
    pub hunks: Vec<Hunk>,
}

impl<'c> Touched<'c> {
    /// None when there was nothing to lose, or when it cannot be read.
    pub fn new(file: File<'c>, effort: &'c Effort<'c>) -> Option<Self> {
        let old_path = file.old_path().unwrap_or(file.path());
        let language = effort.language(old_path)?;
        let regular = file.before().is_regular() && (file.after().is_regular() || !file.after().exists());
        if !regular || file.status() == guard_sdk::Status::Copied {
            return None;
        }
        let before = file.before().text().ok()?;
        if is_generated(&before) {
            return None;
        }
        let after = if file.after().exists() { file.after().text().ok()? } else { String::new() };
        let lines = Lines { before, after, hunks: file.hunks() };
        Some(Touched {
            effort,
            file,
            language,
            old_path,
            lines,
            before: OnceCell::new(),
            after: OnceCell::new(),
            code: OnceCell::new(),
            starts_before: OnceCell::new(),
            starts_after: OnceCell::new(),
        })
    }

    pub fn path(&self) -> &'c str {
        self.file.path()
    }

    pub fn is_deleted(&self) -> bool {
        !self.file.after().exists()
    }

    /// The change makes it look like what a program generated, so that no later change of it would be judged.
    pub fn looks_generated(&self) -> bool {
        is_generated(&self.lines.after)
    }

    /// Nothing stands any more where it stood.
    pub fn left(&self) -> bool {
        self.is_deleted() || self.old_path != self.path()
    }

    /// Whether the whole candidate may be searched for its sake.
    pub fn may_search(&self) -> bool {
        self.effort.search()
    }

    /// Whether both sides may be parsed, if they were not yet.
    pub fn is_worth(&self) -> bool {
        self.before.get().is_some() || self.effort.read(self.language, self.lines.before.len() + self.lines.after.len())
    }

    /// None when it cannot be parsed.
    pub fn before(&self) -> Option<&Outline> {
        self.before.get_or_init(|| self.effort.outline(Side::Before, self.old_path)).as_ref()
    }

    /// The same for the candidate; of a deleted file, an empty one.
    pub fn after(&self) -> Option<&Outline> {
        let read = || match self.effort.language(self.path()) {
            _ if self.is_deleted() => Some(Outline::empty()),
            // Whatever it is where it went, it is gone from where it stood.
            Some(_) => self
                .effort
                .outline(Side::After, self.path())
                .or_else(|| (self.old_path != self.path()).then(Outline::empty)),
            // A name by which nothing imports it: what it defined is gone.
            None => Some(Outline::empty()),
        };
        self.after.get_or_init(read).as_ref()
    }

    /// The lines without what no program runs: a test in a comment is no test.
    pub fn code(&self) -> &Lines {
        self.code.get_or_init(|| {
            let code = |outline: Option<&Outline>, text: &str| match outline {
                Some(outline) => outline.code(text),
                None => text.to_owned(),
            };
            let Lines { before, after, hunks } = &self.lines;
            Lines { before: code(self.before(), before), after: code(self.after(), after), hunks: hunks.clone() }
        })
    }

    /// The code of a definition of the base, as it stood there.
    pub fn text_before(&self, item: &Definition) -> &str {
        let text = &self.code().before;
        self.starts_before.get_or_init(|| Starts::new(text)).slice(text, (item.lines.first, item.lines.last))
    }

    /// That of one of the candidate.
    pub fn text_after(&self, item: &Definition) -> &str {
        let text = &self.code().after;
        self.starts_after.get_or_init(|| Starts::new(text)).slice(text, (item.lines.first, item.lines.last))
    }

    /// Where in the candidate a line of the base stands, or stood.
    pub fn place(&self, old: u32) -> u32 {
        if self.is_deleted() {
            return old;
        }
        let mut shift: i64 = 0;
        for hunk in &self.lines.hunks {
            if old < hunk.old_start || (old == hunk.old_start && hunk.old_lines == 0) {
                break;
            }
            if old < hunk.old_start + hunk.old_lines {
                return hunk.new_start.max(1);
            }
            shift += i64::from(hunk.new_lines) - i64::from(hunk.old_lines);
        }
        u32::try_from(i64::from(old) + shift).unwrap_or(1).max(1)
    }
}

impl Lines {
    /// Lines that the change brings in, numbered as in the candidate.
    pub fn added(&self) -> impl Iterator<Item = (u32, &str)> {
        lines_in(&self.after, self.hunks.iter().map(|hunk| (hunk.new_start, hunk.new_lines))).into_iter()
    }

    /// Lines that it takes away, numbered as in the base.
    pub fn removed(&self) -> impl Iterator<Item = (u32, &str)> {
        lines_in(&self.before, self.hunks.iter().map(|hunk| (hunk.old_start, hunk.old_lines))).into_iter()
    }

    /// Lines of the candidate that came where a line of the base stood; none when nothing came.
    pub fn came_for(&self, old: u32) -> Range<u32> {
        let held = self.hunks.iter().find(|hunk| (hunk.old_start..hunk.old_start + hunk.old_lines).contains(&old));
        held.map_or(0..0, |hunk| hunk.new_start..hunk.new_start + hunk.new_lines)
    }

    /// Whether lines went from between two braces, and nothing is left there.
    pub fn emptied(&self) -> bool {
        let places = self.hunks.iter().filter(|hunk| hunk.new_lines == 0 && hunk.new_start > 0);
        lines_in(&self.after, places.map(|hunk| (hunk.new_start, 2))).windows(2).any(|pair| {
            pair[0].0 + 1 == pair[1].0 && pair[0].1.trim().ends_with('{') && pair[1].1.trim().starts_with('}')
        })
    }
}
