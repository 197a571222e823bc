//! GitLab, by its REST API of version 4. It is written from GitLab's documentation: no package that can be had here holds its published
//! description, so nothing is said of conformance.
//!
//! What it has in another form than GitHub:
//! - a pull request is a merge request, whose number is its `iid`, and a comment belongs to one: there is no address of a comment alone;
//! - a comment on a line is the first note of a discussion; of an unchanged line its position has both numbers;
//! - a draft is one whose title begins with `Draft:`;
//! - a build is a pipeline, without a number of its attempts: what counts are the attempts of its jobs;
//! - there are no check runs, and the status of a commit cannot be set to what it is.

mod ci;
mod merge_requests;
mod notes;
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

const DIALECT: ForgeDialect =
    ForgeDialect { headers: &[("accept", "application/json")], scheme: "Bearer", page_size: ("per_page", 100) };

/// The least access with which GitLab lets an account push: Developer.
const DEVELOPER: u64 = 30;

/// One project at GitLab.
pub struct GitLab {
    http: Http,
    /// `/projects/GROUP%2FNAME`.
    root: String,
    username: std::cell::OnceCell<String>,
}

impl GitLab {
    /// # Errors
    /// [`FailureClass::Address`]: the address of the API is wrong or not encrypted.
    pub fn new(address: &RepoAddress, settings: HttpSettings) -> Result<Self> {
        let root = format!("/projects/{}", json::encoded(&address.full_path()));
        Ok(GitLab { http: Http::new(settings, DIALECT)?, root, username: std::cell::OnceCell::new() })
    }

    fn path(&self, rest: &str) -> String {
        format!("{}{rest}", self.root)
    }

    /// A path below a merge request.
    fn pull_address(&self, number: u64, rest: &str) -> String {
        self.path(&format!("/merge_requests/{number}{rest}"))
    }

    fn username(&self) -> Result<&str> {
        if let Some(name) = self.username.get() {
            return Ok(name);
        }
        let user = self.http.json(&HttpCall::get("/user"))?;
        let name = json::text(&user, "username")?.to_owned();
        Ok(self.username.get_or_init(|| name))
    }

    /// Whether the credential's account wrote something.
    fn is_own(&self, user: &Value) -> Result<bool> {
        let name = self.username()?;
        Ok(user["username"].as_str().is_some_and(|found| found.eq_ignore_ascii_case(name)))
    }

    /// Changes a merge request.
    fn change(&self, number: u64, body: Value) -> Result<PullRequest> {
        // What is set twice is set once.
        read::pull(&self.http.json(&HttpCall::replace(self.pull_address(number, ""), body))?)
    }
}

impl Forge for GitLab {
    fn viewer(&self) -> Result<Viewer> {
        Ok(Viewer::User(self.username()?.to_owned()))
    }

    fn repository(&self) -> Result<RepositoryInfo> {
        let project = self.http.json(&HttpCall::get(self.path("")))?;
        // Either may be null; who has neither sees a public project.
        let levels = ["project_access", "group_access"].map(|by| project["permissions"][by]["access_level"].as_u64());
        let push = project["permissions"].is_object().then(|| levels.into_iter().flatten().max() >= Some(DEVELOPER));
        Ok(RepositoryInfo { default_branch: json::text(&project, "default_branch")?.to_owned(), push: push.into() })
    }

    fn find(&self, head: &str) -> Result<Option<PullRequest>> {
        self.find_pull(head)
    }

    fn open_pulls(&self) -> Result<Vec<PullRequest>> {
        self.list_pulls()
    }

    fn past_pulls(&self, page: u32) -> Result<PastPullPage> {
        let (listed, has_next) =
            self.http.page(&self.path("/merge_requests?state=all&order_by=created_at&sort=desc"), page)?;
        Ok(PastPullPage { pulls: listed.iter().map(read::past_pull).collect::<Result<_>>()?, is_last: !has_next })
    }

    fn pull(&self, number: u64) -> Result<PullRequest> {
        read::pull(&self.http.json(&HttpCall::get(self.pull_address(number, "")))?)
    }

    fn issue(&self, number: u64) -> Result<TrackedIssue> {
        read::issue(&self.http.json(&HttpCall::get(self.path(&format!("/issues/{number}"))))?)
    }

    fn open(&self, new: &NewPull) -> Result<PullRequest> {
        self.open_pull(new)
    }

    fn update(&self, number: u64, title: &str, body: &str) -> Result<PullRequest> {
        self.change(number, json!({ "title": title, "description": body }))
    }

    fn close(&self, number: u64) -> Result<PullRequest> {
        self.change(number, json!({ "state_event": "close" }))
    }

    fn add_labels(&self, number: u64, labels: &[&str]) -> Result<()> {
        // Labels that it has stay once, and those that the project does not have are made.
        self.change(number, json!({ "add_labels": labels.join(",") })).map(drop)
    }

    fn files(&self, number: u64) -> Result<Vec<ChangedFile>> {
        self.http.list(&self.pull_address(number, "/diffs"), None)?.iter().map(read::file).collect()
    }

    fn comments(&self, number: u64) -> Result<Vec<Comment>> {
        self.list_comments(number)
    }

    fn comment(&self, number: u64, body: &str, marker: &str) -> Result<Comment> {
        self.new_comment(number, body, marker)
    }

    fn edit_comment(&self, number: u64, id: u64, body: &str) -> Result<()> {
        self.edit(number, id, body)
    }

    fn inline_comments(&self, number: u64) -> Result<Vec<InlineComment>> {
        self.list_inline(number)
    }

    fn comment_inline(&self, number: u64, new: &NewInline) -> Result<InlineComment> {
        self.new_inline(number, new)
    }

    fn edit_inline(&self, number: u64, id: u64, body: &str) -> Result<()> {
        self.edit(number, id, body)
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
        self.http.list(&self.path(&format!("/pipelines/{run}/jobs")), None)?.iter().map(read::job).collect()
    }

    fn job_log(&self, job: u64) -> Result<String> {
        self.http.redirected_text(&HttpCall::get(self.path(&format!("/jobs/{job}/trace"))), json::MAX_LOG_BYTES)
    }

    fn rerun(&self, run: &CiRun) -> Result<()> {
        self.retry(run)
    }

    fn rate(&self) -> Option<Rate> {
        self.http.rate()
    }
}
