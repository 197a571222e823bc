//! What a forge can do.

use crate::error::{ForgeError, ForgeFailure, Result};
use crate::model::{
    ChangedFile, CheckRun, CiJob, CiRun, Comment, CommitStatus, InlineComment, NewInline, NewPull, PastPullPage,
    PullRequest, PushAccess, Rate, RepositoryInfo, TrackedIssue, Viewer, WriteOutcome,
};

/// One repository at a forge.
///
/// Every function that makes something makes it once, also when the answer to the request is lost: the forge is asked whether it is there
/// before it is asked again to make it. All others can be repeated.
pub trait Forge {
    /// Which account the credential is.
    fn viewer(&self) -> Result<Viewer>;

    /// One request: whether the credential reaches the repository, and what it may do there.
    fn repository(&self) -> Result<RepositoryInfo>;

    /// For whoever pays for a change before it is pushed.
    ///
    /// # Errors
    /// [`FailureClass::Forbidden`]: the credential's account may not push; whatever the request fails with.
    fn check_push_access(&self) -> Result<()> {
        match self.repository()?.push {
            PushAccess::Allowed | PushAccess::Unknown => Ok(()),
            PushAccess::Denied => {
                let what = "the account of the token may read this repository, and may not push to it";
                Err(ForgeError::new(ForgeFailure::Forbidden, what))
            }
        }
    }

    /// The open pull request of a branch of this repository.
    fn find(&self, head: &str) -> Result<Option<PullRequest>>;

    /// All open pull requests, oldest first.
    fn open_pulls(&self) -> Result<Vec<PullRequest>>;

    /// One request: a page of all pull requests, open or not, those with the highest numbers first. Pages count from 1; a page has as many as the forge gives
    /// at a time. What is opened between two requests moves entries to later pages, so that none is missed by whoever reads on.
    fn past_pulls(&self, page: u32) -> Result<PastPullPage>;

    fn pull(&self, number: u64) -> Result<PullRequest>;

    /// # Errors
    /// [`ForgeFailure::NotFound`]: there is no such issue, or the number is that of a pull request.
    fn issue(&self, number: u64) -> Result<TrackedIssue>;

    /// Opens a pull request; the one of the branch, if there is one by then.
    fn open(&self, new: &NewPull) -> Result<PullRequest>;

    fn update(&self, number: u64, title: &str, body: &str) -> Result<PullRequest>;

    fn close(&self, number: u64) -> Result<PullRequest>;

    fn add_labels(&self, number: u64, labels: &[&str]) -> Result<()>;

    fn files(&self, number: u64) -> Result<Vec<ChangedFile>>;

    /// Comments on the whole pull request, oldest first.
    fn comments(&self, number: u64) -> Result<Vec<Comment>>;

    /// `marker` is part of `body`, and of no other comment.
    fn comment(&self, number: u64, body: &str, marker: &str) -> Result<Comment>;

    /// `number` is of the pull request.
    fn edit_comment(&self, number: u64, id: u64, body: &str) -> Result<()>;

    /// Comments on lines, oldest first.
    fn inline_comments(&self, number: u64) -> Result<Vec<InlineComment>>;

    /// # Errors
    /// [`crate::FailureClass::Rejected`]: the lines are not part of the diff, for the forge.
    fn comment_inline(&self, number: u64, new: &NewInline) -> Result<InlineComment>;

    /// `number` is of the pull request.
    fn edit_inline(&self, number: u64, id: u64, body: &str) -> Result<()>;

    /// One review of a commit by the credential's account, which neither approves nor refuses: `body` holds `marker`. One that is there is edited.
    /// Where a forge has no review that can be edited, a comment.
    fn review(&self, number: u64, sha: &str, body: &str, marker: &str) -> Result<WriteOutcome>;

    fn set_status(&self, sha: &str, status: &CommitStatus) -> Result<()>;

    /// # Errors
    /// [`crate::FailureClass::Forbidden`]: the credential is not that of an app.
    fn set_check(&self, sha: &str, check: &CheckRun) -> Result<()>;

    /// What the guards found, in SARIF 2.1.0, as an analysis of the pull request's commit.
    ///
    /// # Errors
    /// [`FailureClass::Forbidden`]: the forge has no such analyses, or the credential or the repository may not have them.
    fn upload_sarif(&self, _sha: &str, _number: u64, _sarif: &[u8]) -> Result<()> {
        Err(ForgeError::new(ForgeFailure::Forbidden, "this forge takes no SARIF"))
    }

    /// The builds of a commit: each workflow's newest run, and what other services said last. The host's own status is none.
    fn ci_runs(&self, sha: &str) -> Result<Vec<CiRun>>;

    /// The jobs of the newest attempt of a run.
    fn jobs(&self, run: u64) -> Result<Vec<CiJob>>;

    /// The end of a job's log. Text of a stranger.
    fn job_log(&self, job: u64) -> Result<String>;

    /// Starts the failed jobs of a run again.
    fn rerun(&self, run: &CiRun) -> Result<()>;

    /// What the last answer said of the limits; None before the first.
    fn rate(&self) -> Option<Rate>;
}
