//! `host review --pr N`: the change of an open pull request, and what was said of it as comments and a review there.

use guardhost_core::change::Judgement;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_forge::{Findings, ForgeError, Published, PullRequest, PullState, WriteOutcome, publish, publish_review};
use guardhost_git::Repo;
use guardhost_provider::Cancel;
use guardhost_report::{CommentCounts, PostedReview, Report, ReviewReport, StepDone};

use super::change::{PullChange, remarks};
use super::connection::{ForgeConnection, connect};
use super::counts::{counts, step};
use super::fetched::fetch_pulls;
use super::{text, text_review};
use crate::cli::{ForgeArgs, ReviewArgs};
use crate::command::review::review_candidate;
use crate::context::CommandContext;

/// `host review --pr NUMBER`.
///
/// # Errors
/// Of the forge and of the review; [`FaultKind::Usage`]: the pull request is not open.
pub fn review_pull(number: u64, args: &ReviewArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let repo = ctx.repo()?;
    let reviewed = reviewed_pull(number, &args.forge, &repo, ctx)?;
    let mut report = review_candidate(reviewed.change.candidate.clone(), args, &repo, ctx, cancel)?;
    if args.post {
        report.posted = Some(post(&reviewed, &report, &repo)?);
    }
    Ok(Report::Review(Box::new(report)))
}

/// An open pull request, with its commits here.
struct ReviewedPull {
    connection: ForgeConnection,
    pull: PullRequest,
    change: PullChange,
}

fn reviewed_pull(number: u64, args: &ForgeArgs, repo: &Repo, ctx: &CommandContext) -> Result<ReviewedPull> {
    let connection = connect(args, repo, ctx)?;
    let pull = connection.forge.pull(number).map_err(ForgeError::into_error)?;
    match pull.state {
        PullState::Open => {}
        PullState::Closed | PullState::Merged => {
            let fault = Fault::new(FaultKind::Usage, format!("the pull request {number} is not open"));
            return Err(fault.hint("review what it was by its commits: host review --range A...B").into());
        }
    }
    let (base, heads) = fetch_pulls(repo, &connection, &pull.base, std::slice::from_ref(&pull), ctx)?;
    let change = PullChange::new(repo, heads[0], &[base.to_string()])?;
    Ok(ReviewedPull { connection, pull, change })
}

/// Publishes what guards and models said of it. It can be repeated: what is there already is left, or edited.
fn post(reviewed: &ReviewedPull, report: &ReviewReport, repo: &Repo) -> Result<PostedReview> {
    let ReviewedPull { connection, pull, change } = reviewed;
    let posted = published(connection, pull, change, report, repo)?;
    Ok(PostedReview { number: pull.number, url: pull.url.clone(), review: posted.0, comments: posted.1 })
}

fn published(
    connection: &ForgeConnection,
    pull: &PullRequest,
    change: &PullChange,
    report: &ReviewReport,
    repo: &Repo,
) -> Result<(StepDone, CommentCounts)> {
    let judgement = report.check.judgement.for_model(&report.check.quotes);
    let of_guards = publish_with(
        connection,
        pull,
        change,
        repo,
        &judgement,
        &text::summary(change, &judgement, report.check.triage.as_ref()),
        publish,
    )?;
    let (done, of_models) = publish_advice(connection, pull, change, report, repo)?;
    Ok((step(done), sum(counts(&of_guards), of_models)))
}

/// What models said, and what became of it.
pub fn publish_advice(
    connection: &ForgeConnection,
    pull: &PullRequest,
    change: &PullChange,
    report: &ReviewReport,
    repo: &Repo,
) -> Result<(WriteOutcome, CommentCounts)> {
    // What is not shown to a model is not shown to whoever reads a pull request.
    let critics = report.critics.for_model(&report.check.quotes);
    let head = format!(
        "**guardhost**: a review of {}.\n\n{}",
        change.short(),
        text_review::rows_of_votes(&report.votes, &report.approval)
    );
    let done = publish_with(connection, pull, change, repo, &critics, &head, publish_review)?;
    Ok((done.summary, counts(&done)))
}

type Publish = fn(&dyn guardhost_forge::Forge, &PullRequest, &Findings<'_>) -> guardhost_forge::Result<Published>;

fn publish_with(
    connection: &ForgeConnection,
    pull: &PullRequest,
    change: &PullChange,
    repo: &Repo,
    judgement: &Judgement,
    head: &str,
    publish: Publish,
) -> Result<Published> {
    let (remarks, diff, sha) = (remarks(judgement), change.lines(repo)?, change.head.to_string());
    let findings = Findings { sha: &sha, remarks: &remarks, diff: &diff, text: &|path| change.text(path), head };
    publish(connection.forge.as_ref(), pull, &findings).map_err(ForgeError::into_error)
}

fn sum(one: CommentCounts, other: CommentCounts) -> CommentCounts {
    CommentCounts {
        new: one.new + other.new,
        kept: one.kept + other.kept,
        reopened: one.reopened + other.reopened,
        resolved: one.resolved + other.resolved,
        summarised: one.summarised + other.summarised,
        refused: one.refused + other.refused,
    }
}
