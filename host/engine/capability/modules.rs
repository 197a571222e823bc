//! `guardhost:modules`: what modules import, offer, define and call, of the paths that `repo` may show.

use std::sync::Arc;

use wasmtime::Result;

use crate::bindings::guardhost::modules::modules::{Call, Function, Host, Imported, Offered, Side, Unknown};
use crate::call::store_data::StoreData;
use crate::capability::repo::Lookup;
use crate::judge::change_view::{NoContent, decoded};
use crate::limits::Stop;
use crate::module_index::{Answer, LONGEST, Question, Reading, Subject};
use git2::ObjectType;
use guardhost_core::change::{FileMode, Oid, TreeEntry};

impl Host for StoreData {
    fn imports(&mut self, side: Side, path: String) -> Result<Result<Vec<Imported>, Unknown>> {
        self.ask(side, &path, Question::Surface, |answer| match answer {
            Answer::Surface(surface) => Some(surface.imports.clone()),
            Answer::Signatures(_) | Answer::Nothing(_) => None,
        })
    }

    fn offers(&mut self, side: Side, path: String) -> Result<Result<Offered, Unknown>> {
        self.ask(side, &path, Question::Surface, |answer| match answer {
            Answer::Surface(surface) => Some(surface.offered.clone()),
            Answer::Signatures(_) | Answer::Nothing(_) => None,
        })
    }

    fn functions(&mut self, side: Side, path: String) -> Result<Result<Vec<Function>, Unknown>> {
        self.ask(side, &path, Question::Signatures, |answer| match answer {
            Answer::Signatures(signatures) => Some(signatures.functions.clone()),
            Answer::Surface(_) | Answer::Nothing(_) => None,
        })
    }

    fn calls(&mut self, side: Side, path: String) -> Result<Result<Vec<Call>, Unknown>> {
        self.ask(side, &path, Question::Signatures, |answer| match answer {
            Answer::Signatures(signatures) => Some(signatures.calls.clone()),
            Answer::Surface(_) | Answer::Nothing(_) => None,
        })
    }
}

impl StoreData {
    fn ask<T>(
        &mut self,
        side: Side,
        path: &str,
        question: Question,
        take: impl FnOnce(&Answer) -> Option<T>,
    ) -> Result<Result<T, Unknown>> {
        let reading = match self.reading(side, path, question)? {
            Ok(reading) => reading,
            Err(unknown) => return Ok(Err(unknown)),
        };
        self.meter.bytes(reading.size)?;
        Ok(match (&reading.answer, take(&reading.answer)) {
            (_, Some(taken)) => Ok(taken),
            (Answer::Nothing(why), None) => Err(Unknown::Unreadable(why.clone())),
            (Answer::Surface(_) | Answer::Signatures(_), None) => {
                Err(Unknown::Other("the indexer answered another question".to_owned()))
            }
        })
    }

    /// Whether it is charged does not depend on what is kept: the same call has the same answers everywhere.
    fn reading(&mut self, side: Side, path: &str, question: Question) -> Result<Result<Arc<Reading>, Unknown>, Stop> {
        let change = self.change()?;
        let path = match self.granted(path)? {
            Lookup::Path(path) => path,
            Lookup::Impossible => return Ok(Err(Unknown::Absent)),
            Lookup::NotGranted => return Ok(Err(Unknown::NotGranted)),
        };
        let entry = match self.entry(&change, side, &path)? {
            Some(entry @ TreeEntry { mode: FileMode::File | FileMode::Executable, .. }) => entry,
            Some(_) | None => return Ok(Err(Unknown::Absent)),
        };
        let size = change.size(entry)?;
        if size > LONGEST {
            return Ok(Err(Unknown::Unreadable(format!("it has {size} bytes, more than the {LONGEST} that are read"))));
        }
        if !self.meter.may_index() {
            return Ok(Err(Unknown::BeyondLimit));
        }
        self.meter.bytes(size)?;
        let name = String::from_utf8_lossy(path.file_name()).into_owned();
        let dialect = name.split_once('.').map_or("", |(_, dialect)| dialect).to_owned();
        let subject = Subject { question, blob: entry.oid, dialect };
        // Git reads objects without hashing them, and an answer is kept for every repository of the user.
        let hashed = |bytes: Arc<[u8]>| match Oid::hash_object(ObjectType::Blob, &bytes) {
            Ok(oid) if oid == entry.oid => Ok(bytes),
            Ok(_) | Err(_) => {
                let what = format!("the object {} does not have the content that its id stands for", entry.oid);
                Err(NoContent::Stop(Stop::Repository(what)))
            }
        };
        let text = || match change.blob(entry).and_then(hashed).and_then(|bytes| decoded(&bytes)) {
            Ok(text) => Ok(Ok(text)),
            Err(NoContent::Stop(stop)) => Err(stop),
            Err(NoContent::NotText(why)) => Ok(Err(why)),
            Err(NoContent::Absent | NoContent::TooLarge(_)) => Ok(Err("it cannot be read".to_owned())),
        };
        let Some(modules) = change.modules() else {
            return Ok(Err(Unknown::Other("no guard is called here".to_owned())));
        };
        let reading = modules.read(&subject, self.meter.watch().token(), text)?;
        self.meter.indexed(reading.fuel);
        Ok(Ok(reading))
    }
}
