//! `guardhost:commits`: git's log of a path.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::guardhost::commits::commits::{EditedFile, Edits, Host, ReplacedLines};
use crate::bindings::guardhost::guard::types::Denied;
use crate::call::store_data::StoreData;
use crate::call::transcript::ServiceReply;
use crate::handles::{CommitHandle, HANDLE};
use crate::judge::change_view::repository_error;
use guardhost_core::change::{self, CommitEdits, CommitLog, Oid, RecentCommits, RepoPath, Service};

/// Commits that one question after a path looks at.
const WINDOW: usize = 10_000;

/// Commits that one question after recent edits looks at: what a change takes back by mistake was made while it was written.
const RECENT: usize = 200;

/// Paths of one question after recent edits.
const PATHS: usize = 100;

/// Bytes that looking at one commit costs: itself and the trees down to the path.
const VISIT: u64 = 4 << 10;

impl Host for StoreData {
    fn touching(&mut self, path: String, limit: u32) -> Result<Result<Vec<Resource<CommitHandle>>, Denied>> {
        self.meter.bytes(path.len() as u64)?;
        let question = json!({ "path": path, "limit": limit });
        let found = self.ask_log(&question, WINDOW, |log, base| {
            log.touching(base, &RepoPath::from_form(&path), limit as usize, WINDOW).map(Some)
        })?;
        match found {
            Ok(found) => self.hand_out_commits(found).map(Ok),
            Err(denied) => Ok(Err(denied)),
        }
    }

    fn recent_edits(&mut self, mut paths: Vec<String>, days: u32) -> Result<Result<Vec<Edits>, Denied>> {
        self.meter.bytes(paths.iter().map(|path| path.len() as u64).sum())?;
        paths.truncate(PATHS);
        let question = json!({ "recent-edits": paths, "days": days });
        let found = self.ask_log(&question, RECENT, |log, base| {
            let paths: Vec<RepoPath> = paths.iter().map(|path| RepoPath::from_form(path)).collect();
            log.recent_edits(base, &paths, RecentCommits { days, most: RECENT })
        })?;
        match found {
            Ok(found) => found.into_iter().map(|edits| self.hand_out_edits(edits)).collect::<Result<_>>().map(Ok),
            Err(denied) => Ok(Err(denied)),
        }
    }
}

impl StoreData {
    /// What the log says behind the base; nothing where there is no base, and that it is not known where `ask` gives None. `window` commits are charged in advance, because a path that never
    /// changed takes all of them.
    fn ask_log<T: Serialize + DeserializeOwned>(
        &mut self,
        question: &Value,
        window: usize,
        ask: impl FnOnce(&dyn CommitLog, Oid) -> guardhost_core::error::Result<Option<Vec<T>>>,
    ) -> Result<Result<Vec<T>, Denied>> {
        let base = self.change()?.candidate.base;
        if base.is_some() && self.offers(Service::Commits, |services| services.commits.is_some()) {
            self.meter.bytes(VISIT * window as u64)?;
        }
        let reply = self.consult(Service::Commits, question, |services| {
            let Some(log) = &services.commits else {
                return Ok(ServiceReply::Unavailable(
                    "this host reads no commits where this change is judged".to_owned(),
                ));
            };
            let Some(base) = base else { return Ok(ServiceReply::Given(Vec::new())) };
            let unknown = || ServiceReply::Unavailable("no commit before the base is in this shallow clone".to_owned());
            ask(log.as_ref(), base)
                .map(|found| found.map_or_else(unknown, ServiceReply::Given))
                .map_err(repository_error)
        })?;
        Ok(reply.granted())
    }

    fn hand_out_edits(&mut self, edits: CommitEdits) -> Result<Edits> {
        let CommitEdits { commit, days_before, files } = edits;
        let lines = files.iter().flat_map(|file| file.lines.iter().flatten());
        let lines = lines.flat_map(|replaced| replaced.old.iter().chain(&replaced.new));
        self.meter.bytes(lines.map(|line| HANDLE + line.len() as u64).sum())?;
        let commit = self.hand_out_commit(commit)?;
        Ok(Edits { commit, days_before, files: files.into_iter().map(edited_file).collect() })
    }
}

fn edited_file(file: change::EditedFile) -> EditedFile {
    let replaced = |change::ReplacedLines { old, new }| ReplacedLines { old, new };
    let lines = file.lines.map(|lines| lines.into_iter().map(replaced).collect());
    EditedFile { path: file.path, before: file.before, lines }
}
