//! Finds the component of a pin, and compares components with the lock: only the reviewed bytes run.

use crate::config::{ComponentSource, Digest, Locked, Pin, PinLimits, Trust, VENDOR};
use crate::fetch::{RegistryClient, SignatureOrigin, Signed, fetch, verify_signatures};
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_engine::embedded::EmbeddedReader;
use guardhost_engine::{
    EmbeddedGuards, GuardSet, GuardSource, GuardSpec, Identity, JudgedFolders, LanguageSource, LanguageSpec, Limits,
};

use super::guard_files::GuardFiles;

/// The pin as the engine takes it.
pub fn spec(pin: &Pin, locked: Option<&Locked>, files: &GuardFiles, net: &RegistryClient) -> Result<GuardSpec> {
    let source = match &pin.source {
        ComponentSource::Builtin => GuardSource::Builtin,
        source => GuardSource::Bytes { bytes: component(pin, locked, files, net)?, origin: source.to_string() },
    };
    spec_of(pin, locked, source)
}

/// The same, with a component that was found elsewhere.
pub fn spec_of(pin: &Pin, locked: Option<&Locked>, source: GuardSource) -> Result<GuardSpec> {
    Ok(GuardSpec {
        id: pin.id.clone(),
        component: pin.guard.clone(),
        folders: JudgedFolders { within: pin.folder.clone(), without: pin.without.clone() },
        source,
        grants: pin.grants.clone(),
        mode: pin.mode,
        include: pin.paths.include.clone(),
        exclude: pin.paths.exclude.clone(),
        limits: limits(&pin.limits),
        settings: serde_json::to_value(&pin.settings).context("settings that JSON cannot hold")?,
        expected_digest: locked.map(|locked| &locked.digest).or(pin.digest.as_ref()).map(Digest::to_string),
        expected_version: locked.map(|locked| locked.version.clone()),
    })
}

/// A pinned language as the engine takes it. `embedded`: those of the host.
///
/// # Errors
/// `Kind::Config`: it is embedded nowhere, or a lock is missing; `Kind::GuardLoad`: its component is not there.
pub fn language(
    pin: &Pin,
    locked: Option<&Locked>,
    files: &GuardFiles,
    net: &RegistryClient,
    embedded: &EmbeddedGuards,
) -> Result<LanguageSpec> {
    let source = match &pin.source {
        ComponentSource::Builtin => LanguageSource::Builtin(embedded_language(embedded, &pin.id)?),
        source => LanguageSource::Bytes { bytes: component(pin, locked, files, net)?, origin: source.to_string() },
    };
    let expected_digest = locked.map(|locked| &locked.digest).or(pin.digest.as_ref()).map(Digest::to_string);
    Ok(LanguageSpec { id: pin.id.clone(), source, expected_digest })
}

/// # Errors
/// `Kind::Config`: this host embeds no such language.
pub fn embedded_language(embedded: &EmbeddedGuards, id: &str) -> Result<&'static EmbeddedReader> {
    let found = embedded.readers.iter().find(|reader| reader.name == id);
    Ok(found.ok_or_else(|| {
        let names: Vec<&str> = embedded.readers.iter().map(|reader| reader.name).collect();
        let missing = embedded.missing_readers.iter().find(|missing| missing.name == id).map(ToString::to_string);
        let hint = missing.unwrap_or_else(|| {
            format!("these are {}; another one needs a source: path:FILE, https://… or oci://…", names.join(", "))
        });
        Fault::new(FaultKind::Config, format!("the language `{id}` is not among the embedded ones")).hint(hint)
    })?)
}

/// The limits of a pin, completed with the host's defaults.
pub fn limits(pinned: &PinLimits) -> Limits {
    let defaults = Limits::default();
    Limits {
        fuel: pinned.fuel.unwrap_or(defaults.fuel),
        memory: pinned.memory.map_or(defaults.memory, |memory| memory.0),
        seconds: pinned.seconds.unwrap_or(defaults.seconds),
    }
}

/// The path of a vendored component, from the root of the repository.
pub fn vendored(id: &str) -> String {
    format!("{VENDOR}/{id}.wasm")
}

/// The component of a pin that is not embedded. A remote one is searched in `.guards/`, then in the cache, then fetched; this
/// needs the lock.
pub fn component(pin: &Pin, locked: Option<&Locked>, files: &GuardFiles, net: &RegistryClient) -> Result<Component> {
    if let ComponentSource::Path(path) = &pin.source {
        let digest = locked.map(|locked| &locked.digest).or(pin.digest.as_ref());
        let found = files.read_or_on_disk(path, digest)?;
        return found.ok_or_else(|| {
            let hint = match locked {
                Some(locked) => {
                    format!("it was {} when it was locked; restore it: git checkout HEAD -- {path}", locked.digest)
                }
                None => {
                    "if the work tree has it, commit it; or run `host guard lock` and commit guards.lock: then a file with that digest is enough"
                        .to_owned()
                }
            };
            Fault::new(FaultKind::GuardLoad, format!("cannot read the {} {path}: the base commit has no such file", pin.kind))
                .hint(hint)
                .into()
        });
    }
    let locked = locked.ok_or_else(|| {
        Fault::new(
            FaultKind::Config,
            format!("{} `{}` comes from {}, and no guards.lock says which one", pin.kind, pin.id, pin.source),
        )
        .hint("run `host guard lock`, and commit guards.toml and guards.lock")
        .code("lock-missing")
    })?;
    match files.read(&vendored(&pin.id))? {
        Some(component) => Ok(component),
        None => fetch(&locked.source, &locked.digest, net),
    }
}

/// Compares the component of a guard or a language with the lock, before any of its code runs.
///
/// # Errors
/// With expected and actual: `Kind::GuardLoad` for a component or a signature that is not the reviewed one, `Kind::Config` for
/// an embedded guard of another version of the host, and for a lock whose facts are not those of the component.
pub fn check(pin: &Pin, locked: &Locked, guards: &GuardSet, trust: &Trust, origin: &str) -> Result<()> {
    let id = &pin.id;
    let Some(identity) = guards.identity(id) else { return Ok(()) };
    // The digest comes first: nothing is parsed from bytes that were not reviewed.
    let digest = guards.digest(id).unwrap_or_default();
    if digest != locked.digest.as_str() {
        return Err(digest_mismatch(pin, locked, digest).into());
    }
    let Identity { size, surface, .. } =
        identity.map_err(|failure| failure.into_fault(format_args!("{} `{id}`", pin.kind)))?;
    let lists = |names: &[String]| format!("[{}]", names.join(", "));
    let version = guards.known_version(id).unwrap_or_else(|| locked.version.clone());
    for (what, expected, actual) in [
        ("version", locked.version.clone(), version),
        ("size", locked.size.to_string(), size.to_string()),
        ("imports", lists(&locked.imports), lists(&surface.imports)),
        ("exports", lists(&locked.exports), lists(&surface.exports)),
    ] {
        if expected != actual {
            return Err(lock_edited(origin, pin, what, &expected, &actual));
        }
    }
    let nothing_signed = locked.signers.is_empty() && locked.signatures.is_empty();
    if nothing_signed && (!locked.source.is_remote() || trust.required(pin).threshold == 0) {
        return Ok(());
    }
    let Some(component) = guards.component(id).transpose()? else { return Ok(()) };
    if component.digest() != locked.digest.as_str() {
        return Err(digest_mismatch(pin, locked, component.digest()).into());
    }
    check_signatures(pin, locked, &component, trust, origin)
}

/// Verifies the signatures of the lock with the keys of `guards.toml`.
fn check_signatures(pin: &Pin, locked: &Locked, component: &Component, trust: &Trust, origin: &str) -> Result<()> {
    let Signed { signers, signatures } = verify_signatures(
        &pin.id,
        &locked.source,
        component,
        &locked.signatures,
        &trust.required(pin),
        SignatureOrigin::Lock,
    )?;
    if signers != locked.signers {
        return Err(lock_edited(origin, pin, "signers", &locked.signers.join(", "), &signers.join(", ")));
    }
    if signatures != locked.signatures {
        return Err(lock_edited(origin, pin, "signatures", "those of its signers alone", "others"));
    }
    Ok(())
}

fn digest_mismatch(pin: &Pin, locked: &Locked, actual: &str) -> Fault {
    let Locked { digest, version, .. } = locked;
    let Pin { kind, id, .. } = pin;
    match &pin.source {
        ComponentSource::Builtin => Fault::new(
            FaultKind::Config,
            format!(
                "{kind} `{id}` is embedded, and this host ({}) embeds another than was locked: expected {digest} ({version}), \
                 actual {actual}",
                env!("CARGO_PKG_VERSION")
            ),
        )
        .hint(format!("use the host that it was locked with; or take this one: host guard update {id}"))
        .code("digest-mismatch"),
        source => {
            let (file, again) = match source {
                ComponentSource::Path(path) => (path.clone(), format!("if it should be another, look at it and run: host guard update {id}")),
                _ => (vendored(id), "if the lock is newer, run: host guard vendor".to_owned()),
            };
            Fault::new(
                FaultKind::GuardLoad,
                format!("{kind} `{id}` ({file}) is not the one that was locked: expected {digest}, actual {actual}"),
            )
            .hint(format!("restore {file}; or, {again}"))
            .code("digest-mismatch")
        }
    }
}

/// For a component that is not the one of the pin's `digest`, where no lock says more.
pub fn digest_not_pinned(pin: &Pin, expected: &Digest, actual: &str, origin: &str) -> Fault {
    let Pin { kind: component, id, source, .. } = pin;
    let kind = match source {
        ComponentSource::Builtin => FaultKind::Config,
        _ => FaultKind::GuardLoad,
    };
    Fault::new(
        kind,
        format!("{origin}: {component} `{id}` ({source}) is not the pinned one: expected {expected}, actual {actual}"),
    )
    .hint("restore it; or, if it should be another, change its digest in guards.toml, and run: host guard lock")
    .code("digest-mismatch")
}

fn lock_edited(origin: &str, Pin { kind, id, .. }: &Pin, what: &str, expected: &str, actual: &str) -> Error {
    let what =
        format!("{origin}: the {what} of {kind} `{id}` is not its component's: expected {expected}, actual {actual}");
    Fault::new(FaultKind::Config, what)
        .hint("restore guards.lock, or write it again: host guard lock")
        .code("lock-edited")
        .into()
}
