//! Resolves a pin to its entry in the lock.

use jiff::Timestamp;

use crate::context::CommandContext;
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_engine::{
    GuardFailure, Inspection, inspect, inspect_embedded, inspect_embedded_language, inspect_language,
};
use guardhost_policy::config::{ComponentSource, Digest, GuardsToml, LockFile, Locked, Pin, PinKind, mismatch_of};
use guardhost_policy::fetch::{RegistryClient, verify_signatures};
use guardhost_policy::{GuardFiles, embedded_language};

use super::fetch_component::{ComponentSources, FetchedComponent, Want, downgrade, fetch_component};
use super::introduction::Introduction;

pub struct Resolved {
    pub locked: Locked,
    /// None for an embedded guard.
    pub component: Option<Component>,
    /// Imports that the pin does not grant, each with the guard's reason.
    pub ungranted: Vec<String>,
    /// Of a language, what it reads, in words.
    pub reads: Option<String>,
    pub held_back: Vec<String>,
}

pub struct Resolver<'a> {
    pub ctx: &'a CommandContext<'a>,
    pub place: GuardFiles<'a>,
    pub rules: &'a GuardsToml,
    pub net: RegistryClient,
    pub now: Timestamp,
}

impl<'a> Resolver<'a> {
    pub fn new(ctx: &'a CommandContext<'a>, place: GuardFiles<'a>, rules: &'a GuardsToml) -> Self {
        Resolver { net: ctx.policies().registry(&rules.trust), ctx, place, rules, now: Timestamp::now() }
    }

    pub fn sources(&self) -> ComponentSources<'_> {
        ComponentSources { place: &self.place, rules: self.rules, net: &self.net, now: self.now }
    }

    /// Fetches the component of a pin, reads its description, and checks everything but its grants.
    pub fn resolve(&self, pin: &Pin, lock: &LockFile, want: Want) -> Result<Resolved> {
        let locked = lock.get(&pin.id);
        // The settings may have changed while the component stayed the same.
        let fits = |locked: &&Locked| -> Result<bool> {
            let same = Locked { settings: pin.settings_digest(), ..(*locked).clone() };
            Ok(mismatch_of(pin, &same)?.is_none() && self.rules.refusal(&same.facts()).is_none())
        };
        let locked = match locked {
            Some(locked) if fits(&locked)? => Some(locked),
            _ => None,
        };
        let obtained = fetch_component(&self.sources(), pin, locked, want)?;
        let FetchedComponent { source, component, .. } = &obtained;
        let introduction = self.introduce(pin.kind, pin.component_id(), source, component.as_ref())?;
        if let Some(id) = introduction.id().filter(|id| *id != pin.component_id()) {
            let expected = pin.component_id();
            let what = format!("{}: expected the guard `{expected}`, actual `{id}`", obtained.source);
            return Err(Fault::new(FaultKind::Config, what).hint(format!("pin it as `{id}` in guards.toml")).into());
        }
        let resolved = self.entry(pin, obtained, &introduction)?;
        if let Some(locked) = locked.filter(|_| !want.may_downgrade()) {
            never_older(locked, &resolved.locked)?;
        }
        Ok(resolved)
    }

    /// What a component says of itself; without a component, what is embedded under the id.
    pub fn introduce(
        &self,
        kind: PinKind,
        id: &str,
        source: &ComponentSource,
        component: Option<&Component>,
    ) -> Result<Introduction> {
        match kind {
            PinKind::Guard => Ok(Introduction::Guard(Box::new(self.inspect(id, source, component)?))),
            PinKind::Language => {
                let inspected = match component {
                    Some(component) => inspect_language(component, &self.ctx.policies().machine()),
                    None => inspect_embedded_language(embedded_language(self.ctx.embedded, id)?),
                };
                let failed = |failure: GuardFailure| failure.into_fault(format_args!("language `{id}` ({source})"));
                Ok(Introduction::Language(inspected.map_err(failed)?))
            }
        }
    }

    /// Reads the description of a guard's component.
    fn inspect(&self, id: &str, source: &ComponentSource, component: Option<&Component>) -> Result<Inspection> {
        let failed = |failure: GuardFailure| failure.into_fault(format_args!("guard `{id}` ({source})"));
        match component {
            Some(component) => Ok(inspect(component, &self.ctx.policies().machine()).map_err(failed)?),
            None => {
                let unknown = || {
                    Fault::new(FaultKind::Config, format!("the guard `{id}` is not among the embedded guards"))
                        .hint(format!("these are {}", self.ctx.embedded.ids().join(", ")))
                };
                Ok(inspect_embedded(self.ctx.embedded, id).ok_or_else(unknown)?.map_err(failed)?)
            }
        }
    }

    pub fn entry(&self, pin: &Pin, obtained: FetchedComponent, introduction: &Introduction) -> Result<Resolved> {
        let FetchedComponent { source, component, signatures, signature_origin, manifest, held_back } = obtained;
        let (identity, said_version) = (introduction.identity(), introduction.version());
        let name = format!("{} `{}` ({source})", pin.kind, pin.id);
        let at = |what: String| Fault::new(FaultKind::Config, format!("{name}: {what}"));
        let settings = serde_json::to_value(&pin.settings).context("settings that JSON cannot hold")?;
        introduction.accepts(&settings).map_err(|what| at(what).hint("change its settings in guards.toml"))?;
        let signed = match &component {
            Some(component) => {
                let required = self.rules.trust.required(pin);
                verify_signatures(&pin.id, &source, component, &signatures, &required, signature_origin)?
            }
            None => Default::default(),
        };
        let tag = match &source {
            ComponentSource::Oci(oci) => oci.tag.as_ref(),
            _ => None,
        };
        if let Some(tag) = tag.filter(|tag| semver::Version::parse(tag).is_ok() && tag.as_str() != said_version) {
            let what = format!("expected version {tag}, as it is tagged, actual {said_version}");
            return Err(at(what).hint("report it to its publisher, or pin another version").into());
        }
        let digest: Digest = identity.digest.parse().map_err(Error::msg)?;
        let locked = Locked {
            kind: pin.kind,
            id: pin.id.clone(),
            guard: pin.guard.clone(),
            version: said_version.to_owned(),
            digest,
            size: identity.size as u64,
            imports: identity.surface.imports.clone(),
            exports: identity.surface.exports.clone(),
            settings: pin.settings_digest(),
            signers: signed.signers,
            signatures: signed.signatures,
            source,
        };
        if let Some((expected, actual)) = mismatch_of(pin, &locked)? {
            return Err(at(format!("expected {expected}, actual {actual}"))
                .hint("change the pin in guards.toml")
                .into());
        }
        if let Some(refusal) = self.rules.refusal(&locked.facts()) {
            return Err(refusal.fault(&locked.facts()).into());
        }
        if let Some(component) = &component {
            self.net.cache.keep(component, manifest.as_deref());
        }
        let lacks = |(name, why): (&str, &str)| match why {
            _ if pin.grants.iter().any(|grant| grant == name) => None,
            "" => Some(name.to_owned()),
            why => Some(format!("{name} ({why})")),
        };
        let ungranted = introduction.rights().into_iter().filter_map(lacks).collect();
        Ok(Resolved { locked, component, ungranted, reads: introduction.reads(), held_back })
    }
}

/// Errors when a component is older than the locked one: a source that hides a version must not bring back an older one.
fn never_older(locked: &Locked, found: &Locked) -> Result<()> {
    let version = |locked: &Locked| semver::Version::parse(&locked.version).ok();
    match (version(locked), version(found)) {
        (Some(before), Some(after)) if after < before => {
            Err(downgrade(&found.id, &found.source.to_string(), &locked.version, &found.version))
        }
        _ => Ok(()),
    }
}

/// Errors when the pin does not grant an import: such a guard could not be linked, so it is not locked.
pub fn granted(resolved: &Resolved) -> Result<()> {
    if resolved.ungranted.is_empty() {
        return Ok(());
    }
    let Locked { id, version, .. } = &resolved.locked;
    let names: Vec<&str> = resolved.ungranted.iter().map(|right| right.split(' ').next().unwrap_or(right)).collect();
    let what = format!("guard `{id}` {version} imports what is not granted: {}", resolved.ungranted.join(", "));
    let hint = format!(
        "if it may have that, say so in its pin, grants = [\"{}\"], or to `host guard add`: --grant {}; and run this again",
        names.join("\", \""),
        names.join(" --grant ")
    );
    Err(Fault::new(FaultKind::Config, what).hint(hint).code("ungranted-import").into())
}
