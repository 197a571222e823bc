//! Pull requests: one for each branch.

use serde_json::json;

use super::{GitHub, read};
use crate::error::{ForgeFailure, Result};
use crate::http::HttpCall;
use crate::json::encoded;
use crate::model::{NewPull, PullRequest};

impl GitHub {
    pub(super) fn find_pull(&self, head: &str) -> Result<Option<PullRequest>> {
        let query = format!("/pulls?state=open&head={}", encoded(&format!("{}:{head}", self.owner)));
        let found = self.http.list(&self.path(&query), None)?;
        // A server that does not know the filter answers with every pull request.
        let pulls = found.iter().map(read::pull).collect::<Result<Vec<_>>>()?;
        Ok(pulls.into_iter().find(|pull| pull.head == head && !pull.from_fork))
    }

    pub(super) fn open_pull(&self, new: &NewPull) -> Result<PullRequest> {
        let body = json!({
            "title": new.title, "body": new.body, "head": new.head, "base": new.base, "draft": new.draft,
        });
        let made =
            self.http.create(&HttpCall::post(self.path("/pulls"), body), read::pull, || self.find_pull(&new.head));
        match made {
            // Made meanwhile, or seen only now.
            Err(error) if error.class == ForgeFailure::Rejected && error.what.contains("already exists") => {
                self.find_pull(&new.head)?.ok_or(error)
            }
            made => made,
        }
    }
}
