//! What the forge remembers beside its repositories.

use serde_json::{Value, json};

use super::faults::Faults;

#[derive(Default)]
pub struct State {
    pub pulls: Vec<Pull>,
    pub issues: Vec<TrackerIssue>,
    /// On whole pull requests.
    pub comments: Vec<CommentState>,
    pub inline: Vec<Inline>,
    /// Of Gitea: what comments on lines belong to.
    pub reviews: Vec<Review>,
    /// Of GitHub: reviews with a text.
    pub whole_reviews: Vec<WholeReview>,
    /// Bodies of uploads.
    pub sarifs: Vec<Value>,
    /// The repository takes no SARIF.
    pub has_no_code_scanning: bool,
    /// Of Gitea: the names of the repository's labels.
    pub labels: Vec<String>,
    /// Commit, and the body of the request.
    pub statuses: Vec<(String, Value)>,
    /// Commit, id, and the fields.
    pub checks: Vec<(String, u64, Value)>,
    /// Newest last.
    pub runs: Vec<RunState>,
    /// What the heads of pull requests build that have no build yet: the first for the first that is asked for, and so on.
    pub planned: Vec<RunState>,
    pub faults: Faults,
    /// What is not as the API is described.
    pub violations: Vec<String>,
    /// Requests and answers that were compared.
    pub compared: u32,
    pub requests: Vec<String>,
    /// Of every process of the machine, at every request of git.
    pub command_lines: Vec<String>,
    /// Answers with status 304.
    pub unchanged: u32,
    /// The credential is that of an app: it may write check runs, and may not ask who it is.
    pub is_app: bool,
    /// The account may read the repository and not push to it.
    pub is_read_only: bool,
    pub is_over: bool,
    next_id: u64,
}

#[derive(Default)]
pub struct Pull {
    pub number: u64,
    pub title: String,
    pub body: String,
    pub is_open: bool,
    pub is_merged: bool,
    pub head: String,
    pub base: String,
    pub draft: bool,
    pub labels: Vec<String>,
    /// By which it came in; None: the tip of its base.
    pub merge_commit: Option<String>,
    /// Who opened it; None: the account of the token.
    pub account: Option<String>,
}

impl Pull {
    pub fn login(&self) -> &str {
        self.account.as_deref().unwrap_or("robot")
    }
}

pub struct TrackerIssue {
    pub number: u64,
    pub title: String,
    /// None: the API answers `null`.
    pub body: Option<String>,
    pub is_open: bool,
}

pub struct CommentState {
    pub id: u64,
    pub pull: u64,
    pub body: String,
    pub user: String,
}

pub struct Inline {
    pub id: u64,
    pub pull: u64,
    pub path: String,
    /// The commit that the lines are counted in.
    pub commit: String,
    pub is_left: bool,
    pub start_line: Option<u64>,
    pub line: u64,
    pub body: String,
    pub user: String,
}

pub struct Review {
    pub id: u64,
    pub pull: u64,
    pub comment: u64,
    pub user: String,
}

pub struct WholeReview {
    pub id: u64,
    pub pull: u64,
    pub commit: String,
    pub body: String,
    pub user: String,
}

/// A run of a workflow.
#[derive(Clone)]
pub struct RunState {
    pub id: u64,
    pub workflow: u64,
    pub name: String,
    pub sha: String,
    pub status: &'static str,
    pub conclusion: Option<&'static str>,
    pub attempt: u32,
    pub jobs: Vec<JobState>,
    /// How it ends when its failed jobs are started again.
    pub on_rerun: Option<&'static str>,
}

#[derive(Clone)]
pub struct JobState {
    pub id: u64,
    pub name: String,
    pub conclusion: Option<&'static str>,
    pub log: String,
}

impl State {
    pub fn id(&mut self) -> u64 {
        self.next_id += 1;
        1000 + self.next_id
    }

    /// Starts the next planned build for a commit without one, with ids of its own.
    pub fn begin_builds(&mut self, sha: &str) {
        if self.planned.is_empty() || self.runs.iter().any(|run| run.sha == sha) {
            return;
        }
        let mut run = self.planned.remove(0);
        run.id = self.id();
        for job in &mut run.jobs {
            job.id = self.id();
        }
        self.runs.push(RunState { sha: sha.to_owned(), ..run });
    }

    /// Adds a comment of somebody else.
    pub fn add_comment(&mut self, pull: u64, user: &str, body: &str) {
        let id = self.id();
        self.comments.push(CommentState { id, pull, body: body.to_owned(), user: user.to_owned() });
    }

    /// The account of the token, as an answer shows it.
    pub fn own_user(&self) -> &'static str {
        if self.is_app { "robot[bot]" } else { "robot" }
    }

    pub fn user(login: &str) -> Value {
        json!({ "login": login, "type": if login.ends_with("[bot]") { "Bot" } else { "User" } })
    }
}
