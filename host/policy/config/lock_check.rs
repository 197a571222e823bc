//! Whether `guards.lock` fits `guards.toml`. Compares the two files alone, not the components.

use semver::{Version, VersionReq};

use super::{GuardsToml, LockFile, Locked, Pin, PinKind};
use guardhost_core::error::{Fault, FaultKind, Result};

const LOCK_AGAIN: &str = "run `host guard lock`, look at what changes, and commit guards.lock";

/// `origin` names the lock, for messages.
///
/// # Errors
/// `Kind::Config`, code `lock-mismatch`, with expected and actual: for the first pin that the lock does not match, and for an
/// entry of the lock that has no pin. Code `refused-component`: for a component that `[[refuse]]` names.
pub fn check_lock(rules: &GuardsToml, lock: &LockFile, origin: &str) -> Result<()> {
    for pin in rules.pins() {
        let (kind, id) = (pin.kind, &pin.id);
        let locked = lock.get(id).ok_or_else(|| mismatch(origin, kind, id, "a pin", "none"))?;
        if let Some((expected, actual)) = mismatch_of(pin, locked)? {
            return Err(mismatch(origin, kind, id, &expected, &actual).into());
        }
        let facts = locked.facts();
        if let Some(refusal) = rules.refusal(&facts) {
            return Err(refusal.fault(&facts).into());
        }
    }
    let stray = lock.components.iter().find(|locked| !rules.pins().any(|pin| pin.id == locked.id));
    let twice = lock.components.windows(2).find(|pair| (pair[0].kind, &pair[0].id) == (pair[1].kind, &pair[1].id));
    match (stray, twice) {
        (Some(Locked { kind, id, .. }), _) => {
            let expected = format!("no pin, as guards.toml has no such {kind}");
            Err(mismatch(origin, *kind, id, &expected, "one").into())
        }
        (None, Some(pair)) => Err(mismatch(origin, pair[1].kind, &pair[1].id, "one pin", "two").into()),
        (None, None) => Ok(()),
    }
}

/// What `guards.toml` expects of a locked guard, and what the lock has; None when they match.
///
/// # Errors
/// `Kind::Config` when the pin's `version` is not a version requirement.
pub fn mismatch_of(pin: &Pin, locked: &Locked) -> Result<Option<(String, String)>> {
    if pin.kind != locked.kind {
        return Ok(Some((format!("a {}", pin.kind), format!("a {}", locked.kind))));
    }
    if pin.guard != locked.guard {
        let named = |guard: &Option<String>| guard.as_ref().map_or("no `guard`".to_owned(), |id| format!("guard {id}"));
        return Ok(Some((named(&pin.guard), named(&locked.guard))));
    }
    if !pin.source.admits(&locked.source) {
        return Ok(Some((format!("source {}", pin.source), locked.source.to_string())));
    }
    if let Some(requirement) = version_requirement(pin)?
        && !Version::parse(&locked.version).is_ok_and(|found| requirement.matches(&found))
    {
        return Ok(Some((format!("version {}", pin.version.as_deref().unwrap_or_default()), locked.version.clone())));
    }
    if let Some(digest) = pin.digest.as_ref().filter(|digest| **digest != locked.digest) {
        return Ok(Some((digest.to_string(), locked.digest.to_string())));
    }
    let settings = pin.settings_digest();
    if settings != locked.settings {
        return Ok(Some((format!("settings {settings}"), locked.settings.to_string())));
    }
    Ok(None)
}

/// The pin's `version`; None allows every version.
///
/// # Errors
/// `Kind::Config` when it is not a version requirement.
pub fn version_requirement(pin: &Pin) -> Result<Option<VersionReq>, Fault> {
    let Some(wanted) = &pin.version else { return Ok(None) };
    let requirement = VersionReq::parse(wanted).map_err(|error| {
        let what = format!("{} `{}`: version `{wanted}` is not a requirement: {error}", pin.kind, pin.id);
        Fault::new(FaultKind::Config, what).hint("write it as Cargo does: \"^0.1\"")
    })?;
    Ok(Some(requirement))
}

fn mismatch(origin: &str, kind: PinKind, id: &str, expected: &str, actual: &str) -> Fault {
    let what = format!("{origin} is not of this guards.toml: {kind} `{id}`: expected {expected}, actual {actual}");
    Fault::new(FaultKind::Config, what).hint(LOCK_AGAIN).code("lock-mismatch")
}
