//! `host guard add`: inspects a component, pins it and locks it.

use crate::cli::AddArgs;
use crate::context::CommandContext;
use guardhost_core::change::Mode;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::renamed_guards::current_id;
use guardhost_engine::{ComponentKind, EmbeddedGuards};
use guardhost_policy::config::{
    ComponentSource, Digest, FILE, GuardsToml, LockFile, NewPin, Pin, add_pin, did_you_mean,
};
use guardhost_policy::{SCHEMA_LINE, embedded};
use guardhost_report::{PinCommand, PinsReport, Report};

use super::differences::{Reads, differences};
use super::fetch_component::{FetchedComponent, Want, fetch_component};
use super::files::PinFiles;
use super::introduction::Introduction;
use super::resolve::{Resolver, granted};

pub fn add(args: &AddArgs, ctx: &CommandContext) -> Result<Report> {
    let files = PinFiles::read(&ctx.repo()?, ctx)?;
    let (text, mut notices) = match &files.text {
        Some(text) if files.rules()?.takes_the_default_set() => {
            let notice = format!("the default set, which judged until now, is pinned in {FILE} too");
            (with_default_set(text.clone(), Some(files.rules()?), ctx.embedded)?, vec![notice])
        }
        Some(text) => (text.clone(), Vec::new()),
        None => {
            let notice = format!("{FILE} is new: the embedded guards, which judge without one, are pinned in it too");
            (with_default_set(format!("{SCHEMA_LINE}\nschema = 1\n"), None, ctx.embedded)?, vec![notice])
        }
    };
    let before = files.parse(&text)?;
    let wanted = wanted(args, ctx.embedded)?;
    ctx.note_former_id(&args.source, &wanted.id);
    let resolver = Resolver::new(ctx, files.place(), &before);
    // The component itself says its id.
    let nameless = Pin {
        version: args.requirement.clone(),
        digest: wanted.digest.clone(),
        ..Pin::new(&wanted.id, wanted.source.clone())
    };
    let obtained = fetch_component(&resolver.sources(), &nameless, None, Want::NEWEST)?;
    not_a_language(&obtained)?;
    let introduction = resolver.inspect(&wanted.id, &obtained.source, obtained.component.as_ref())?;
    let mut obtained = Some(obtained);
    let id = introduction.description.id.clone();
    if before.pins().any(|pin| pin.id == id) {
        if files.text.is_none() {
            let what = format!("the guard `{id}` judges already: without a {FILE} the default set does");
            return Err(Fault::new(FaultKind::Usage, what).hint("`host init` writes one that can be edited").into());
        }
        let what = format!("{FILE} has the guard `{id}` already");
        return Err(Fault::new(FaultKind::Usage, what)
            .hint(format!("to take a newer one: host guard update {id}"))
            .into());
    }
    let floating = matches!(&wanted.source, ComponentSource::Oci(oci) if oci.tag.is_none() && oci.manifest.is_none());
    let version = args.requirement.clone();
    let pin = NewPin {
        version: version.or_else(|| floating.then(|| format!("^{}", introduction.description.version))),
        digest: match &wanted.source {
            ComponentSource::Https(_) => {
                Some(introduction.identity.digest.parse().map_err(guardhost_core::error::Error::msg)?)
            }
            _ => wanted.digest,
        },
        source: wanted.source.to_string(),
        grants: args.grants.clone(),
        mode: if args.monitor { Mode::Monitor } else { Mode::Enforce },
        allow_unsigned: args.allow_unsigned,
        id: id.clone(),
    };
    let text = add_pin(&text, &pin)?;
    let rules = files.parse(&text)?;
    let resolver = Resolver { rules: &rules, ..resolver };
    let (old, notice) = files.lock_or_none();
    notices.extend(notice);
    let introduction = Introduction::Guard(Box::new(introduction));
    let (mut new, mut reads) = (Vec::new(), Reads::new());
    for pin in rules.pins() {
        let resolved = match obtained.take_if(|_| pin.id == id) {
            Some(obtained) => resolver.entry(pin, obtained, &introduction)?,
            None => resolver.resolve(pin, &old, Want::Kept)?,
        };
        granted(&resolved)?;
        reads.extend(resolved.reads.map(|reads| (pin.id.clone(), reads)));
        new.push(resolved.locked);
    }
    let new = LockFile::new(new);
    let written = files.write(Some(&text), &new, ctx)?;
    notices.extend(resolver.net.cache.trouble());
    let changes = differences(&old, &new, &reads);
    Ok(Report::Pins(Box::new(PinsReport { written, changes, notices, ..PinsReport::new(PinCommand::Add) })))
}

/// A language has no id of its own, so that a person writes its pin.
fn not_a_language(FetchedComponent { source, component, .. }: &FetchedComponent) -> Result<()> {
    let kind = component.as_ref().map(|component| ComponentKind::from_component(component.bytes()));
    match kind {
        Some(Ok(ComponentKind::Language)) => {
            let what = format!("{source} is a language, which reads texts for guards and judges nothing");
            let hint = format!(
                "write [[language]], id = \"…\" and source = \"{source}\" into {FILE}, and run: host guard lock"
            );
            Err(Fault::new(FaultKind::Usage, what).hint(hint).into())
        }
        Some(Ok(ComponentKind::Guard) | Err(_)) | None => Ok(()),
    }
}

struct WantedPin {
    /// For messages; the id of an embedded guard.
    id: String,
    source: ComponentSource,
    digest: Option<Digest>,
}

/// Parses the arguments. An embedded guard is named by its id.
fn wanted(args: &AddArgs, guards: &EmbeddedGuards) -> Result<WantedPin> {
    let usage = |what: String| Fault::new(FaultKind::Usage, what);
    let digest = args.digest.as_deref().map(str::parse).transpose().map_err(usage)?;
    let text = current_id(&args.source);
    let embedded = guards.get(text).is_some();
    // A word without a colon is an id.
    if !embedded && !text.contains(':') {
        let ids = guards.ids();
        let near = did_you_mean(text, &ids);
        return Err(usage(format!("no embedded guard has the id `{text}`"))
            .hint(format!(
                "{near}these are {}; a component is named by path:FILE, https://… or oci://…",
                ids.join(", ")
            ))
            .into());
    }
    let source = if embedded { ComponentSource::Builtin } else { text.parse().map_err(usage)? };
    if !embedded && source == ComponentSource::Builtin {
        return Err(usage("an embedded guard is added by its id".to_owned()).hint(guards.ids().join(", ")).into());
    }
    Ok(WantedPin { id: text.to_owned(), source, digest })
}

/// The text of a guards.toml with pins of the default set, so that the guards that judged until now still judge.
/// A guard that `rules` pin under its own id is where they say.
fn with_default_set(mut text: String, rules: Option<&GuardsToml>, guards: &EmbeddedGuards) -> Result<String> {
    let is_pinned = |pin: &Pin| rules.is_some_and(|rules| rules.guards.iter().any(|other| other.id == pin.id));
    for pin in embedded(guards, &[])?.into_iter().filter(|pin| !is_pinned(pin)) {
        let source = pin.source.to_string();
        text = add_pin(
            &text,
            &NewPin {
                id: pin.id,
                source,
                version: None,
                digest: None,
                grants: pin.grants,
                mode: pin.mode,
                allow_unsigned: false,
            },
        )?;
    }
    Ok(text)
}
