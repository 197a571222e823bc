//! Both sides of a file.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

use guard_generated::is_generated;
use guard_sdk::language::{Names, Unknown};
use guard_sdk::{Change, File, Side, Status, log};

pub struct Sides<'c> {
    pub change: &'c Change,
    pub path: &'c str,
    /// None for a file that is new, or that was in no language whose names are known.
    old_path: Option<&'c str>,
    file: File<'c>,
    /// Runs of lines that the change writes.
    changed: OnceCell<Vec<RangeInclusive<u32>>>,
    texts: OnceCell<(String, String)>,
}

/// Why nothing is said of a file.
pub enum NotJudged {
    /// What it uses and binds is not known.
    Unknown,
    BeyondLimit,
    /// How its reader failed on it.
    Failed(String),
}

impl<'c> Sides<'c> {
    pub fn new(change: &'c Change, file: File<'c>) -> Self {
        let old_path = file.old_path().unwrap_or(file.path());
        let had = file.before().is_regular()
            && file.status() != Status::Added
            && change.languages(Side::Before).language(old_path).is_some_and(|language| language.has_names);
        let (changed, texts) = Default::default();
        Sides { change, path: file.path(), old_path: had.then_some(old_path), file, changed, texts }
    }

    pub fn is_new(&self) -> bool {
        self.old_path.is_none()
    }

    pub fn after(&self) -> Result<Names, NotJudged> {
        names(self.change, Side::After, self.path)
    }

    /// Of a new file, nothing.
    pub fn before(&self) -> Result<Names, NotJudged> {
        self.old_path.map_or_else(|| Ok(Names::empty()), |old| names(self.change, Side::Before, old))
    }

    /// What a program wrote or bundled describes other code. A change does not say that of a file: the base has to say so too.
    pub fn is_generated(&self) -> bool {
        let (before, after) = self.texts();
        self.path.contains(".min.") || (is_generated(after) && (before.is_empty() || is_generated(before)))
    }

    /// Whether the base has the line. A comment for linters counts only there: a change does not silence what it writes.
    pub fn keeps(&self, line: u32) -> bool {
        let changed = self.changed.get_or_init(|| self.file.changed_lines());
        let next = changed.partition_point(|run| *run.end() < line);
        changed.get(next).is_none_or(|run| *run.start() > line)
    }

    /// Whether a line of the candidate was only moved: the base has it as often.
    pub fn moves(&self, line: u32) -> bool {
        let (before, after) = self.texts();
        let line = after.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default().trim();
        let count = |side: &str| side.lines().filter(|other| other.trim() == line).count();
        count(before) >= count(after)
    }

    /// Before and after; empty where there is none.
    fn texts(&self) -> &(String, String) {
        self.texts.get_or_init(|| {
            let before = self.old_path.and_then(|_| self.file.before().text().ok()).unwrap_or_default();
            (before, self.file.after().text().unwrap_or_default())
        })
    }
}

fn names(change: &Change, side: Side, path: &str) -> Result<Names, NotJudged> {
    let why = match change.languages(side).names(path) {
        Ok(names) => return Ok(names),
        Err(Unknown::BeyondLimit) => return Err(NotJudged::BeyondLimit),
        Err(Unknown::Failed(why)) => return Err(NotJudged::Failed(why)),
        Err(Unknown::Broken) => "it does not parse".to_owned(),
        Err(Unknown::TooDeep) => "it nests too deep".to_owned(),
        Err(Unknown::Foreign(language)) => format!("it is in {language}"),
        Err(Unknown::Unreadable(why) | Unknown::Other(why)) => why,
        Err(Unknown::Absent | Unknown::NotGranted | Unknown::Unsupported) => "it is not read".to_owned(),
    };
    log::info(format!("{path}: {why}"));
    Err(NotJudged::Unknown)
}
