//! Pull requests and their labels.

use serde_json::json;

use super::{Gitea, read};
use crate::error::{ForgeFailure, Result};
use crate::http::HttpCall;
use crate::json::{number, text};
use crate::model::{NewPull, PullRequest};

/// What the title of a draft begins with.
const DRAFT: &str = "WIP: ";
/// Of labels that the host makes.
const LABEL_COLOR: &str = "#1d76db";

impl Gitea {
    /// Open ones, oldest first.
    pub(super) fn list_pulls(&self) -> Result<Vec<PullRequest>> {
        self.http.list(&self.path("/pulls?state=open&sort=oldest"), None)?.iter().map(read::pull).collect()
    }

    /// No list is of one branch: that of a base and a branch says nothing of other bases.
    pub(super) fn find_pull(&self, head: &str) -> Result<Option<PullRequest>> {
        Ok(self.list_pulls()?.into_iter().find(|pull| pull.head == head && !pull.from_fork))
    }

    pub(super) fn open_pull(&self, new: &NewPull) -> Result<PullRequest> {
        let title = if new.draft { format!("{DRAFT}{}", new.title) } else { new.title.clone() };
        let body = json!({ "title": title, "body": new.body, "head": new.head, "base": new.base });
        let made =
            self.http.create(&HttpCall::post(self.path("/pulls"), body), read::pull, || self.find_pull(&new.head));
        match made {
            // Made meanwhile, or seen only now.
            Err(error) if error.class == ForgeFailure::Conflict => self.find_pull(&new.head)?.ok_or(error),
            made => made,
        }
    }

    /// Labels that the pull request has stay once. Two labels of a repository can have one name, so that one is made only where none is.
    pub(super) fn label(&self, pull: u64, labels: &[&str]) -> Result<()> {
        let known = self.http.list(&self.path("/labels"), None)?;
        let mut ids = Vec::new();
        for name in labels {
            ids.push(match known.iter().find(|label| label["name"] == *name) {
                Some(label) => number(label, "id")?,
                None => self.new_label(name)?,
            });
        }
        let call = HttpCall::put(self.path(&format!("/issues/{pull}/labels")), json!({ "labels": ids }));
        self.http.json(&call).map(drop)
    }

    fn new_label(&self, name: &str) -> Result<u64> {
        let call = HttpCall::post(self.path("/labels"), json!({ "name": name, "color": LABEL_COLOR }));
        let find = || {
            for label in self.http.list(&self.path("/labels"), None)? {
                if text(&label, "name")? == name {
                    return number(&label, "id").map(Some);
                }
            }
            Ok(None)
        };
        self.http.create(&call, |label| number(label, "id"), find)
    }
}
