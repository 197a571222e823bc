//! `host stats`: what the repository remembers of rulings, in figures.

use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_display::badge;
use guardhost_report::rulings::{self, read};
use guardhost_report::{Report, StatsReport};
use jiff::Timestamp;

use crate::cli::StatsArgs;
use crate::context::CommandContext;

/// # Errors
/// [`FaultKind::Usage`]: the badge cannot be written; the records cannot be read.
pub fn stats(args: &StatsArgs, ctx: &CommandContext) -> Result<Report> {
    let report = counted(args.weeks, ctx)?;
    if let Some(file) = &args.badge {
        std::fs::write(ctx.path(file), badge(&report))
            .with_context(|| Fault::new(FaultKind::Usage, format!("cannot write the badge {}", file.display())))?;
    }
    Ok(Report::Stats(Box::new(report)))
}

/// The figures of the last weeks.
pub(crate) fn counted(weeks: u32, ctx: &CommandContext) -> Result<StatsReport> {
    let now = Timestamp::now();
    Ok(rulings::stats(&read(&ctx.repo()?.state_path(), now)?, weeks, now))
}
