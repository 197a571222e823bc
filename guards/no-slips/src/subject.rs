//! A file that is judged, and what is known of it.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

use guard_sdk::files::Language;
use guard_sdk::language::Outline;
use guard_sdk::text::lines_in;
use guard_sdk::{Change, File, Side, files};

use crate::blocks::Read;

pub struct Subject<'c> {
    pub change: &'c Change,
    pub file: File<'c>,
    pub language: Language,
    pub after: Text,
    /// Empty for a new file.
    pub before: Text,
    /// The runs of lines that the change writes, in order.
    new: Vec<RangeInclusive<u32>>,
    outlines: (OnceCell<Option<Outline>>, OnceCell<Option<Outline>>),
}

/// One side of the file.
pub struct Text(String);

impl Text {
    pub fn get(&self) -> &str {
        &self.0
    }
}

impl<'c> Subject<'c> {
    /// None for a language that no rule reads; an error says why the file cannot be judged.
    pub fn new(change: &'c Change, file: File<'c>) -> Result<Option<Self>, String> {
        use Language::{CSharp, Go, Java, JavaScript, Php, Python, Ruby, TypeScript};
        let Some(language) = files::Language::from_path(file.path()) else { return Ok(None) };
        if !matches!(language, Python | JavaScript | TypeScript | Go | Java | CSharp | Php | Ruby) {
            return Ok(None);
        }
        let Ok(after) = file.after().text() else { return Ok(None) };
        let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
        if guard_generated::is_generated(&after) || guard_generated::says_generated(&before) {
            return Err("a program wrote it".to_owned());
        }
        let subject = Subject {
            change,
            file,
            language,
            after: Text(after),
            before: Text(before),
            new: file.changed_lines(),
            outlines: Default::default(),
        };
        Ok(Some(subject))
    }

    pub fn path(&self) -> &'c str {
        self.file.path()
    }

    /// What the change touches of the candidate.
    pub fn read(&self) -> Read<'_> {
        Read::around(self.after.get(), self.language, &self.new)
    }

    /// All of the base.
    pub fn read_before(&self) -> Read<'_> {
        Read::whole(self.before.get(), self.language)
    }

    /// The lines that the change writes, in order.
    pub fn new_lines(&self) -> Vec<(u32, &str)> {
        let runs = self.new.iter().map(|run| (*run.start(), run.end() - run.start() + 1));
        lines_in(self.after.get(), runs)
    }

    /// Whether the change writes the line.
    pub fn is_new(&self, line: u32) -> bool {
        self.has_new(line, line)
    }

    pub fn has_new(&self, first: u32, last: u32) -> bool {
        let at = self.new.partition_point(|run| *run.end() < first);
        self.new.get(at).is_some_and(|run| *run.start() <= last)
    }

    /// None when the file was not read, or does not parse.
    pub fn outline(&self) -> Option<&Outline> {
        self.outlines.0.get_or_init(|| self.change.languages(Side::After).outline(self.path()).ok()).as_ref()
    }

    /// That of the base; None for a new file too.
    pub fn old_outline(&self) -> Option<&Outline> {
        let path = self.file.old_path().unwrap_or(self.path());
        let read = || match self.before.get().is_empty() {
            true => None,
            false => self.change.languages(Side::Before).outline(path).ok(),
        };
        self.outlines.1.get_or_init(read).as_ref()
    }
}
