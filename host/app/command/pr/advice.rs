//! What models say of a whole pull request, before it is opened: critics, by default the one that reads it as its author should have, and votes.
//! It is advice: neither a bad word nor a provider that fails stops the pull request.

use guardhost_core::error::Result;
use guardhost_provider::Cancel;
use guardhost_report::ReviewReport;

use super::change::PullChange;
use crate::cli::{OpenArgs, ReviewArgs};
use crate::command::review::review_change;
use crate::context::CommandContext;

/// None when nobody is to be asked, or could be.
pub fn advice(
    change: &PullChange,
    args: &OpenArgs,
    ctx: &CommandContext,
    cancel: &Cancel,
    notices: &mut Vec<String>,
) -> Result<Option<Box<ReviewReport>>> {
    if !args.pull.advice.review {
        return Ok(None);
    }
    let asked = ReviewArgs::from_pull(change.spec(), &args.pull.advice, &args.provider, &args.forge);
    match review_change(&asked, ctx, cancel.clone()) {
        Ok(report) => Ok(Some(Box::new(report))),
        Err(error) => {
            ctx.process.stop.check().map_err(|stopped| stopped.into_error("the review"))?;
            notices.push(format!("the pull request has no review: {error:#}"));
            Ok(None)
        }
    }
}
