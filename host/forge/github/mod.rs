//! GitHub, and servers that speak its REST API. It conforms to the published description that `tests/openapi` holds; see there for its date.
//!
//! What makes something new is searched after a lost answer: a pull request by its branch, a comment by its marker, a check run by its
//! external id.

mod ci;
mod comments;
mod pulls;
mod read;

use serde_json::{Value, json};

use crate::address::RepoAddress;
use crate::error::{ForgeFailure, Result};
use crate::forge::Forge;
use crate::http::{ForgeDialect, Http, HttpCall, HttpSettings};
use crate::json;
use crate::model::{
    ChangedFile, CheckRun, CiJob, CiRun, Comment, CommitStatus, InlineComment, NewInline, NewPull, PastPullPage,
    PullRequest, Rate, RepositoryInfo, TrackedIssue, Viewer, WriteOutcome,
};

pub(crate) const DIALECT: ForgeDialect = ForgeDialect {
    headers: &[("accept", "application/vnd.github+json"), ("x-github-api-version", "2022-11-28")],
    scheme: "Bearer",
    page_size: ("per_page", 100),
};

/// One repository at GitHub.
pub struct GitHub {
    http: Http,
    owner: String,
    /// `/repos/OWNER/NAME`.
    root: String,
    viewer: std::cell::OnceCell<Viewer>,
}

impl GitHub {
    /// # Errors
    /// [`FailureClass::Address`]: the address of the API is wrong or not encrypted.
    pub fn new(address: &RepoAddress, settings: HttpSettings) -> Result<Self> {
        let root = format!("/repos/{}/{}", address.owner, address.name);
        let viewer = std::cell::OnceCell::new();
        Ok(GitHub { http: Http::new(settings, DIALECT)?, owner: address.owner.clone(), root, viewer })
    }

    fn path(&self, rest: &str) -> String {
        format!("{}{rest}", self.root)
    }

    /// Whether the credential's account wrote something. Of an app the name is not known: any bot's comment with the marker counts.
    fn is_own(&self, user: &Value) -> Result<bool> {
        Ok(match self.viewer()? {
            Viewer::User(login) => user["login"].as_str().is_some_and(|found| found.eq_ignore_ascii_case(&login)),
            Viewer::App => user["type"] == "Bot",
        })
    }
}

impl Forge for GitHub {
    fn viewer(&self) -> Result<Viewer> {
        if let Some(viewer) = self.viewer.get() {
            return Ok(viewer.clone());
        }
        let viewer = match self.http.json(&HttpCall::get("/user")) {
            Ok(user) => Viewer::User(json::text(&user, "login")?.to_owned()),
            // Tokens of apps, that of a workflow too, may not ask.
            Err(error) if matches!(error.class, ForgeFailure::Forbidden | ForgeFailure::NotFound) => Viewer::App,
            Err(error) => return Err(error),
        };
        Ok(self.viewer.get_or_init(|| viewer).clone())
    }

    fn repository(&self) -> Result<RepositoryInfo> {
        let repository = self.http.json(&HttpCall::get(self.path("")))?;
        let push = match self.viewer()? {
            Viewer::User(_) => repository["permissions"]["push"].as_bool(),
            // What is listed for an app is not what its token may do.
            Viewer::App => None,
        };
        Ok(RepositoryInfo { default_branch: json::text(&repository, "default_branch")?.to_owned(), push: push.into() })
    }

    fn find(&self, head: &str) -> Result<Option<PullRequest>> {
        self.find_pull(head)
    }

    fn open_pulls(&self) -> Result<Vec<PullRequest>> {
        let path = self.path("/pulls?state=open&sort=created&direction=asc");
        self.http.list(&path, None)?.iter().map(read::pull).collect()
    }

    fn past_pulls(&self, page: u32) -> Result<PastPullPage> {
        let (listed, has_next) = self.http.page(&self.path("/pulls?state=all&sort=created&direction=desc"), page)?;
        Ok(PastPullPage { pulls: listed.iter().map(read::past_pull).collect::<Result<_>>()?, is_last: !has_next })
    }

    fn pull(&self, number: u64) -> Result<PullRequest> {
        read::pull(&self.http.json(&HttpCall::get(self.path(&format!("/pulls/{number}"))))?)
    }

    fn issue(&self, number: u64) -> Result<TrackedIssue> {
        read::issue(&self.http.json(&HttpCall::get(self.path(&format!("/issues/{number}"))))?)
    }

    fn open(&self, new: &NewPull) -> Result<PullRequest> {
        self.open_pull(new)
    }

    fn update(&self, number: u64, title: &str, body: &str) -> Result<PullRequest> {
        let call = HttpCall::patch(self.path(&format!("/pulls/{number}")), json!({ "title": title, "body": body }));
        read::pull(&self.http.json(&call)?)
    }

    fn close(&self, number: u64) -> Result<PullRequest> {
        let call = HttpCall::patch(self.path(&format!("/pulls/{number}")), json!({ "state": "closed" }));
        read::pull(&self.http.json(&call)?)
    }

    fn add_labels(&self, number: u64, labels: &[&str]) -> Result<()> {
        // Labels that are there stay once.
        let call = HttpCall::put(self.path(&format!("/issues/{number}/labels")), json!({ "labels": labels }));
        self.http.json(&call).map(drop)
    }

    fn files(&self, number: u64) -> Result<Vec<ChangedFile>> {
        self.http.list(&self.path(&format!("/pulls/{number}/files")), None)?.iter().map(read::file).collect()
    }

    fn comments(&self, number: u64) -> Result<Vec<Comment>> {
        self.list_comments(number)
    }

    fn comment(&self, number: u64, body: &str, marker: &str) -> Result<Comment> {
        self.new_comment(number, body, marker)
    }

    fn edit_comment(&self, _number: u64, id: u64, body: &str) -> Result<()> {
        let call = HttpCall::patch(self.path(&format!("/issues/comments/{id}")), json!({ "body": body }));
        self.http.json(&call).map(drop)
    }

    fn inline_comments(&self, number: u64) -> Result<Vec<InlineComment>> {
        self.list_inline(number)
    }

    fn comment_inline(&self, number: u64, new: &NewInline) -> Result<InlineComment> {
        self.new_inline(number, new)
    }

    fn edit_inline(&self, _number: u64, id: u64, body: &str) -> Result<()> {
        let call = HttpCall::patch(self.path(&format!("/pulls/comments/{id}")), json!({ "body": body }));
        self.http.json(&call).map(drop)
    }

    fn review(&self, number: u64, sha: &str, body: &str, marker: &str) -> Result<WriteOutcome> {
        self.one_review(number, sha, body, marker)
    }

    fn set_status(&self, sha: &str, status: &CommitStatus) -> Result<()> {
        self.post_status(sha, status)
    }

    fn set_check(&self, sha: &str, check: &CheckRun) -> Result<()> {
        self.post_check(sha, check)
    }

    fn upload_sarif(&self, sha: &str, number: u64, sarif: &[u8]) -> Result<()> {
        self.post_sarif(sha, number, sarif)
    }

    fn ci_runs(&self, sha: &str) -> Result<Vec<CiRun>> {
        self.list_runs(sha)
    }

    fn jobs(&self, run: u64) -> Result<Vec<CiJob>> {
        let path = self.path(&format!("/actions/runs/{run}/jobs?filter=latest"));
        self.http.list(&path, Some("jobs"))?.iter().map(read::job).collect()
    }

    fn job_log(&self, job: u64) -> Result<String> {
        self.log_of(job)
    }

    fn rerun(&self, run: &CiRun) -> Result<()> {
        self.rerun_failed(run)
    }

    fn rate(&self) -> Option<Rate> {
        self.http.rate()
    }
}
