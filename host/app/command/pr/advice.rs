//! What models say of a whole pull request, before it is opened: critics, by default the one that reads it as its author should have, and votes.
//! It is advice: neither a bad word nor a provider that fails stops the pull request.

use guardhost_core::error::Result;
use guardhost_provider::Cancel;
use guardhost_report::ReviewReport;

use super::change::PullChange;
use crate::cli::{OpenArgs, ReviewArgs};
use crate::command::review::{EarlierParts, review_change};
use crate::command::run::budget::PlanBudget;
use crate::context::CommandContext;

/// None when nobody is to be asked, or could be. What it takes is taken from `budget`.
pub fn advice(
    change: &PullChange,
    args: &OpenArgs,
    parts: &EarlierParts,
    ctx: &CommandContext,
    (cancel, budget): (&Cancel, &mut PlanBudget),
    notices: &mut Vec<String>,
) -> Result<Option<Box<ReviewReport>>> {
    if !args.pull.advice.review {
        return Ok(None);
    }
    let without = |why: String| format!("the pull request has no review: {why}");
    let left = match budget.left() {
        Ok(ask) => ask.provider,
        Err(why) => {
            notices.push(without(why));
            return Ok(None);
        }
    };
    let asked = ReviewArgs::from_pull(change.spec(), &args.pull.advice, &left, &args.forge);
    match review_change(&asked, parts, ctx, cancel.clone()) {
        Ok(report) => {
            report.spent.iter().for_each(|spent| budget.spend(spent));
            Ok(Some(Box::new(report)))
        }
        Err(error) => {
            ctx.process.stop.check().map_err(|stopped| stopped.into_error("the review"))?;
            notices.push(without(format!("{error:#}")));
            Ok(None)
        }
    }
}
