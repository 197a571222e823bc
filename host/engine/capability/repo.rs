//! `guardhost:repo`: reads and searches the base's and the candidate's tree, as far as the pin grants paths.

use std::sync::Arc;

use wasmtime::Result;

use crate::bindings::guardhost::guard::types::{Blob, Denied, Unreadable};
use crate::bindings::guardhost::repo::tree::{Hit, Host, Side};
use crate::call::store_data::StoreData;
use crate::capability::tree_search::{FoundLine, OBJECT, Search, VISIT};
use crate::judge::change_view::{ChangeView, NoContent, decoded};
use crate::limits::{BLOB, GuardStop};
use crate::reuse::reads::RepeatableQuestion;
use guardhost_core::change::{RepoPath, TreeEntry};

/// Bytes of the longest path, on most systems. No file has a longer one.
const PATH: usize = 4096;

impl Host for StoreData {
    fn stat(&mut self, side: Side, path: String) -> Result<Result<Option<Blob>, Denied>> {
        let change = self.change()?;
        let path = match self.granted(&path)? {
            Lookup::Path(path) => path,
            Lookup::Impossible => return Ok(Ok(None)),
            Lookup::NotGranted => return Ok(Err(Denied::NotGranted)),
        };
        let Some(entry) = self.entry(&change, side, &path)? else { return Ok(Ok(None)) };
        let size = change.size(entry)?;
        Ok(Ok(Some(Blob { oid: entry.oid.to_string(), mode: entry.mode.into(), size })))
    }

    fn is_dir(&mut self, side: Side, path: String) -> Result<Result<bool, Denied>> {
        let change = self.change()?;
        self.meter.bytes(VISIT + path.len() as u64)?;
        if path.len() > PATH {
            return Ok(Ok(false));
        }
        let path = RepoPath::from_form(&path);
        self.meter.bytes(self.repo_scope.folder_cost(&path))?;
        if !self.repo_scope.includes_below(&path) {
            return Ok(Err(Denied::NotGranted));
        }
        self.reads.note(RepeatableQuestion::Folder(side.into(), path.to_string()), &change);
        Ok(Ok(change.is_dir(side.into(), &path)?))
    }

    fn read(&mut self, side: Side, path: String) -> Result<Result<Vec<u8>, Unreadable>> {
        Ok(match self.content(side, &path)? {
            Some(bytes) => StoreData::counted(bytes)?.map(|bytes| bytes.to_vec()),
            None => Err(Unreadable::NotGranted),
        })
    }

    fn text(&mut self, side: Side, path: String) -> Result<Result<String, Unreadable>> {
        Ok(match self.content(side, &path)? {
            Some(bytes) => StoreData::counted(bytes.and_then(|bytes| decoded(&bytes)))?.map(|text| text.to_string()),
            None => Err(Unreadable::NotGranted),
        })
    }

    fn find(&mut self, side: Side, globs: Vec<String>, limit: u32) -> Result<Vec<String>> {
        let search = Search { side: side.into(), needles: None, globs, limit };
        let (change, scope) = (self.change()?, self.repo_scope.clone());
        let (found, searched) = search.paths(&change, &scope, &mut self.meter)?;
        self.reads.note_search(search, &searched);
        Ok(found)
    }

    fn search(&mut self, side: Side, needles: Vec<String>, globs: Vec<String>, limit: u32) -> Result<Vec<Hit>> {
        // Each byte of a needle becomes a few states of an automaton.
        self.meter.bytes(64 * needles.iter().map(String::len).sum::<usize>() as u64)?;
        let search = Search { side: side.into(), needles: Some(needles), globs, limit };
        let (change, scope) = (self.change()?, self.repo_scope.clone());
        let (found, searched) = search.lines(&change, &scope, &mut self.meter)?;
        self.reads.note_search(search, &searched);
        let hit = |FoundLine { path, line, needle, text }| Hit { path, line, needle, text };
        Ok(found.into_iter().map(hit).collect())
    }
}

type Content = Result<Arc<[u8]>, NoContent>;

/// A path that a guard asks for.
pub(super) enum Lookup {
    Path(RepoPath),
    /// Longer than any path.
    Impossible,
    NotGranted,
}

impl StoreData {
    /// The bytes of a file, counted before they are read: those that turn out not to be text were read too. None: not granted.
    fn content(&mut self, side: Side, path: &str) -> Result<Option<Content>, GuardStop> {
        let change = self.change()?;
        let path = match self.granted(path)? {
            Lookup::Path(path) => path,
            Lookup::Impossible => return Ok(Some(Err(NoContent::Absent))),
            Lookup::NotGranted => return Ok(None),
        };
        let Some(entry) = self.entry(&change, side, &path)? else { return Ok(Some(Err(NoContent::Absent))) };
        match change.size(entry)? {
            size if size > BLOB => Ok(Some(Err(NoContent::TooLarge(size)))),
            size => {
                self.meter.bytes(size)?;
                Ok(Some(change.blob(entry)))
            }
        }
    }

    /// What stands at a granted path.
    pub(super) fn entry(
        &mut self,
        change: &ChangeView,
        side: Side,
        path: &RepoPath,
    ) -> Result<Option<TreeEntry>, GuardStop> {
        let entry = change.entry(side.into(), path)?;
        self.reads.note_entry(side.into(), path, entry);
        Ok(entry)
    }

    pub(super) fn granted(&mut self, path: &str) -> Result<Lookup, GuardStop> {
        self.meter.bytes(OBJECT + path.len() as u64)?;
        if path.len() > PATH {
            return Ok(Lookup::Impossible);
        }
        let path = RepoPath::from_form(path);
        Ok(if self.repo_scope.includes(&path) { Lookup::Path(path) } else { Lookup::NotGranted })
    }
}
