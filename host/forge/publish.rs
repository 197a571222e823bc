//! The steps after a push: the pull request, its comments, its one summary. Each looks at what is there first, so that all of them can be
//! repeated after a failure, and what is right already is left alone.

use crate::comments::body::CommentScope;
use crate::comments::{CommentPlan, DiffLines, Existing, Remark, Summarised, body, plan};
use crate::error::{ForgeFailure, Result};
use crate::forge::Forge;
use crate::model::{NewInline, NewPull, PullRequest, WriteOutcome};
use crate::one_comment::one_comment;

/// Opens the pull request of a branch, or brings the body of the open one up to date. Its title, and what people wrote around our part of the
/// body, stay as they are.
pub fn open_or_update(forge: &dyn Forge, new: &NewPull) -> Result<(PullRequest, WriteOutcome)> {
    let Some(open) = forge.find(&new.head)? else { return Ok((forge.open(new)?, WriteOutcome::Made)) };
    let body = body::merged(&open.body, &new.body);
    if body == open.body {
        return Ok((open, WriteOutcome::Unchanged));
    }
    Ok((forge.update(open.number, &open.title, &body)?, WriteOutcome::Changed))
}

/// The one comment that is edited in place. `text` holds [`body::SUMMARY_MARKER`].
pub fn sticky(forge: &dyn Forge, number: u64, text: &str) -> Result<WriteOutcome> {
    one_comment(forge, number, text, body::SUMMARY_MARKER)
}

/// What became of the findings.
#[derive(Debug, Clone)]
pub struct Published {
    pub plan: CommentPlan,
    /// Findings whose comment the forge did not take: they are in the summary.
    pub refused: usize,
    pub summary: WriteOutcome,
}

/// The findings of one commit, and what they are shown with.
pub struct Findings<'a> {
    pub sha: &'a str,
    pub remarks: &'a [Remark],
    /// What the pull request changes.
    pub diff: &'a DiffLines,
    /// A file of the commit.
    pub text: &'a dyn Fn(&str) -> Option<String>,
    /// Markdown, before the findings in the summary.
    pub head: &'a str,
}

/// Comments that follow the findings of the guards on a commit.
pub fn publish(forge: &dyn Forge, pull: &PullRequest, findings: &Findings<'_>) -> Result<Published> {
    let (plan, refused) = on_lines(forge, pull, findings, CommentScope::Guards)?;
    let summary = sticky(forge, pull.number, &body::summary(findings.head, findings.remarks, &plan))?;
    Ok(Published { plan, refused, summary })
}

/// The same for what models say: the rest is in a review of the commit, or in a comment where the forge has none that can be edited.
pub fn publish_review(forge: &dyn Forge, pull: &PullRequest, findings: &Findings<'_>) -> Result<Published> {
    let (plan, refused) = on_lines(forge, pull, findings, CommentScope::Critics)?;
    let text = body::review(findings.head, findings.remarks, &plan);
    let summary = forge.review(pull.number, findings.sha, &text, body::REVIEW_MARKER)?;
    Ok(Published { plan, refused, summary })
}

/// Comments on lines, and how many the forge did not take.
fn on_lines(
    forge: &dyn Forge,
    pull: &PullRequest,
    findings: &Findings<'_>,
    scope: CommentScope,
) -> Result<(CommentPlan, usize)> {
    let Findings { sha, remarks, diff, text, .. } = *findings;
    let comments = forge.inline_comments(pull.number)?;
    let existing: Vec<Existing> = comments.iter().filter_map(|comment| body::existing(scope, comment)).collect();
    let mut plan = plan(remarks, &existing, diff, text);
    for id in &plan.resolved {
        let Some(comment) = comments.iter().find(|comment| comment.id == *id) else { continue };
        forge.edit_inline(pull.number, *id, &body::resolved(&comment.body, sha))?;
    }
    for kept in plan.kept.iter().filter(|kept| kept.reopened) {
        forge.edit_inline(pull.number, kept.id, &body::comment(scope, &remarks[kept.finding], &kept.fingerprint))?;
    }
    let mut refused = 0;
    let mut made = Vec::new();
    for (finding, place, fingerprint) in std::mem::take(&mut plan.new) {
        let new = NewInline {
            sha: sha.to_owned(),
            path: place.path.clone(),
            side: place.side,
            start_line: place.start_line,
            line: place.line,
            old_line: place.old_line,
            body: body::comment(scope, &remarks[finding], &fingerprint),
            marker: body::finding_marker(scope, &fingerprint),
        };
        match forge.comment_inline(pull.number, &new) {
            Ok(_) => made.push((finding, place, fingerprint)),
            // The forge computes the diff in its own way. One refused comment is no reason to lose the others.
            Err(error) if error.class == ForgeFailure::Rejected => {
                refused += 1;
                plan.summarised.push(Summarised::OffTheDiff(finding));
            }
            Err(error) => return Err(error),
        }
    }
    plan.new = made;
    Ok((plan, refused))
}
