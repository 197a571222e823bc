//! What guards may have read, and what it is charged: for `guardhost:language` and `guardhost:modules`.

use std::sync::Arc;

use git2::ObjectType;
use guard_files::Kind;

use crate::bindings::guardhost::guard::types::Side;
use crate::call::store_data::StoreData;
use crate::capability::repo::Lookup;
use crate::judge::change_view::ChangeView;
use crate::limits::{BLOB, GuardStop};
use crate::readers::{LONGEST, NoFacts, TextAnswers, TextQuestions, TextReading, TextSubject};
use guardhost_core::change::{FileMode, Oid, RepoPath, TreeEntry};

/// Which files a guard may ask about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    /// Those that its grant of `repo` shows.
    ByGrant,
    /// Also the touched files that it is called for.
    ByChange,
}

/// Why nothing is read, or nothing said.
pub(super) enum NoReading {
    Absent,
    NotGranted,
    BeyondLimit,
    /// No component answers this question of such a file.
    Unclaimed,
    TooLarge(String),
    NoFacts(NoFacts),
    NoGuard,
}

impl NoReading {
    pub(super) const NO_GUARD: &str = "no guard is called here";
}

impl StoreData {
    /// Part of the answers about a file. Whether it is charged does not depend on what is kept: the same call has the same answers
    /// everywhere.
    pub(super) fn facts_of<T>(
        &mut self,
        side: Side,
        path: &str,
        visible: Visible,
        question: TextQuestions,
        take: impl FnOnce(&TextAnswers) -> Option<Result<T, NoFacts>>,
    ) -> Result<Result<T, NoReading>, GuardStop> {
        match self.reading(side, path, visible, question)? {
            Ok(reading) => self.taken(&reading, take),
            Err(why) => Ok(Err(why)),
        }
    }

    /// The same of a text that stands nowhere.
    pub(super) fn facts_of_text<T>(
        &mut self,
        path: &str,
        text: String,
        question: TextQuestions,
        take: impl FnOnce(&TextAnswers) -> Option<Result<T, NoFacts>>,
    ) -> Result<Result<T, NoReading>, GuardStop> {
        let change = self.change()?;
        self.meter.bytes((path.len() + text.len()) as u64)?;
        let Some(readers) = change.readers()? else { return Ok(Err(NoReading::NoGuard)) };
        let claimed = readers.claim(path, question).or_else(|| readers.claim_by_first_line(&text, question));
        let Some((claimed, _)) = claimed else { return Ok(Err(NoReading::Unclaimed)) };
        self.record_language(readers.identity(&claimed));
        if !self.meter.may_index() {
            return Ok(Err(NoReading::BeyondLimit));
        }
        let blob = Oid::hash_object(ObjectType::Blob, text.as_bytes());
        let blob = blob.map_err(|error| GuardStop::Repository(format!("{error:#}")))?;
        let subject = TextSubject { claimed, wanted: question, blob, is_test: self.is_test(path) };
        let reading = readers.read(&subject, self.meter.watch().token(), || Ok(Ok(text.into())))?;
        self.meter.indexed(reading.fuel);
        self.taken(&reading, take)
    }

    fn taken<T>(
        &mut self,
        reading: &TextReading,
        take: impl FnOnce(&TextAnswers) -> Option<Result<T, NoFacts>>,
    ) -> Result<Result<T, NoReading>, GuardStop> {
        self.meter.bytes(reading.size)?;
        Ok(match take(&reading.answers) {
            Some(answer) => answer.map_err(NoReading::NoFacts),
            None => Err(NoReading::NoFacts(NoFacts::Failed("its reader answered another question".to_owned()))),
        })
    }

    /// The verdict rests on this component too.
    pub(super) fn record_language(&mut self, (name, digest): (&str, &str)) {
        if !self.languages.contains_key(name) {
            self.languages.insert(name.to_owned(), digest.to_owned());
        }
    }

    fn is_test(&self, path: &str) -> bool {
        self.kinds().kind(path) == Kind::Test
    }

    fn reading(
        &mut self,
        side: Side,
        path: &str,
        visible: Visible,
        question: TextQuestions,
    ) -> Result<Result<Arc<TextReading>, NoReading>, GuardStop> {
        let change = self.change()?;
        let path = match self.granted(path)? {
            Lookup::Path(path) => path,
            Lookup::Impossible => return Ok(Err(NoReading::Absent)),
            Lookup::NotGranted => {
                let touched = RepoPath::from_form(path);
                if visible == Visible::ByGrant || !self.sees(&change, side, &touched) {
                    return Ok(Err(NoReading::NotGranted));
                }
                touched
            }
        };
        if side == Side::Before && change.is_new(&path) {
            return Ok(Err(NoReading::Absent));
        }
        let entry = match self.entry(&change, side, &path)? {
            Some(entry @ TreeEntry { mode: FileMode::File | FileMode::Executable, .. }) => entry,
            Some(_) | None => return Ok(Err(NoReading::Absent)),
        };
        let Some(readers) = change.readers()? else { return Ok(Err(NoReading::NoGuard)) };
        let size = change.size(entry)?;
        let longest = if question == TextQuestions::PROBLEMS { BLOB } else { LONGEST };
        if size > longest {
            return Ok(Err(NoReading::TooLarge(format!("it has {size} bytes, more than the {longest} that are read"))));
        }
        if !self.meter.may_index() {
            return Ok(Err(NoReading::BeyondLimit));
        }
        self.meter.bytes(size)?;
        let text = || change.text_of_object(entry);
        let form = path.to_string();
        let claimed = readers.claim_of(&path, question, || text().map(Result::ok))?;
        let Some((claimed, claim)) = claimed else { return Ok(Err(NoReading::Unclaimed)) };
        self.record_language(readers.identity(&claimed));
        let wanted = claim.read_with(question, size, change.touches(side.into(), &path));
        let subject = TextSubject { claimed, wanted, blob: entry.oid, is_test: self.is_test(&form) };
        let reading = readers.read(&subject, self.meter.watch().token(), text)?;
        // What it did not want is charged to those who do.
        self.meter.indexed(reading.fuel / wanted.count());
        Ok(Ok(reading))
    }

    /// Whether the guard is called for the file that stands at a path of a side.
    fn sees(&self, change: &ChangeView, side: Side, path: &RepoPath) -> bool {
        self.seen().iter().any(|file| change.path_of(*file as usize, side.into()) == Some(path))
    }
}
