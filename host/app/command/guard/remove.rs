//! `host guard remove`: removes a pin from guards.toml and guards.lock.

use crate::context::CommandContext;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::renamed_guards::{former_id, means};
use guardhost_policy::config::did_you_mean;
use guardhost_policy::config::{FILE, remove_pin};
use guardhost_report::{PinCommand, PinsReport, Report};

use super::differences::{LockedReads, differences};
use super::files::PinFiles;

pub fn remove(id: &str, ctx: &CommandContext) -> Result<Report> {
    let files = PinFiles::read(&ctx.repo()?, ctx)?;
    let rules = files.rules()?;
    let text = files.text.as_deref().unwrap_or_default();
    // The file and the command line may each have the former id.
    let pinned = rules.pins().find(|pin| means(id, &pin.id)).map_or(id, |pin| pin.id.as_str());
    ctx.note_former_id(id, pinned);
    let written = [Some(pinned), former_id(pinned)].into_iter().flatten();
    let removed = written.map(|id| remove_pin(text, id)).find_map(Result::transpose).transpose()?;
    let Some(text) = removed else {
        let ids: Vec<&str> = rules.pins().map(|pin| pin.id.as_str()).collect();
        let what = format!("{FILE} has no guard or language `{id}`");
        return Err(Fault::new(FaultKind::Usage, what)
            .hint(format!("{}it has: {}", did_you_mean(id, &ids), ids.join(", ")))
            .into());
    };
    let (old, notice) = files.lock_or_none();
    let mut new = old.clone();
    new.components.retain(|locked| locked.id != pinned);
    let written = files.write(Some(&text), &new, ctx)?;
    let mut notices: Vec<String> = notice.into_iter().collect();
    let rest = files.parse(&text)?;
    if rest.guards.is_empty() && !rules.guards.is_empty() && !rest.takes_the_default_set() {
        notices.push(format!("no guard is left in {FILE}: nothing judges any more"));
    }
    let changes = differences(&old, &new, &LockedReads::new());
    Ok(Report::Pins(Box::new(PinsReport { written, changes, notices, ..PinsReport::new(PinCommand::Remove) })))
}
