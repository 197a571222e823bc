//! `host guard vendor`: copies remote components into the repository. Files that are not components stay, such as the schema.

use std::fs;

use crate::context::CommandContext;
use guardhost_core::change::RepoPath;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::{WorkTreeLock, recover};
use guardhost_policy::GuardFiles;
use guardhost_policy::config::{LOCK, VENDOR, check_lock};
use guardhost_policy::{component, vendored};
use guardhost_report::{PinAction, PinChange, PinCommand, PinsReport, Report};

use super::differences::side;
use super::files::PinFiles;

pub fn vendor(ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    recover(&repo, ctx)?;
    let files = PinFiles::read(&repo, ctx)?;
    let rules = files.rules()?.clone();
    let GuardFiles::WorkTree(root) = files.place() else { unreachable!("the files of a work tree lie in it") };
    let lock = files.lock()?;
    check_lock(&rules, &lock, LOCK)?;
    let net = ctx.policies().registry(&rules.trust);
    let folder = root.join(VENDOR);
    let mut report = PinsReport::new(PinCommand::Vendor);
    // The vendored file may belong to an older lock, so only the cache and the source are asked.
    let elsewhere = GuardFiles::WorkTree(folder.join("none"));
    for pin in rules.pins().filter(|pin| pin.source.is_remote()) {
        let Some(locked) = lock.get(&pin.id) else { continue };
        let component = component(pin, Some(locked), &elsewhere, &net)?;
        let name = vendored(&pin.id);
        let path = root.join(&name);
        let there = fs::read(&path).is_ok_and(|bytes| bytes == component.bytes());
        if !there {
            WorkTreeLock::take(&repo, ctx)?.write(&RepoPath::from(name.as_str()), component.bytes())?;
            report.written.push(name);
        }
        let (action, to) = (if there { PinAction::Unchanged } else { PinAction::Vendored }, Some(side(locked)));
        report.changes.push(PinChange { to, ..PinChange::new(pin.id.clone(), action) });
    }
    report.notices.extend(net.cache.trouble());
    for entry in fs::read_dir(&folder).into_iter().flatten() {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        let name = path.file_name().map(|name| format!("{VENDOR}/{}", name.to_string_lossy())).unwrap_or_default();
        let is_ours = rules.pins().any(|pin| pin.source.is_remote() && vendored(&pin.id) == name);
        if !is_ours && name.ends_with(".wasm") {
            fs::remove_file(&path).with_context(|| Fault::new(FaultKind::Git, format!("cannot remove {name}")))?;
            report.notices.push(format!("{name} is removed: no pin has it any more"));
        }
    }
    if report.changes.is_empty() {
        report.notices.push("nothing comes from elsewhere: there is nothing to keep here".to_owned());
    }
    Ok(Report::Pins(Box::new(report)))
}
