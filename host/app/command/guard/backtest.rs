//! Judges past changes with a guard's old and new component, to find verdicts that would differ.

use crate::context::CommandContext;
use guardhost_core::change::{Candidate, Evidence, GuardVerdict, NullObserver};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_engine::{GuardSet, GuardSource, GuardSpec, JudgeContext as Judging, guard};
use guardhost_git::{Repo, range};
use guardhost_policy::config::{ComponentSource, Locked, Pin};
use guardhost_policy::{GuardFiles, RulesOrigin};
use guardhost_policy::{component, spec};
use guardhost_report::{Backtest, Flip};

use super::resolve::{Resolved, Resolver};

pub fn backtest(
    pin: &Pin,
    before: &Locked,
    after: &Resolved,
    commits: u32,
    repo: &Repo,
    resolver: &Resolver,
) -> Result<Backtest> {
    let head = repo.head()?;
    let place = GuardFiles::Base { repo, tree: head.tree, rules: RulesOrigin::Base };
    let (old, new) = match old(pin, before, &place, resolver)? {
        Some(old) => (old, side(pin, after, &place, resolver)?),
        None => {
            let what = format!(
                "guard `{}` {} is embedded in another host, so that it cannot be judged with",
                pin.id, before.version
            );
            return Err(Fault::new(FaultKind::Config, what).hint("update it without --backtest").into());
        }
    };
    let mut tested = Backtest {
        id: pin.id.clone(),
        from: before.version.clone(),
        to: after.locked.version.clone(),
        commits: 0,
        rejected: 0,
        flips: Vec::new(),
    };
    for (name, commit) in repo.history(commits)? {
        tested.commits += 1;
        let candidate = range(repo, &commit.to_string())?;
        tested.flips.extend(flip(&format!("commit {}", &commit.to_string()[..12]), &name, &candidate, &old, &new));
    }
    for (name, subject, commit) in repo.rejected()? {
        tested.rejected += 1;
        let candidate = range(repo, &commit.to_string())?;
        tested.flips.extend(flip(&format!("rejected attempt {name}"), &subject, &candidate, &old, &new));
    }
    Ok(tested)
}

/// The guard set of the locked component; None when it is embedded in another version of the host.
fn old(pin: &Pin, before: &Locked, place: &GuardFiles, resolver: &Resolver) -> Result<Option<GuardSet>> {
    if before.source == ComponentSource::Builtin {
        return Ok(None);
    }
    let Resolver { ctx, net, .. } = resolver;
    let pinned = Pin {
        source: before.source.clone(),
        grants: before.imports.iter().filter(|name| !free(name)).cloned().collect(),
        ..pin.clone()
    };
    let found = component(&pinned, Some(before), place, net);
    let wanted = before.digest.as_str();
    // The file of the base may be newer than the lock. The cache has the locked component by its digest.
    let bytes = match found {
        Ok(found) if found.digest() == wanted => found,
        _ => guardhost_policy::fetch::fetch(&before.source, &before.digest, net).with_context(|| {
            Fault::new(FaultKind::GuardLoad, format!("the locked component of `{}` cannot be had any more", pin.id))
                .hint("update it without --backtest")
        })?,
    };
    let origin = GuardSource::Bytes { bytes, origin: before.source.to_string() };
    set(GuardSpec { source: origin, ..bare(&pinned, place, net)? }, ctx).map(Some)
}

fn side(pin: &Pin, after: &Resolved, place: &GuardFiles, resolver: &Resolver) -> Result<GuardSet> {
    let rights = after.locked.imports.iter().filter(|name| !free(name)).cloned().collect();
    let pinned = Pin { grants: rights, ..pin.clone() };
    let source = match &after.component {
        Some(component) => GuardSource::Bytes { bytes: component.clone(), origin: after.locked.source.to_string() },
        None => GuardSource::Builtin,
    };
    set(GuardSpec { source, ..bare(&pinned, place, &resolver.net)? }, resolver.ctx)
}

/// The specification of a pin without its component.
fn bare(pin: &Pin, place: &GuardFiles, net: &guardhost_policy::fetch::RegistryClient) -> Result<GuardSpec> {
    spec(&Pin { source: ComponentSource::Builtin, ..pin.clone() }, None, place, net)
}

fn set(spec: GuardSpec, ctx: &CommandContext) -> Result<GuardSet> {
    GuardSet::new(vec![spec], &ctx.policies().machine())
}

/// Whether every guard has this import without a grant.
fn free(import: &str) -> bool {
    import == "change" || import == "log"
}

fn flip(what: &str, subject: &str, candidate: &Candidate, old: &GuardSet, new: &GuardSet) -> Option<Flip> {
    let judge = |set: &GuardSet| {
        let judgement = guard(candidate, set, &Judging { task: None, observer: &NullObserver });
        judgement.evidence.into_iter().next()
    };
    let (before, after) = (judge(old)?, judge(new)?);
    if before.verdict.as_str() == after.verdict.as_str() {
        return None;
    }
    Some(Flip {
        what: what.to_owned(),
        subject: subject.to_owned(),
        before: before.verdict.as_str().to_owned(),
        after: after.verdict.as_str().to_owned(),
        reasons: reasons(&before).chain(reasons(&after)).collect(),
    })
}

fn reasons(evidence: &Evidence) -> impl Iterator<Item = String> {
    let said = match &evidence.verdict {
        GuardVerdict::Reject(findings) => findings
            .iter()
            .map(|finding| {
                let place = finding.path.clone().map_or_else(String::new, |path| match finding.line {
                    Some(line) => format!("{path}:{line}: "),
                    None => format!("{path}: "),
                });
                format!("{} {place}{}: {}", evidence.version, finding.rule, finding.message)
            })
            .collect(),
        verdict => {
            verdict.reason().map(|reason| format!("{}: {reason}", evidence.version)).into_iter().collect::<Vec<_>>()
        }
    };
    said.into_iter()
}
