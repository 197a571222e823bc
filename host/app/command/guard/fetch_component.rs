//! Fetches the component of a pin: the locked one, or the newest that the pin allows.

use std::time::Duration;

use jiff::Timestamp;
use semver::{Version, VersionReq};

use guardhost_core::component::Component;
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_policy as policy;
use guardhost_policy::GuardFiles;
use guardhost_policy::config::{ComponentSource, Locked, OciSource, Pin, version_requirement};
use guardhost_policy::fetch::{FoundComponent, RegistryClient, download, fetch, tags};

/// Which of the allowed versions to take.
#[derive(Debug, Clone, Copy)]
pub enum Want {
    /// The locked one, if the pin still allows it.
    Kept,
    /// The newest one that is at least this old.
    Newest { cooldown: Duration },
}

pub struct FetchedComponent {
    pub source: ComponentSource,
    /// None for an embedded guard.
    pub component: Option<Component>,
    pub signatures: Vec<String>,
    /// Newer versions that were left out, and why.
    pub held_back: Vec<String>,
}

impl FetchedComponent {
    fn here(source: ComponentSource, component: Option<Component>) -> Self {
        FetchedComponent { source, component, signatures: Vec::new(), held_back: Vec::new() }
    }
}

impl From<FoundComponent> for FetchedComponent {
    fn from(found: FoundComponent) -> Self {
        let FoundComponent { source, component, signatures, .. } = found;
        FetchedComponent { signatures, ..FetchedComponent::here(source, Some(component)) }
    }
}

/// `locked` is the entry of the lock for the pin, if the pin still allows it.
pub fn fetch_component(
    pin: &Pin,
    locked: Option<&Locked>,
    want: Want,
    place: &GuardFiles,
    net: &RegistryClient,
    now: Timestamp,
) -> Result<FetchedComponent> {
    if let (Want::Kept, Some(locked), true) = (want, locked, pin.source.is_remote()) {
        // The file in `.guards/` may belong to an older lock.
        let vendored = place.read(&policy::vendored(&pin.id))?.filter(|there| there.digest() == locked.digest.as_str());
        let component = vendored.map_or_else(|| fetch(&locked.source, &locked.digest, net), Ok)?;
        let signatures = locked.signatures.clone();
        return Ok(FetchedComponent { signatures, ..FetchedComponent::here(locked.source.clone(), Some(component)) });
    }
    match &pin.source {
        ComponentSource::Builtin => Ok(FetchedComponent::here(ComponentSource::Builtin, None)),
        ComponentSource::Path(_) => {
            let component = policy::component(pin, None, place, net)?;
            Ok(FetchedComponent::here(pin.source.clone(), Some(component)))
        }
        ComponentSource::Https(_) => {
            let found = download(&pin.source, net)?;
            let actual = found.component.digest();
            if let Some(expected) = pin.digest.as_ref().filter(|expected| expected.as_str() != actual) {
                let what = format!("guard `{}` ({}): expected {expected}, actual {actual}", pin.id, pin.source);
                return Err(Fault::new(Kind::GuardLoad, what)
                    .hint("ask its publisher why it changed; to take it, put its digest into guards.toml, and run `host guard update`")
                    .code("digest-mismatch")
                    .into());
            }
            Ok(found.into())
        }
        ComponentSource::Oci(artifact) if artifact.tag.is_some() || artifact.manifest.is_some() => {
            Ok(download(&pin.source, net)?.into())
        }
        ComponentSource::Oci(artifact) => {
            let cooldown = match want {
                Want::Kept => Duration::ZERO,
                Want::Newest { cooldown } => cooldown,
            };
            newest(artifact, version_requirement(pin)?.unwrap_or(VersionReq::STAR), locked, cooldown, net, now)
        }
    }
}

/// The newest tag that is a version. As in Cargo, `*` allows no pre-release. The locked version is never too young.
fn newest(
    artifact: &OciSource,
    wanted: VersionReq,
    locked: Option<&Locked>,
    cooldown: Duration,
    net: &RegistryClient,
    now: Timestamp,
) -> Result<FetchedComponent> {
    let all = tags(artifact, net)?;
    let version = |tag: &String| Version::parse(tag).ok().filter(|version| wanted.matches(version));
    let mut versions: Vec<(Version, &String)> = all.iter().filter_map(|tag| Some((version(tag)?, tag))).collect();
    versions.sort();
    let mut held_back = Vec::new();
    for (version, tag) in versions.iter().rev() {
        let tagged = OciSource { tag: Some((*tag).clone()), ..artifact.clone() };
        let found = download(&ComponentSource::Oci(tagged), net)?;
        if let Some(locked) = locked.filter(|locked| locked.version == **tag) {
            same(locked, &found)?;
            return Ok(FetchedComponent { held_back, ..found.into() });
        }
        match young(found.published, cooldown, now) {
            Some(why) => held_back.push(format!("{version} is left out: {why}")),
            None => return Ok(FetchedComponent { held_back, ..found.into() }),
        }
    }
    let found = match versions.len() {
        0 if all.is_empty() => "none at all".to_owned(),
        0 => shown(&all),
        _ => held_back.join("; "),
    };
    Err(Fault::new(Kind::GuardLoad, format!("{artifact} has no such version: expected {wanted}, actual {found}"))
        .hint("change `version` in guards.toml, or --cooldown, and run `host guard update` again")
        .code("no-version")
        .into())
}

/// Refuses a reviewed version whose content has changed.
fn same(locked: &Locked, found: &FoundComponent) -> Result<()> {
    let actual = found.component.digest();
    if actual == locked.digest.as_str() {
        return Ok(());
    }
    let what = format!(
        "guard `{}` {} was published anew with another component: expected {}, actual {actual}",
        locked.id, locked.version, locked.digest
    );
    Err(Fault::new(Kind::GuardLoad, what)
        .hint("ask its publisher; to take it all the same: host guard remove, then host guard add")
        .code("digest-mismatch")
        .into())
}

/// Why a version is too young; None if it is old enough. A version without a date is too young.
fn young(published: Option<Timestamp>, cooldown: Duration, now: Timestamp) -> Option<String> {
    if cooldown.is_zero() {
        return None;
    }
    let days = |duration: Duration| duration.as_secs() / 86_400;
    let Some(published) = published else { return Some("it does not say when it was published".to_owned()) };
    let age = Duration::try_from(now.duration_since(published)).unwrap_or_default();
    let wanted = days(cooldown);
    (age < cooldown).then(|| format!("it is {} days old, and the cooldown is {wanted}", days(age)))
}

fn shown(tags: &[String]) -> String {
    let mut tags = tags.to_vec();
    tags.sort();
    let more = if tags.len() > 10 { ", …" } else { "" };
    format!("{}{more}", tags.iter().take(10).cloned().collect::<Vec<_>>().join(", "))
}
