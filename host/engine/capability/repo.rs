//! `repo`: the whole trees, read where git keeps them.

use wasmtime::Result;

use crate::bindings::change::Unreadable;
use crate::bindings::repo::{Entry, Hit, Host, Side};
use crate::call::Call;
use crate::case::{self, Case, Unread, broken, decoded};
use crate::globs::Globs;
use crate::limits::Stop;
use crate::search;
use guardhost_core::change::{self, RepoPath};

/// What visiting one entry of a tree costs the host, in bytes read: its name, its id, its share of the tree object.
const VISIT: u64 = 64;

/// A path longer than this is none: git's own limit on most systems.
const PATH: usize = 4096;

impl Host for Call {
    fn stat(&mut self, side: Side, path: String) -> Result<Option<Entry>> {
        let case = self.ask()?;
        let entry = entry(self, &case, side, &path)?;
        Ok(entry.map(|entry| Entry { path, mode: entry.mode.into(), oid: entry.oid.to_string() }))
    }

    fn is_dir(&mut self, side: Side, path: String) -> Result<bool> {
        let case = self.ask()?;
        self.meter.bytes(VISIT)?;
        Ok(path.len() <= PATH && case.is_dir(side.into(), &path)?)
    }

    fn read(&mut self, side: Side, path: String) -> Result<Result<Vec<u8>, Unreadable>> {
        let case = self.ask()?;
        let entry = entry(self, &case, side, &path)?;
        let bytes = entry.ok_or(Unread::Absent).and_then(|entry| case.blob(entry));
        Ok(self.hand_out(bytes)?.map(|bytes| bytes.to_vec()))
    }

    fn text(&mut self, side: Side, path: String) -> Result<Result<String, Unreadable>> {
        let case = self.ask()?;
        let entry = entry(self, &case, side, &path)?;
        let text = entry.ok_or(Unread::Absent).and_then(|entry| case.blob(entry)).and_then(|bytes| decoded(&bytes));
        Ok(self.hand_out(text)?.map(|text| text.to_string()))
    }

    fn find(&mut self, side: Side, globs: Vec<String>, limit: u32) -> Result<Vec<Entry>> {
        let case = self.ask()?;
        let mut found = Vec::new();
        walk(self, &case, side, &globs, |_, path, entry| {
            if found.len() >= limit as usize {
                return Ok(false);
            }
            found.push(Entry { path: path.to_string(), mode: entry.mode.into(), oid: entry.oid.to_string() });
            Ok(true)
        })?;
        Ok(found)
    }

    fn search(&mut self, side: Side, needles: Vec<String>, globs: Vec<String>, limit: u32) -> Result<Vec<Hit>> {
        let case = self.ask()?;
        // Every byte of a needle becomes some states of an automaton.
        self.meter.bytes(64 * needles.iter().map(String::len).sum::<usize>() as u64)?;
        let words = search::Words::new(&needles).map_err(Stop::Misuse)?;
        let limit = limit as usize;
        let mut hits = Vec::new();
        walk(self, &case, side, &globs, |call, path, entry| {
            let text = match case.blob(entry).and_then(|bytes| decoded(&bytes)) {
                Ok(text) => text,
                Err(Unread::Stop(stop)) => return Err(stop),
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

fn entry(call: &mut Call, case: &Case, side: Side, path: &str) -> Result<Option<change::TreeEntry>, Stop> {
    call.meter.bytes(VISIT)?;
    if path.len() > PATH { Ok(None) } else { case.entry(side.into(), path) }
}

/// Every file under the globs, in the order of git, which is the order of the paths' bytes; until `visit` says false.
fn walk(
    call: &mut Call,
    case: &Case,
    side: Side,
    globs: &[String],
    mut visit: impl FnMut(&mut Call, &RepoPath, change::TreeEntry) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    let globs = Globs::new(globs).map_err(Stop::Misuse)?;
    let cost = VISIT * (1 + globs.len() as u64);
    let mut stop = None;
    let tree = case.tree(case::Side::from(side));
    let walked = case.candidate.objects.walk(tree, &mut |path, entry| {
        let wanted = globs.is_empty() || globs.matches(path);
        let more = call.meter.bytes(cost).and_then(|()| if wanted { visit(call, path, entry) } else { Ok(true) });
        more.unwrap_or_else(|why| {
            stop = Some(why);
            false
        })
    });
    walked.map_err(broken)?;
    stop.map_or(Ok(()), Err)
}
