//! The answers to questions about modules and languages, by readers that run natively.

use guard_files::Kind;

use super::source::{Source, decode, is_file};
use crate::Side;
use crate::language::{self, Claim, Language, Names, Outline, Problem, Questions, Reader, Reading, Unread};
use crate::modules::{Call, Function, Imported, Offered, Unknown};

/// A language component, as the host would run it.
pub struct TextReader {
    claims: fn() -> Vec<Claim>,
    read: fn(language::Source, Questions) -> Reading,
}

const NONE: Questions = Questions { problems: false, outline: false, surface: false, signatures: false, names: false };
const ALL: Questions = Questions { problems: true, outline: true, surface: true, signatures: true, names: true };
const PROBLEMS: Questions = Questions { problems: true, ..NONE };
const OUTLINE: Questions = Questions { outline: true, ..NONE };
const NAMES: Questions = Questions { names: true, ..NONE };
const SIGNATURES: Questions = Questions { signatures: true, ..NONE };

/// Whether one of the questions is answered.
fn answers(has: Questions, wanted: Questions) -> bool {
    (has.problems && wanted.problems)
        || (has.outline && wanted.outline)
        || (has.surface && wanted.surface)
        || (has.signatures && wanted.signatures)
        || (has.names && wanted.names)
}

impl TextReader {
    pub const fn new<R: Reader>() -> TextReader {
        TextReader { claims: R::claims, read: R::read }
    }

    /// The claim on a file of that name, and what follows the first dot of the name. None: it is no file of this reader.
    fn claim(&self, path: &str, wanted: Questions) -> Option<(Claim, String)> {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let dialect = name.split_once('.').map_or("", |(_, dialect)| dialect).to_owned();
        let length = |claim: &Claim| {
            let whole = claim.names.contains(&name).then_some(usize::MAX);
            let ends = |ending: &&String| dialect == **ending || dialect.ends_with(&format!(".{ending}"));
            whole.or_else(|| claim.endings.iter().filter(ends).map(String::len).max())
        };
        let claims = (self.claims)().into_iter().filter(|claim| answers(claim.answers, wanted));
        let claims = claims.filter_map(|claim| Some((length(&claim)?, claim)));
        claims.max_by_key(|(length, _)| *length).map(|(_, claim)| (claim, dialect))
    }
}

/// Why the host would not answer.
enum NoAnswer {
    Absent,
    Unclaimed,
    NoText,
}

impl Source {
    pub fn language_of(&self, path: &str) -> Option<Language> {
        let has = |wanted| self.reader_of(path, wanted).is_some();
        let (has_syntax, has_outline) = (has(PROBLEMS), has(OUTLINE));
        let (has_names, has_signatures) = (has(NAMES), has(SIGNATURES));
        let (_, claim, _) = self.reader_of(path, PROBLEMS).or_else(|| self.reader_of(path, ALL))?;
        let Claim { language: name, endings, syntax, sleep_marks, error_marks, .. } = claim;
        Some(Language {
            name,
            endings,
            line_comments: syntax.line_comments,
            block_comments: syntax.block_comments,
            sleep_marks,
            error_marks,
            has_syntax,
            has_outline,
            has_names,
            has_signatures,
        })
    }

    pub fn problems_of(&self, side: Side, path: &str) -> Result<Vec<Problem>, language::Unknown> {
        let reading = self.read(side, path, PROBLEMS);
        answer(reading.map(|reading| reading.problems))
    }

    pub fn problems_of_text(&self, path: &str, text: &str) -> Result<Vec<Problem>, language::Unknown> {
        let reading = self.read_text(path, text.to_owned(), PROBLEMS);
        answer(reading.map(|reading| reading.problems))
    }

    pub fn outline_of(&self, side: Side, path: &str) -> Result<Outline, language::Unknown> {
        answer(self.read(side, path, OUTLINE).map(|reading| reading.outline))
    }

    pub fn names_of(&self, side: Side, path: &str) -> Result<Names, language::Unknown> {
        answer(self.read(side, path, NAMES).map(|reading| reading.names))
    }

    pub fn imports(&self, side: Side, path: &str) -> Result<Vec<Imported>, Unknown> {
        let reading = self.read(side, path, Questions { surface: true, ..NONE });
        module(reading.map(|reading| reading.surface)).map(|surface| surface.imports)
    }

    pub fn offers(&self, side: Side, path: &str) -> Result<Offered, Unknown> {
        let reading = self.read(side, path, Questions { surface: true, ..NONE });
        module(reading.map(|reading| reading.surface)).map(|surface| surface.offered)
    }

    pub fn functions(&self, side: Side, path: &str) -> Result<Vec<Function>, Unknown> {
        let reading = self.read(side, path, SIGNATURES);
        module(reading.map(|reading| reading.signatures)).map(|signatures| signatures.functions)
    }

    pub fn calls(&self, side: Side, path: &str) -> Result<Vec<Call>, Unknown> {
        let reading = self.read(side, path, SIGNATURES);
        module(reading.map(|reading| reading.signatures)).map(|signatures| signatures.calls)
    }

    fn reader_of(&self, path: &str, wanted: Questions) -> Option<(&'static TextReader, Claim, String)> {
        assert!(
            !self.case.readers.is_empty(),
            "the guard asks for `modules` or `language`: run its cases with `guard_sdk::testing::cases_with`"
        );
        self.case.readers.iter().find_map(|reader| {
            let (claim, dialect) = reader.claim(path, wanted)?;
            Some((reader, claim, dialect))
        })
    }

    /// As the host does: only of regular files.
    fn read(&self, side: Side, path: &str, wanted: Questions) -> Result<Reading, NoAnswer> {
        let (mode, content) = self.case.tree(side).get(path).ok_or(NoAnswer::Absent)?;
        if !is_file(*mode) {
            return Err(NoAnswer::Absent);
        }
        let text = decode(content.clone()).map_err(|_| NoAnswer::NoText)?;
        self.read_text(path, text, wanted)
    }

    fn read_text(&self, path: &str, text: String, wanted: Questions) -> Result<Reading, NoAnswer> {
        let (reader, claim, dialect) = self.reader_of(path, wanted).ok_or(NoAnswer::Unclaimed)?;
        let is_test = super::kind_of(path) == Kind::Test;
        Ok((reader.read)(language::Source { language: claim.language, dialect, is_test, text }, wanted))
    }
}

fn answer<T>(reading: Result<Option<Result<T, Unread>>, NoAnswer>) -> Result<T, language::Unknown> {
    use language::Unknown;
    match reading {
        Ok(Some(Ok(answer))) => Ok(answer),
        Ok(Some(Err(Unread::Broken))) => Err(Unknown::Broken),
        Ok(Some(Err(Unread::TooDeep))) => Err(Unknown::TooDeep),
        Ok(Some(Err(Unread::Foreign(language)))) => Err(Unknown::Foreign(language)),
        Ok(Some(Err(Unread::Other(why)))) => Err(Unknown::Other(why)),
        Ok(Some(Err(Unread::Unsupported)) | None) | Err(NoAnswer::Unclaimed) => Err(Unknown::Unsupported),
        Err(NoAnswer::Absent) => Err(Unknown::Absent),
        Err(NoAnswer::NoText) => Err(Unknown::Unreadable("it is no text".into())),
    }
}

fn module<T>(reading: Result<Option<Result<T, Unread>>, NoAnswer>) -> Result<T, Unknown> {
    answer(reading).map_err(|unknown| match unknown {
        language::Unknown::Absent => Unknown::Absent,
        other => Unknown::Unreadable(format!("{other:?}")),
    })
}
