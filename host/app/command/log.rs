//! `host log`: earlier runs and their outcomes.

use crate::cli::LogArgs;
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_report::Report;
use guardhost_report::journal::{FoundRun, find, latest};

use super::CommandContext;

pub fn log(args: &LogArgs, ctx: &CommandContext) -> Result<Report> {
    let state = ctx.repo()?.state_dir()?;
    let Some(prefix) = &args.run else { return Ok(Report::Log(latest(&state, args.limit)?)) };
    let fault = match find(&state, prefix)? {
        FoundRun::One(history) => return Ok(Report::LogRun(Box::new(history))),
        FoundRun::None => Fault::new(Kind::Usage, format!("no run begins with `{prefix}`"))
            .hint("`host log` lists those that are kept; older ones were pruned"),
        FoundRun::Several(runs) => {
            let shown = runs.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
            Fault::new(Kind::Usage, format!("{} runs begin with `{prefix}`", runs.len()))
                .hint(format!("give more of one: {shown}"))
        }
    };
    Err(fault.into())
}
