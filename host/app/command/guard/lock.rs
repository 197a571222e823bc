//! `host guard lock`: writes guards.lock to match guards.toml.

use crate::context::CommandContext;
use guardhost_core::error::Result;
use guardhost_policy::config::LockFile;
use guardhost_report::{PinCommand, PinsReport, Report};

use super::differences::{LockedReads, differences};
use super::fetch_component::Want;
use super::files::PinFiles;
use super::resolve::{Resolver, granted};

pub fn lock(ctx: &CommandContext) -> Result<Report> {
    let files = PinFiles::read(&ctx.repo()?, ctx)?;
    let rules = files.rules()?;
    let (old, notice) = files.lock_or_none();
    let resolver = Resolver::new(ctx, files.place(), rules);
    let (new, reads) = locked(&resolver, &old)?;
    let written = files.write(None, &new, ctx)?;
    let notices = notice.into_iter().chain(files.stale(&new)?).chain(resolver.net.cache.trouble()).collect();
    let changes = differences(&old, &new, &reads);
    Ok(Report::Pins(Box::new(PinsReport { written, changes, notices, ..PinsReport::new(PinCommand::Lock) })))
}

/// Writes a first guards.toml with this text, and the lock that fits it; the names of the files.
///
/// # Errors
/// `Kind::Usage` in a bare repository; the disk.
pub fn write_first(text: &str, ctx: &CommandContext) -> Result<Vec<String>> {
    let files = PinFiles::read(&ctx.repo()?, ctx)?;
    let rules = files.parse(text)?;
    let resolver = Resolver::new(ctx, files.place(), &rules);
    files.write(Some(text), &locked(&resolver, &LockFile::default())?.0, ctx)
}

/// The lock of the rules, and what its languages read; what `old` has stays if the rules allow it.
pub(super) fn locked(resolver: &Resolver, old: &LockFile) -> Result<(LockFile, LockedReads)> {
    let (mut new, mut reads) = (Vec::new(), LockedReads::new());
    for pin in resolver.rules.pins() {
        let resolved = resolver.resolve(pin, old, Want::Kept)?;
        granted(&resolved)?;
        reads.extend(resolved.reads.map(|reads| (pin.id.clone(), reads)));
        new.push(resolved.locked);
    }
    Ok((LockFile::new(new), reads))
}
