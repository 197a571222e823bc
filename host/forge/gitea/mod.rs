//! Gitea, and Forgejo as far as it has the same API. It conforms to the published description that `tests/openapi` holds; see there for its
//! version.
//!
//! What it has not, or in another form than GitHub:
//! - a comment on a line is one of a review, so that each comes with a review of its own, and it is on one line only;
//! - a draft is a pull request whose title begins with `WIP:`;
//! - a label has to be there before a pull request can get it;
//! - there are no check runs, and no answer has an ETag.

mod ci;
mod comments;
mod pulls;
mod read;

use serde_json::{Value, json};

use crate::address::RepoAddress;
use crate::error::{ForgeError, ForgeFailure, Result};
use crate::forge::Forge;
use crate::http::{ForgeDialect, Http, HttpCall, HttpSettings};
use crate::json;
use crate::model::{
    ChangedFile, CheckRun, CiJob, CiRun, Comment, CommitStatus, InlineComment, NewInline, NewPull, PastPullPage,
    PullRequest, Rate, RepositoryInfo, TrackedIssue, Viewer, WriteOutcome,
};
use crate::one_comment::one_comment;

/// A server gives at most 50 entries at a time, unless its settings say otherwise.
const DIALECT: ForgeDialect =
    ForgeDialect { headers: &[("accept", "application/json")], scheme: "token", page_size: ("limit", 50) };

/// One repository at Gitea or Forgejo.
pub struct Gitea {
    http: Http,
    /// `/repos/OWNER/NAME`.
    root: String,
    login: std::cell::OnceCell<String>,
}

impl Gitea {
    /// # Errors
    /// [`FailureClass::Address`]: the address of the API is wrong or not encrypted.
    pub fn new(address: &RepoAddress, settings: HttpSettings) -> Result<Self> {
        let root = format!("/repos/{}/{}", address.owner, address.name);
        Ok(Gitea { http: Http::new(settings, DIALECT)?, root, login: std::cell::OnceCell::new() })
    }

    fn path(&self, rest: &str) -> String {
        format!("{}{rest}", self.root)
    }

    fn login(&self) -> Result<&str> {
        if let Some(login) = self.login.get() {
            return Ok(login);
        }
        let user = self.http.json(&HttpCall::get("/user"))?;
        let login = json::text(&user, "login")?.to_owned();
        Ok(self.login.get_or_init(|| login))
    }

    /// Whether the credential's account wrote something.
    fn is_own(&self, user: &Value) -> Result<bool> {
        let login = self.login()?;
        Ok(user["login"].as_str().is_some_and(|found| found.eq_ignore_ascii_case(login)))
    }
}

impl Forge for Gitea {
    fn viewer(&self) -> Result<Viewer> {
        Ok(Viewer::User(self.login()?.to_owned()))
    }

    fn repository(&self) -> Result<RepositoryInfo> {
        let repository = self.http.json(&HttpCall::get(self.path("")))?;
        let push = repository["permissions"]["push"].as_bool();
        Ok(RepositoryInfo { default_branch: json::text(&repository, "default_branch")?.to_owned(), push: push.into() })
    }

    fn find(&self, head: &str) -> Result<Option<PullRequest>> {
        self.find_pull(head)
    }

    fn open_pulls(&self) -> Result<Vec<PullRequest>> {
        self.list_pulls()
    }

    fn past_pulls(&self, page: u32) -> Result<PastPullPage> {
        let (listed, has_next) = self.http.page(&self.path("/pulls?state=all"), page)?;
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
        self.label(number, labels)
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
        self.edit(id, body)
    }

    fn inline_comments(&self, number: u64) -> Result<Vec<InlineComment>> {
        self.list_inline(number)
    }

    fn comment_inline(&self, number: u64, new: &NewInline) -> Result<InlineComment> {
        self.new_inline(number, new)
    }

    fn edit_inline(&self, _number: u64, id: u64, body: &str) -> Result<()> {
        self.edit(id, body)
    }

    fn review(&self, number: u64, _sha: &str, body: &str, marker: &str) -> Result<WriteOutcome> {
        one_comment(self, number, body, marker)
    }

    fn set_status(&self, sha: &str, status: &CommitStatus) -> Result<()> {
        self.post_status(sha, status)
    }

    fn set_check(&self, _sha: &str, _check: &CheckRun) -> Result<()> {
        Err(ForgeError::new(ForgeFailure::Forbidden, "this forge has no check runs"))
    }

    fn ci_runs(&self, sha: &str) -> Result<Vec<CiRun>> {
        self.list_runs(sha)
    }

    fn jobs(&self, run: u64) -> Result<Vec<CiJob>> {
        let path = self.path(&format!("/actions/runs/{run}/jobs"));
        self.http.list(&path, Some("jobs"))?.iter().map(read::job).collect()
    }

    fn job_log(&self, job: u64) -> Result<String> {
        let call = HttpCall::get(self.path(&format!("/actions/jobs/{job}/logs")));
        self.http.redirected_text(&call, json::MAX_LOG_BYTES)
    }

    fn rerun(&self, run: &CiRun) -> Result<()> {
        self.rerun_failed(run)
    }

    fn rate(&self) -> Option<Rate> {
        self.http.rate()
    }
}
