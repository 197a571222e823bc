//! `host pr status`: how the pull request of a run stands. Nothing is changed, here or at the forge.

use guardhost_core::error::Result;
use guardhost_forge::comments::body::{CommentScope, existing};
use guardhost_forge::watch::progress;
use guardhost_forge::{ForgeError, MergeState};
use guardhost_report::{FindingCounts, Mergeability, PullStanding, PullStatusReport, Report};

use super::connection::connect;
use super::target::{PullTarget, target};
use super::watch::{outcome, row};
use crate::cli::StatusArgs;
use crate::context::CommandContext;

pub fn status(args: &StatusArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let PullTarget { history, branch, head, .. } = target(&repo, args.run.as_deref())?;
    let forge = connect(&args.forge, &repo, ctx)?.forge;
    let standing = || {
        let Some(pull) = forge.find(&branch)? else { return Ok(None) };
        // A list does not say whether it can be merged.
        let pull = forge.pull(pull.number)?;
        let runs = forge.ci_runs(&pull.head_sha)?;
        let mut findings = FindingCounts::default();
        let comments = forge.inline_comments(pull.number)?;
        for found in
            comments.iter().filter_map(|comment| CommentScope::ALL.iter().find_map(|scope| existing(*scope, comment)))
        {
            match found.is_resolved {
                true => findings.resolved += 1,
                false => findings.open += 1,
            }
        }
        Ok(Some(PullStanding {
            number: pull.number,
            outcome: progress(&runs).map(|found| outcome(&found)),
            builds: runs.into_iter().map(row).collect(),
            merge: merge(pull.merge),
            url: pull.url,
            title: pull.title,
            base: pull.base,
            draft: pull.draft,
            commit: pull.head_sha,
            findings,
        }))
    };
    let pull = standing().map_err(ForgeError::into_error)?;
    let report = PullStatusReport { of: history.run, branch, commit: Some(head), pull, notices: Vec::new() };
    Ok(Report::PullStatus(Box::new(report)))
}

fn merge(state: MergeState) -> Mergeability {
    match state {
        MergeState::Unknown => Mergeability::Unknown,
        MergeState::Clean => Mergeability::Clean,
        MergeState::Conflicts => Mergeability::Conflicts,
        MergeState::Blocked => Mergeability::Blocked,
    }
}
