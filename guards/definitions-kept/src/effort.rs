//! What one call may cost: a change of a thousand files is judged as far as that goes, and says so.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use guard_sdk::language::{Outline, Unknown};
use guard_sdk::{Change, Finding, Side, log};

use crate::language::language_of;
use guard_sdk::files::Language;

pub struct Effort<'c> {
    change: &'c Change,
    /// Why an outline that mattered was not had: this guard has not judged the change then.
    failure: RefCell<Option<String>>,
    /// Files whose outlines were more than one call may ask for.
    unread: RefCell<BTreeSet<String>>,
    searches: Cell<u32>,
    fuel: Cell<u64>,
    whole: u64,
}

impl<'c> Effort<'c> {
    /// Half of the fuel that a host gives for this change, since what a text costs is only about known. A search reads all files of a language; in
    /// the largest repositories known, eight stay far below what a host reads for one call.
    pub fn whole(change: &'c Change) -> Self {
        let whole = change.scaled(1_000_000_000);
        let (failure, unread) = (RefCell::default(), RefCell::default());
        Effort { change, failure, unread, searches: Cell::new(8), fuel: Cell::new(whole), whole }
    }

    /// Whether the whole candidate may be searched once more.
    pub fn search(&self) -> bool {
        let left = self.searches.get();
        self.searches.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether so many bytes may be parsed.
    pub fn read(&self, language: Option<Language>, bytes: usize) -> bool {
        self.spend(cost(language, bytes))
    }

    /// Whether so many bytes could be parsed if nothing else were read.
    pub fn could_read(&self, language: Option<Language>, bytes: usize) -> bool {
        cost(language, bytes) <= self.whole
    }

    pub fn language(&self, path: &str) -> Option<Option<Language>> {
        language_of(self.change, path)
    }

    /// What the host reads of a file. None when it does not parse.
    pub fn outline(&self, side: Side, path: &str) -> Option<Outline> {
        let why = match self.change.languages(side).outline(path) {
            Ok(outline) => return Some(outline),
            Err(Unknown::Failed(why)) => why,
            // A text that the grammar of its language does not know, as those of C and its macros: nothing of it is certain.
            Err(Unknown::Other(why)) => {
                log::info(format!("{path}: {why}"));
                return None;
            }
            Err(Unknown::BeyondLimit) => {
                self.unread.borrow_mut().insert(path.to_owned());
                return None;
            }
            Err(Unknown::Absent | Unknown::NotGranted | Unknown::Unsupported | Unknown::Broken) => return None,
            Err(Unknown::TooDeep | Unknown::Foreign(_) | Unknown::Unreadable(_)) => return None,
        };
        self.failure.borrow_mut().get_or_insert(format!("{path}: {why}"));
        None
    }

    /// What was not judged for want of an outline, said in one finding whatever their number.
    pub fn unread(&self) -> Option<Finding> {
        let unread = self.unread.borrow();
        let first = unread.first()?;
        let more = match unread.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more files"),
        };
        let message = format!("{first} was not judged{more}: the change is larger than one call can read");
        Some(Finding::info("not-judged", message).file(first))
    }

    pub fn failure(&self) -> Option<String> {
        self.failure.borrow().clone()
    }

    /// Whether so many bytes may be looked up among others.
    pub fn compare(&self, bytes: usize) -> bool {
        self.spend(bytes as u64 * 300)
    }

    /// Whether so many imports may be resolved, each against one file.
    pub fn resolve(&self, imports: usize) -> bool {
        self.spend(imports as u64 * 2_000)
    }

    fn spend(&self, cost: u64) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(cost));
        left >= cost
    }
}

/// Of parsing so many bytes, about.
fn cost(language: Option<Language>, bytes: usize) -> u64 {
    let each = match language {
        Some(Language::Python) => 800,
        Some(Language::JavaScript) => 500,
        _ => 2_000,
    };
    bytes as u64 * each
}
