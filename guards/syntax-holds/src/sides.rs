//! A touched file as this guard reads it.

use std::cell::RefCell;
use std::ops::Range;

use guard_sdk::language::{Problem, Unknown};
use guard_sdk::{Change, Edit, Finding, Side};

/// Both sides of a file that is in the candidate, decoded.
pub struct Sides<'t> {
    pub change: &'t Change,
    pub path: &'t str,
    /// Its path and text in the base; none when it is added.
    pub before: Option<(&'t str, &'t str)>,
    pub after: &'t str,
    /// Bytes of the candidate's file before `after` begins, those of a byte order mark. None when the bytes are not those of
    /// `after` at all: then no edit can be told.
    pub mark: Option<usize>,
    /// Why a text that matters was read by nobody: this guard has not judged it then.
    pub failure: RefCell<Option<String>>,
}

/// A text of the file.
#[derive(Clone, Copy)]
pub enum Piece<'p> {
    Before,
    After,
    /// What it would be otherwise.
    Altered(&'p str),
}

impl Sides<'_> {
    /// Empty for the base of a file that is added.
    pub fn text<'s>(&'s self, piece: Piece<'s>) -> &'s str {
        match piece {
            Piece::Before => self.before.map_or("", |(_, text)| text),
            Piece::After => self.after,
            Piece::Altered(text) => text,
        }
    }

    /// What the host's component says of it, for a language.
    pub fn problems(&self, piece: Piece) -> Result<Vec<Problem>, Unknown> {
        let problems = match piece {
            Piece::Before => {
                let path = self.before.map_or(self.path, |(path, _)| path);
                self.change.languages(Side::Before).problems(path)
            }
            Piece::After => self.change.languages(Side::After).problems(self.path),
            Piece::Altered(text) => self.change.languages(Side::After).problems_of_text(self.path, text),
        };
        if let Err(Unknown::Failed(why) | Unknown::Other(why)) = &problems {
            self.failure.replace(Some(why.clone()));
        }
        if matches!(problems, Err(Unknown::BeyondLimit | Unknown::NotGranted)) {
            self.failure.replace(Some("it is more than one call may have read".to_owned()));
        }
        problems
    }

    /// A finding with the remedy of deleting these bytes of `after`.
    pub fn deleting(&self, finding: Finding, title: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> Finding {
        let Some(mark) = self.mark else { return finding };
        let edit = |range: Range<usize>| Edit::replace(self.path, range.start + mark..range.end + mark, "");
        finding.fix(title, ranges.into_iter().filter(|range| !range.is_empty()).map(edit).collect())
    }
}
