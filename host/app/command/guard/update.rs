//! `host guard update`: locks the newest versions that guards.toml allows, and shows the differences.

use std::time::Duration;

use crate::cli::UpdateArgs;
use crate::context::CommandContext;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_policy::config::did_you_mean;
use guardhost_policy::config::{FILE, GuardsToml, LockFile};
use guardhost_report::{PinCommand, PinsReport, Report};

use super::backtest::backtest;
use super::differences::differences;
use super::fetch_component::Want;
use super::files::PinFiles;
use super::resolve::{Resolved, Resolver, granted};

pub fn update(args: &UpdateArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let files = PinFiles::read(&repo, ctx)?;
    let rules = files.rules()?;
    known(&args.ids, rules)?;
    for pin in rules.pins() {
        args.ids.iter().for_each(|written| ctx.note_former_id(written, &pin.id));
    }
    let (old, notice) = files.lock_or_none();
    let cooldown = Duration::from_secs(u64::from(args.cooldown) * 86_400);
    let resolver = Resolver::new(ctx, files.place(), rules);
    let mut resolved = Vec::new();
    for pin in rules.pins() {
        let chosen = args.ids.is_empty() || args.ids.iter().any(|id| pin.is_meant(id));
        let want = if chosen { Want::Newest { cooldown, downgrade: args.allow_downgrade } } else { Want::Kept };
        resolved.push(resolver.resolve(pin, &old, want)?);
    }
    let new = LockFile::new(resolved.iter().map(|found| found.locked.clone()).collect());
    let reads = |found: &Resolved| Some((found.locked.id.clone(), found.reads.clone()?));
    let mut changes = differences(&old, &new, &resolved.iter().filter_map(reads).collect());
    for change in &mut changes {
        if let Some(resolved) = resolved.iter().find(|resolved| resolved.locked.id == change.id) {
            change.notes.extend(resolved.held_back.iter().cloned());
            change.notes.extend(granted(resolved).err().map(|error| format!("refused: {error}")));
        }
    }
    let mut report = PinsReport {
        dry_run: args.dry_run,
        changes,
        notices: notice.into_iter().chain(resolver.net.cache.trouble()).collect(),
        ..PinsReport::new(PinCommand::Update)
    };
    let refused = resolved.iter().find_map(|resolved| granted(resolved).err());
    match refused {
        Some(error) if !args.dry_run => return Err(error),
        refused => report.held = refused.is_some(),
    }
    if let Some(commits) = args.backtest {
        for pin in &rules.guards {
            let Some(found) = resolved.iter().find(|resolved| resolved.locked.id == pin.id) else { continue };
            let Some(before) = old.get(&pin.id).filter(|before| before.digest != found.locked.digest) else { continue };
            let tested = backtest(pin, before, found, commits, &repo, &resolver)?;
            report.backtests.push(tested);
        }
    }
    if args.dry_run {
        return Ok(Report::Pins(Box::new(report)));
    }
    let flips: usize = report.backtests.iter().map(|tested| tested.flips.len()).sum();
    if flips > 0 {
        report.notices.push(format!(
            "nothing is written, as {flips} verdicts flip; if they should, run the same without --backtest"
        ));
        report.held = true;
        return Ok(Report::Pins(Box::new(report)));
    }
    report.written = files.write(None, &new, ctx)?;
    report.notices.extend(files.stale(&new)?);
    Ok(Report::Pins(Box::new(report)))
}

fn known(ids: &[String], rules: &GuardsToml) -> Result<()> {
    let pinned: Vec<&str> = rules.pins().map(|pin| pin.id.as_str()).collect();
    match ids.iter().find(|written| !rules.pins().any(|pin| pin.is_meant(written))) {
        None => Ok(()),
        Some(id) => Err(Fault::new(FaultKind::Usage, format!("{FILE} has no guard or language `{id}`"))
            .hint(format!("{}it has: {}", did_you_mean(id, &pinned), pinned.join(", ")))
            .into()),
    }
}
