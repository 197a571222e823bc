//! `repo`: reads and searches the base's and the candidate's tree.

use wasmtime::Result;

use crate::bindings::change::Unreadable;
use crate::bindings::repo::{Entry, Hit, Host, Side};
use crate::call::store_data::StoreData;
use crate::judge::change_view::{self, ChangeView, NoContent, decoded, repository_error};
use crate::limits::Stop;
use crate::text::globs::Globs;
use crate::text::word_search;
use guardhost_core::change::{self, RepoPath};

/// Bytes that visiting one entry of a tree costs: its name, its id, its share of the tree object.
const VISIT: u64 = 64;

/// Bytes of the longest path, on most systems. No file has a longer one.
const PATH: usize = 4096;

impl Host for StoreData {
    fn stat(&mut self, side: Side, path: String) -> Result<Option<Entry>> {
        let change = self.change()?;
        let entry = entry(self, &change, side, &path)?;
        Ok(entry.map(|entry| Entry { path, mode: entry.mode.into(), oid: entry.oid.to_string() }))
    }

    fn is_dir(&mut self, side: Side, path: String) -> Result<bool> {
        let change = self.change()?;
        self.meter.bytes(VISIT)?;
        Ok(path.len() <= PATH && change.is_dir(side.into(), &path)?)
    }

    fn read(&mut self, side: Side, path: String) -> Result<Result<Vec<u8>, Unreadable>> {
        let change = self.change()?;
        let entry = entry(self, &change, side, &path)?;
        let bytes = entry.ok_or(NoContent::Absent).and_then(|entry| change.blob(entry));
        Ok(self.hand_out(bytes)?.map(|bytes| bytes.to_vec()))
    }

    fn text(&mut self, side: Side, path: String) -> Result<Result<String, Unreadable>> {
        let change = self.change()?;
        let entry = entry(self, &change, side, &path)?;
        let text =
            entry.ok_or(NoContent::Absent).and_then(|entry| change.blob(entry)).and_then(|bytes| decoded(&bytes));
        Ok(self.hand_out(text)?.map(|text| text.to_string()))
    }

    fn find(&mut self, side: Side, globs: Vec<String>, limit: u32) -> Result<Vec<Entry>> {
        let change = self.change()?;
        let mut found = Vec::new();
        walk(self, &change, side, &globs, |_, path, entry| {
            if found.len() >= limit as usize {
                return Ok(false);
            }
            found.push(Entry { path: path.to_string(), mode: entry.mode.into(), oid: entry.oid.to_string() });
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
            let text = match change.blob(entry).and_then(|bytes| decoded(&bytes)) {
                Ok(text) => text,
                Err(NoContent::Stop(stop)) => return Err(stop),
                Err(_) => return Ok(true),
            };
            call.meter.bytes(text.len() as u64)?;
            words.hits(&text, limit - hits.len(), |line, needle, text| {
                hits.push(Hit { path: path.to_string(), line, needle, text: text.to_string() });
            });
            Ok(hits.len() < limit)
        })?;
        Ok(hits)
    }
}

fn entry(call: &mut StoreData, change: &ChangeView, side: Side, path: &str) -> Result<Option<change::TreeEntry>, Stop> {
    call.meter.bytes(VISIT)?;
    if path.len() > PATH { Ok(None) } else { change.entry(side.into(), path) }
}

/// Visits every file that matches the globs, in git's order, which is that of the paths' bytes, until `visit` returns false.
fn walk(
    call: &mut StoreData,
    change: &ChangeView,
    side: Side,
    globs: &[String],
    mut visit: impl FnMut(&mut StoreData, &RepoPath, change::TreeEntry) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    let globs = Globs::new(globs).map_err(Stop::Misuse)?;
    let cost = VISIT * (1 + globs.len() as u64);
    let mut stop = None;
    let tree = change.tree(change_view::Side::from(side));
    let walked = change.candidate.objects.walk(tree, &mut |path, entry| {
        let wanted = globs.is_empty() || globs.matches(path);
        let more = call.meter.bytes(cost).and_then(|()| if wanted { visit(call, path, entry) } else { Ok(true) });
        more.unwrap_or_else(|why| {
            stop = Some(why);
            false
        })
    });
    walked.map_err(repository_error)?;
    stop.map_or(Ok(()), Err)
}
