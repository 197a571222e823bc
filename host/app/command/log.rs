//! `host log`: what runs came to.

use crate::cli::LogArgs;
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_report::Report;
use guardhost_report::journal::{Found, find, latest};

use super::Desk;

pub fn log(args: &LogArgs, desk: &Desk) -> Result<Report> {
    let state = desk.repo()?.state_dir()?;
    let Some(prefix) = &args.run else { return Ok(Report::Log(latest(&state, args.limit)?)) };
    let fault = match find(&state, prefix)? {
        Found::One(history) => return Ok(Report::LogRun(Box::new(history))),
        Found::None => Fault::new(Kind::Usage, format!("no run begins with `{prefix}`"))
            .hint("`host log` lists those that are kept; older ones were pruned"),
        Found::Several(runs) => {
            let shown = runs.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
            Fault::new(Kind::Usage, format!("{} runs begin with `{prefix}`", runs.len()))
                .hint(format!("give more of one: {shown}"))
        }
    };
    Err(fault.into())
}
