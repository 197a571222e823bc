//! `host guard verify`: everything that can be compared, for a build server and before a commit.

use crate::context::CommandContext;
use guardhost_core::error::Result;
use guardhost_engine::GuardSet;
use guardhost_policy::config::{LOCK, LockFile, check_lock};
use guardhost_policy::{check, language, spec};
use guardhost_report::{PinAction, PinChange, PinCommand, PinsReport, Report};

use super::differences::side;
use super::fetch_component::Want;
use super::files::PinFiles;
use super::resolve::{Resolver, granted};

pub fn verify(ctx: &CommandContext) -> Result<Report> {
    let files = PinFiles::read(&ctx.repo()?, ctx)?;
    let rules = files.rules()?.clone();
    let place = files.place();
    let lock: LockFile = files.lock()?;
    check_lock(&rules, &lock, LOCK)?;
    let resolver = Resolver::new(ctx, place, &rules);
    let Resolver { place, net, .. } = &resolver;
    let specs = rules.guards.iter().map(|pin| spec(pin, lock.get(&pin.id), place, net)).collect::<Result<Vec<_>>>()?;
    let languages = rules.languages.iter().map(|pin| language(pin, lock.get(&pin.id), place, net, ctx.embedded));
    let languages = languages.collect::<Result<Vec<_>>>()?;
    let guards = GuardSet::new(specs, &ctx.policies().machine())?.reading(languages);
    for (pin, locked) in rules.pins().filter_map(|pin| Some((pin, lock.get(&pin.id)?))) {
        check(pin, locked, &guards, &rules.trust, LOCK)?;
    }
    // Code of a component runs only after its digest was compared: version, settings and grants need its description.
    let mut changes = Vec::new();
    for pin in rules.pins() {
        let resolved = resolver.resolve(pin, &lock, Want::Kept)?;
        granted(&resolved)?;
        let side = Some(side(&resolved.locked));
        let reads = resolved.reads;
        changes.push(PinChange {
            from: side.clone(),
            to: side,
            reads,
            ..PinChange::new(pin.id.clone(), PinAction::Verified)
        });
    }
    let notices = resolver.net.cache.trouble().into_iter().collect();
    Ok(Report::Pins(Box::new(PinsReport { changes, notices, ..PinsReport::new(PinCommand::Verify) })))
}
