//! `guardhost:commits`: git's log of a path.

use serde_json::json;
use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::guardhost::commits::commits::Host;
use crate::bindings::guardhost::guard::types::Denied;
use crate::call::store_data::StoreData;
use crate::call::transcript::ServiceReply;
use crate::handles::CommitHandle;
use crate::judge::change_view::repository_error;
use guardhost_core::change::{RepoPath, Service};

/// Commits that one question looks at.
const WINDOW: usize = 10_000;

/// Bytes that looking at one commit costs: itself and the trees down to the path.
const VISIT: u64 = 4 << 10;

impl Host for StoreData {
    fn touching(&mut self, path: String, limit: u32) -> Result<Result<Vec<Resource<CommitHandle>>, Denied>> {
        let change = self.change()?;
        self.meter.bytes(path.len() as u64)?;
        let base = change.candidate.base;
        if base.is_some() && self.offers(Service::Commits, |services| services.commits.is_some()) {
            // The whole window is charged in advance, because a path that never changed takes all of it.
            self.meter.bytes(VISIT * WINDOW as u64)?;
        }
        let question = json!({ "path": path, "limit": limit });
        let reply = self.consult(Service::Commits, &question, |services| {
            let Some(log) = &services.commits else {
                return Ok(ServiceReply::Unavailable(
                    "this host reads no commits where this change is judged".to_owned(),
                ));
            };
            let Some(base) = base else { return Ok(ServiceReply::Given(Vec::new())) };
            let found = log.touching(base, &RepoPath::from_form(&path), limit as usize, WINDOW);
            found.map(ServiceReply::Given).map_err(repository_error)
        })?;
        match reply.granted() {
            Ok(found) => self.hand_out_commits(found).map(Ok),
            Err(denied) => Ok(Err(denied)),
        }
    }
}
