//! `host guard publish`: pushes a component to a registry.

use std::path::Path;

use jiff::Timestamp;

use crate::cli::PublishArgs;
use crate::context::CommandContext;
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_policy::config::{ComponentSource, OciSource, Trust, TrustedKey};
use guardhost_policy::fetch::{self, Publication, attachable, sign};
use guardhost_report::{PinAction, PinChange, PinCommand, PinSide, PinsReport, Report};

use super::files::PinFiles;
use super::introduction::Introduction;

pub fn publish(args: &PublishArgs, ctx: &CommandContext) -> Result<Report> {
    let file = ctx.path(&args.file);
    let bytes = std::fs::read(&file)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot read the component {}", file.display())))?;
    let component = Component::from(bytes);
    // A component that does not load is not published.
    let about = Introduction::new(&component, &ctx.policies().machine());
    let about = about.map_err(|failure| failure.into_fault(file.display()))?;
    let version = about.version();
    let to = destination(&args.to, version)?;
    // A language has the name of its repository.
    let id = &about.id().or(to.repository.rsplit('/').next()).unwrap_or_default().to_owned();
    let password = ctx.process.var("GUARDHOST_SIGN_PASSWORD").and_then(|password| password.to_str());
    let comment = format!("guard:{id} version:{version} {}", component.digest());
    let trust = trust(ctx);
    let (mut signers, mut signatures) = (Vec::new(), Vec::new());
    for key in &args.keys {
        signatures.push(sign(&component, &ctx.path(key), password, &comment)?);
        signers.push(key.display().to_string());
    }
    let known = known_keys(&args.public_keys, &trust, ctx)?;
    for file in &args.signatures {
        let text = read(&ctx.path(file), "signature")?;
        signers.push(attachable(id, &component, &text, &file.display().to_string(), &known)?);
        signatures.push(text);
    }
    let net = ctx.policies().registry(&trust);
    if net.offline {
        return Err(Fault::new(FaultKind::Usage, "publishing needs the network, and this run is offline").into());
    }
    let edition = Publication {
        id,
        version,
        component: &component,
        imports: &about.identity().surface.imports,
        exports: &about.identity().surface.exports,
        signatures: &signatures,
        created: created(ctx)?,
    };
    let manifest = fetch::publish(&edition, &to, &net)?;
    let side = PinSide {
        version: version.to_owned(),
        digest: component.digest().to_owned(),
        size: component.bytes().len() as u64,
        source: OciSource { manifest: Some(manifest), ..to }.to_string(),
        signers,
    };
    let change = PinChange { to: Some(side), reads: about.reads(), ..PinChange::new(id.clone(), PinAction::Published) };
    Ok(Report::Pins(Box::new(PinsReport { changes: vec![change], ..PinsReport::new(PinCommand::Publish) })))
}

/// The keys of `[trust]`, and those that are named by a file or their text.
fn known_keys(named: &[String], trust: &Trust, ctx: &CommandContext) -> Result<Vec<TrustedKey>> {
    let mut keys = trust.keys.clone();
    for named in named {
        let file = ctx.path(Path::new(named));
        let minisign = match file.is_file() {
            // The first line is a comment, and the key may stand alone.
            true => read(&file, "public key")?.lines().last().unwrap_or_default().trim().to_owned(),
            false => named.clone(),
        };
        keys.push(TrustedKey { name: named.clone(), minisign });
    }
    Ok(keys)
}

fn read(file: &Path, what: &str) -> Result<String> {
    std::fs::read_to_string(file)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot read the {what} {}", file.display())))
}

/// The target of the push. Its tag is the component's own version.
fn destination(to: &str, version: &str) -> Result<OciSource> {
    let usage = |what: String| Fault::new(FaultKind::Usage, what);
    let ComponentSource::Oci(to) = to.parse().map_err(usage)? else {
        return Err(usage(format!("{to} is not a registry: expected oci://REGISTRY/REPOSITORY")).into());
    };
    if to.manifest.is_some() || to.tag.as_ref().is_some_and(|tag| tag != version) {
        let what = format!("{to}: expected the tag {version}, which is the component's version");
        return Err(usage(what).hint("leave the tag out").into());
    }
    semver::Version::parse(version)
        .map_err(|error| usage(format!("the component's version `{version}` is none: {error}")))?;
    Ok(OciSource { tag: Some(version.to_owned()), ..to })
}

/// The `[trust]` of the repository, which lists registries without TLS. Publishing works outside of repositories, too.
fn trust(ctx: &CommandContext) -> Trust {
    let files = ctx.repo().and_then(|repo| PinFiles::read(&repo, ctx)).ok();
    files.and_then(|files| files.rules).map(|rules| rules.trust).unwrap_or_default()
}

/// The date of publication; reproducible builds set it: <https://reproducible-builds.org/specs/source-date-epoch/>.
fn created(ctx: &CommandContext) -> Result<Timestamp> {
    let Some(epoch) = ctx.process.var("SOURCE_DATE_EPOCH") else {
        // Registries keep seconds.
        return Ok(Timestamp::from_second(Timestamp::now().as_second())?);
    };
    let seconds =
        epoch.to_str().and_then(|text| text.parse().ok()).and_then(|seconds| Timestamp::from_second(seconds).ok());
    seconds.ok_or_else(|| Fault::new(FaultKind::Usage, "SOURCE_DATE_EPOCH is not a number of seconds").into())
}
