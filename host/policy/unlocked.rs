//! Compares components with the pins alone, where there is no lock.

use semver::Version;

use crate::config::{ComponentFacts, Config, GuardsToml, Pin, PinKind, version_requirement};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::GuardSet;

use super::resolve_pins::digest_not_pinned;

/// Compares each pin's `digest` and `version`, and `[[refuse]]`, with the component.
///
/// # Errors
/// [`FaultKind::Config`] and [`FaultKind::GuardLoad`], for the first component that is not as the rules say.
pub fn check_unlocked(config: &Config, guards: &GuardSet) -> Result<()> {
    let origin = &config.origin;
    for pin in config.rules.pins() {
        // The digest comes first: nothing of other bytes is run.
        if let Some(expected) = &pin.digest {
            let actual = guards.digest(&pin.id).unwrap_or_default();
            if actual != expected.as_str() {
                return Err(digest_not_pinned(pin, expected, actual, origin).into());
            }
        }
        check_not_refused(&config.rules, pin, guards)?;
        let Some(wanted) = &pin.version else { continue };
        let fault =
            |what: String| Fault::new(FaultKind::Config, format!("{origin}: {} `{}`: {what}", pin.kind, pin.id));
        let Some(requirement) = version_requirement(pin)? else { continue };
        // A component that cannot be loaded gets its own error when it runs.
        let version = match pin.kind {
            PinKind::Guard => guards.description(&pin.id).and_then(Result::ok).map(|about| about.version.clone()),
            PinKind::Language => guards.known_version(&pin.id),
        };
        let Some(version) = version else { continue };
        let found =
            Version::parse(&version).map_err(|error| fault(format!("says its version is `{version}`: {error}")))?;
        if !requirement.matches(&found) {
            let hint = format!("change the pin's version to \"^{found}\", or pin another component");
            return Err(fault(format!("version {wanted} is wanted, {} gives {found}", pin.source)).hint(hint).into());
        }
    }
    Ok(())
}

/// `[[refuse]]` names components that are not remote by their digest alone, so that nothing has to be loaded.
fn check_not_refused(rules: &GuardsToml, pin: &Pin, guards: &GuardSet) -> Result<()> {
    if rules.refused.is_empty() {
        return Ok(());
    }
    let (digest, version) = (guards.digest(&pin.id).unwrap_or_default(), guards.known_version(&pin.id));
    let version = version.as_deref().unwrap_or("unknown");
    let facts = ComponentFacts { id: &pin.id, source: &pin.source, version, digest };
    match rules.refusal(&facts) {
        Some(refusal) => Err(refusal.fault(&facts).into()),
        None => Ok(()),
    }
}
