//! `host backtest`: the changes of the past, judged by the guards of today, beside what became of them.

mod fetch;
mod forge;
mod judge;
mod links;
mod stored_lines;
mod stored_pulls;
mod stored_verdicts;
mod tally;
mod triaged;

use std::time::{Duration, Instant};

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::stop::Stopped;
use guardhost_engine::outlines::Outlines;
use guardhost_git::{PastFacts, PastQuery};
use guardhost_pages::backtest_document;
use guardhost_report::Report;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::cli::BacktestArgs;
use crate::context::CommandContext;

pub use judge::{Judges, PastGuardVerdict, PastRuling, PastVerdict};
pub use links::ForgeLinks;
pub use tally::{outcome, stopped};

/// Judges what the history holds, and counts what would have been stopped.
///
/// # Errors
/// [`FaultKind::Usage`]: there are no pull requests here, or the day is none; those of the rules, of git and of the disk.
pub fn backtest(args: &BacktestArgs, ctx: &CommandContext) -> Result<Report> {
    let began = Instant::now();
    ctx.process.stop.limit_run(began, args.max_time.map(Duration::from_secs));
    let mut repo = ctx.repo()?;
    if let Some(remote) = &args.fetch {
        fetch::heads(&repo, remote, args.limit as usize, ctx)?;
        repo = ctx.repo()?;
    }
    let head = repo.head()?;
    let since = args.since.as_deref().map(seconds).transpose()?;
    let asked = args.forge.map(|kind| forge::ask(kind, args, since, &repo, ctx)).transpose()?;
    let outlines = args.triage.then(|| Outlines::new(ctx.embedded, ctx.process.stop.clone()));
    let judges = Judges::open(&ctx.policies(), &repo, &head, &args.only, ctx)?.with_triage(outlines);
    ctx.see(&Event::Progress { text: "reading the history".to_owned() });
    let past = repo.past_changes(&PastQuery {
        pulls: args.pulls,
        agents: args.agents,
        limit: args.limit as usize,
        since,
        is_written: &|path| judges.is_written(path),
        forge_words: asked.as_ref().map(|asked| &asked.words),
        facts: &PastFacts::new(&repo, ctx.global.fresh),
        stop: &ctx.process.stop,
    })?;
    let verdicts = judges.judge(&past.changes, ctx)?;
    let mut report = tally::tally(&past.changes, &verdicts, &ForgeLinks::new(&repo));
    report.triage = args.triage.then(|| triaged::triaged(&past.changes, &verdicts));
    report.commit = head.commit;
    report.pulls = args.pulls;
    report.ended_by = verdicts.iter().any(Option::is_none).then(|| ended_by(ctx));
    report.forge = asked.as_ref().map(|asked| forge::account(&past.changes, asked.ended.as_ref()));
    report.notices = [past.notices, judges.notices()].concat();
    report.notices.extend(
        asked.and_then(|asked| asked.ended).map(|ended| format!("the forge was not asked to the end: {ended}")),
    );
    report.micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    if let Some(file) = &args.page {
        let path = ctx.path(file);
        std::fs::write(&path, backtest_document(&report).html)
            .with_context(|| Fault::new(FaultKind::Usage, format!("cannot write {}", path.display())))?;
    }
    Ok(Report::Backtest(Box::new(report)))
}

/// Something ended the work, or not all would be judged.
pub fn ended_by(ctx: &CommandContext) -> &'static str {
    ctx.process.stop.check().err().unwrap_or(Stopped::Interrupted).code()
}

/// Since 1970, at the beginning of a day in UTC.
fn seconds(day: &str) -> Result<i64> {
    let wrong = || Fault::new(FaultKind::Usage, format!("`{}` is no day", day.escape_debug())).hint("write 2026-01-31");
    let day: Date = day.parse().with_context(wrong)?;
    Ok(day.to_zoned(TimeZone::UTC).with_context(wrong)?.timestamp().as_second())
}
