//! Merge requests: one for each branch.

use serde_json::json;

use super::{GitLab, read};
use crate::error::{ForgeFailure, Result};
use crate::http::HttpCall;
use crate::json::{encoded, number};
use crate::model::{NewPull, PullRequest};

/// What the title of a draft begins with.
const DRAFT: &str = "Draft: ";

impl GitLab {
    /// Open ones, oldest first. A list does not say where a branch left its base, so that each is asked for by itself.
    pub(super) fn list_pulls(&self) -> Result<Vec<PullRequest>> {
        let listed = self.http.list(&self.path("/merge_requests?state=opened&order_by=created_at&sort=asc"), None)?;
        listed.iter().map(|value| crate::Forge::pull(self, number(value, "iid")?)).collect()
    }

    pub(super) fn find_pull(&self, head: &str) -> Result<Option<PullRequest>> {
        let query = format!("/merge_requests?state=opened&source_branch={}", encoded(head));
        for value in self.http.list(&self.path(&query), None)? {
            if value["source_branch"] == head && value["source_project_id"] == value["target_project_id"] {
                return crate::Forge::pull(self, number(&value, "iid")?).map(Some);
            }
        }
        Ok(None)
    }

    pub(super) fn open_pull(&self, new: &NewPull) -> Result<PullRequest> {
        let title = if new.draft { format!("{DRAFT}{}", new.title) } else { new.title.clone() };
        let body = json!({
            "source_branch": new.head, "target_branch": new.base, "title": title, "description": new.body,
        });
        let call = HttpCall::post(self.path("/merge_requests"), body);
        match self.http.create(&call, read::pull, || self.find_pull(&new.head)) {
            // Made meanwhile, or seen only now.
            Err(error) if error.class == ForgeFailure::Conflict => self.find_pull(&new.head)?.ok_or(error),
            made => made,
        }
    }
}
