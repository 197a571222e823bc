//! Fetches the component of a pin: the locked one, or the newest that the pin allows.

use std::time::Duration;

use jiff::Timestamp;
use semver::{Version, VersionReq};

use guardhost_core::component::Component;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_policy as policy;
use guardhost_policy::GuardFiles;
use guardhost_policy::config::{
    ComponentFacts, ComponentSource, GuardsToml, Locked, OciSource, Pin, version_requirement,
};
use guardhost_policy::fetch::{
    FoundComponent, RegistryClient, SignatureOrigin, download, fetch, signatures_now, signed_by, tags,
};

/// Which of the allowed versions to take.
#[derive(Debug, Clone, Copy)]
pub enum Want {
    /// The locked one, if the pin still allows it.
    Kept,
    /// The newest one that is at least this old.
    Newest {
        cooldown: Duration,
        /// Whether it may be older than the locked one.
        downgrade: bool,
    },
}

impl Want {
    /// The newest of all.
    pub const NEWEST: Want = Want::Newest { cooldown: Duration::ZERO, downgrade: false };

    pub fn may_downgrade(self) -> bool {
        match self {
            Want::Kept => false,
            Want::Newest { downgrade, .. } => downgrade,
        }
    }
}

/// Where components come from, and the rules for them.
pub struct ComponentSources<'r> {
    pub place: &'r GuardFiles<'r>,
    pub rules: &'r GuardsToml,
    pub net: &'r RegistryClient,
    pub now: Timestamp,
}

pub struct FetchedComponent {
    pub source: ComponentSource,
    /// None for an embedded guard.
    pub component: Option<Component>,
    pub signatures: Vec<String>,
    pub signature_origin: SignatureOrigin,
    /// The bytes of the manifest that `source` names, if they were fetched.
    pub manifest: Option<Vec<u8>>,
    /// Newer versions that were left out, and why.
    pub held_back: Vec<String>,
}

impl FetchedComponent {
    fn here(source: ComponentSource, component: Option<Component>) -> Self {
        let signature_origin = SignatureOrigin::Source;
        FetchedComponent {
            source,
            component,
            signatures: Vec::new(),
            signature_origin,
            manifest: None,
            held_back: Vec::new(),
        }
    }
}

impl From<FoundComponent> for FetchedComponent {
    fn from(found: FoundComponent) -> Self {
        let FoundComponent { source, component, signatures, manifest, .. } = found;
        FetchedComponent { signatures, manifest, ..FetchedComponent::here(source, Some(component)) }
    }
}

/// `locked` is the entry of the lock for the pin, if the pin still allows it.
pub fn fetch_component(
    sources: &ComponentSources,
    pin: &Pin,
    locked: Option<&Locked>,
    want: Want,
) -> Result<FetchedComponent> {
    let ComponentSources { place, net, .. } = sources;
    if let (Want::Kept, Some(locked), true) = (want, locked, pin.source.is_remote()) {
        return locked_component(sources, pin, locked);
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
                return Err(Fault::new(FaultKind::GuardLoad, what)
                    .hint("ask its publisher why it changed; to take it, put its digest into guards.toml, and run `host guard update`")
                    .code("digest-mismatch")
                    .into());
            }
            Ok(found.into())
        }
        ComponentSource::Oci(artifact) if artifact.tag.is_some() || artifact.manifest.is_some() => {
            Ok(download(&pin.source, net)?.into())
        }
        ComponentSource::Oci(artifact) => newest(sources, pin, artifact, locked, want),
    }
}

/// The locked component of a remote pin. Its source is asked for newer signatures if the locked ones are too few by now.
fn locked_component(sources: &ComponentSources, pin: &Pin, locked: &Locked) -> Result<FetchedComponent> {
    let ComponentSources { place, net, rules, .. } = sources;
    // The file in `.guards/` may belong to an older lock.
    let vendored = place.read(&policy::vendored(&pin.id))?.filter(|there| there.digest() == locked.digest.as_str());
    let component = vendored.map_or_else(|| fetch(&locked.source, &locked.digest, net), Ok)?;
    let required = rules.trust.required(pin);
    let suffices = signed_by(&pin.id, &component, &locked.signatures, &required)?.suffices(&required);
    let here = FetchedComponent::here(locked.source.clone(), Some(component));
    if suffices || net.offline {
        let signatures = locked.signatures.clone();
        return Ok(FetchedComponent { signatures, signature_origin: SignatureOrigin::Lock, ..here });
    }
    let now = signatures_now(&locked.source, &locked.digest, net).with_context(|| {
        let what = format!("guards.lock has too few signatures of guard `{}`, and its source has no more", pin.id);
        Fault::new(FaultKind::GuardLoad, what)
            .hint(format!("when the source is there again: host guard update {}", pin.id))
            .code("unsigned")
    })?;
    Ok(FetchedComponent { source: now.source, signatures: now.signatures, manifest: now.manifest, ..here })
}

/// The newest tag that is a version. As in Cargo, `*` allows no pre-release. The locked version is never too young, and no older
/// one is taken in its place.
fn newest(
    sources: &ComponentSources,
    pin: &Pin,
    artifact: &OciSource,
    locked: Option<&Locked>,
    want: Want,
) -> Result<FetchedComponent> {
    let ComponentSources { net, rules, now, .. } = sources;
    let cooldown = match want {
        Want::Kept => Duration::ZERO,
        Want::Newest { cooldown, .. } => cooldown,
    };
    let wanted = version_requirement(pin)?.unwrap_or(VersionReq::STAR);
    let all = tags(artifact, net)?;
    let version = |tag: &String| Version::parse(tag).ok().filter(|version| wanted.matches(version));
    let mut versions: Vec<(Version, &String)> = all.iter().filter_map(|tag| Some((version(tag)?, tag))).collect();
    versions.sort();
    let mut held_back = Vec::new();
    for (version, tag) in versions.iter().rev() {
        if let Some(locked) = locked.filter(|_| !want.may_downgrade())
            && Version::parse(&locked.version).is_ok_and(|kept| *version < kept)
        {
            let gone = format!("{} is not listed any more", locked.version);
            return Err(downgrade(
                &locked.id,
                &format!("{artifact}: {gone}"),
                &locked.version,
                &format!("newest {version}"),
            ));
        }
        let tagged = OciSource { tag: Some((*tag).clone()), ..artifact.clone() };
        let found = download(&ComponentSource::Oci(tagged), net)?;
        if let Some(locked) = locked.filter(|locked| locked.version == **tag) {
            same(locked, &found)?;
            return Ok(FetchedComponent { held_back, ..found.into() });
        }
        let facts =
            ComponentFacts { id: &pin.id, source: &found.source, version: tag, digest: found.component.digest() };
        let refused =
            rules.refusal(&facts).map(|refusal| format!("[[refuse]] of guards.toml names it: {}", refusal.why));
        match refused.or_else(|| young(found.published, cooldown, *now)) {
            Some(why) => held_back.push(format!("{version} is left out: {why}")),
            None => return Ok(FetchedComponent { held_back, ..found.into() }),
        }
    }
    let found = match versions.len() {
        0 if all.is_empty() => "none at all".to_owned(),
        0 => shown(&all),
        _ => held_back.join("; "),
    };
    let spelled = all.iter().any(|tag| tag.strip_prefix('v').is_some_and(|rest| Version::parse(rest).is_ok()));
    let spelled = if spelled { "; a tag is a version only as semver spells it: 0.1.0, not v0.1.0" } else { "" };
    let next = match want {
        Want::Kept => "change `version` of its pin in guards.toml, and run this again",
        Want::Newest { cooldown: Duration::ZERO, .. } => {
            "ask for another version: `version` of its pin in guards.toml, or --version"
        }
        Want::Newest { .. } => {
            "change `version` of its pin in guards.toml, or --cooldown, and run `host guard update` again"
        }
    };
    Err(Fault::new(FaultKind::GuardLoad, format!("{artifact} has no such version: expected {wanted}, actual {found}"))
        .hint(format!("{next}{spelled}"))
        .code("no-version")
        .into())
}

/// Refuses a component that is older than the locked one, although the pin still allows the locked one.
pub fn downgrade(id: &str, what: &str, locked: &str, actual: &str) -> Error {
    Fault::new(
        FaultKind::GuardLoad,
        format!("guard `{id}` ({what}): expected ≥ {locked}, as it is locked, actual {actual}"),
    )
    .hint(format!(
        "ask its publisher why; if the older one should judge: host guard update {id} --allow-downgrade, or a narrower \
             `version` in guards.toml"
    ))
    .code("downgrade")
    .into()
}

/// Refuses a reviewed version whose content has changed.
fn same(locked: &Locked, found: &FoundComponent) -> Result<()> {
    let actual = found.component.digest();
    if actual == locked.digest.as_str() {
        return Ok(());
    }
    let what = format!(
        "guard `{}` {} was published again with another component: expected {}, actual {actual}",
        locked.id, locked.version, locked.digest
    );
    Err(Fault::new(FaultKind::GuardLoad, what)
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
