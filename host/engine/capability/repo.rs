//! `guardhost:repo`: reads and searches the base's and the candidate's tree, as far as the pin grants paths.

use std::sync::Arc;

use wasmtime::Result;

use crate::bindings::guardhost::guard::types::{Blob, Denied, Unreadable};
use crate::bindings::guardhost::repo::tree::{Hit, Host, Side};
use crate::call::store_data::StoreData;
use crate::judge::change_view::{self, ChangeView, NoContent, decoded, repository_error};
use crate::limits::{BLOB, Stop};
use crate::reuse::reads::Question;
use crate::text::globs::Globs;
use crate::text::word_search;
use guardhost_core::change::{RepoPath, TreeEntry};

/// Bytes that visiting one entry of a tree costs: its name, its id, its share of the tree object.
const VISIT: u64 = 64;

/// Bytes that looking up and opening one object costs beside its size.
const OBJECT: u64 = 4 << 10;

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
        self.reads.note(Question::Folder(side.into(), path.to_string()), &change);
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
        let change = self.change()?;
        let mut found = Vec::new();
        walk(self, &change, side, &globs, |_, path, _| {
            if found.len() >= limit as usize {
                return Ok(false);
            }
            found.push(path.to_string());
            Ok(true)
        })?;
        Ok(found)
    }

    fn search(&mut self, side: Side, needles: Vec<String>, globs: Vec<String>, limit: u32) -> Result<Vec<Hit>> {
        let change = self.change()?;
        // Each byte of a needle becomes a few states of an automaton.
        self.meter.bytes(64 * needles.iter().map(String::len).sum::<usize>() as u64)?;
        let words = word_search::WordSearch::new(&needles).map_err(Stop::Misuse)?;
        let limit = limit as usize;
        let mut hits = Vec::new();
        walk(self, &change, side, &globs, |call, path, entry| {
            // Charged before it is read: bytes that turn out not to be text were read too.
            call.meter.bytes(OBJECT + change.size(entry)?.min(BLOB))?;
            let text = match change.blob(entry).and_then(|bytes| decoded(&bytes)) {
                Ok(text) => text,
                Err(NoContent::Stop(stop)) => return Err(stop),
                Err(_) => return Ok(true),
            };
            let room = limit - hits.len();
            let hit = |line, needle, text: &str| {
                hits.push(Hit { path: path.to_string(), line, needle, text: text.to_string() });
            };
            words.hits(&text, room, hit, || call.meter.step())?;
            Ok(hits.len() < limit)
        })?;
        Ok(hits)
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
    fn content(&mut self, side: Side, path: &str) -> Result<Option<Content>, Stop> {
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
    ) -> Result<Option<TreeEntry>, Stop> {
        let entry = change.entry(side.into(), path)?;
        self.reads.note_entry(side.into(), path, entry);
        Ok(entry)
    }

    pub(super) fn granted(&mut self, path: &str) -> Result<Lookup, Stop> {
        self.meter.bytes(OBJECT + path.len() as u64)?;
        if path.len() > PATH {
            return Ok(Lookup::Impossible);
        }
        let path = RepoPath::from_form(path);
        Ok(if self.repo_scope.includes(&path) { Lookup::Path(path) } else { Lookup::NotGranted })
    }
}

/// Visits every granted file that matches the globs, in git's order, which is that of the paths' bytes, until `visit` returns false.
fn walk(
    call: &mut StoreData,
    change: &ChangeView,
    side: Side,
    globs: &[String],
    mut visit: impl FnMut(&mut StoreData, &RepoPath, TreeEntry) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    let globs = Globs::new(globs).map_err(Stop::Misuse)?;
    let mut walked_globs = globs.walked();
    let scope = call.repo_scope.clone();
    call.reads.note(Question::Tree(side.into()), change);
    let mut stop = None;
    let tree = change.tree(change_view::Side::from(side));
    let walked = change.candidate.objects.walk(tree, &mut |path, entry| {
        let (matches, compared) = walked_globs.matches(path);
        let more = call.meter.visit(VISIT + compared).and_then(|()| {
            let wanted = (globs.is_empty() || matches) && scope.includes(path);
            if wanted { visit(call, path, entry) } else { Ok(true) }
        });
        more.unwrap_or_else(|why| {
            stop = Some(why);
            false
        })
    });
    walked.map_err(repository_error)?;
    stop.map_or(Ok(()), Err)
}
