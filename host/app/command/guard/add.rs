//! `host guard add`: inspects a component, pins it and locks it.

use crate::cli::AddArgs;
use crate::context::CommandContext;
use guardhost_core::change::Mode;
use guardhost_core::component::Component;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::renamed_guards::current_id;
use guardhost_engine::{ComponentKind, EmbeddedGuards};
use guardhost_policy::config::{
    ComponentSource, Digest, FILE, GuardsToml, LockFile, NewPin, Pin, PinKind, add_pin, did_you_mean,
};
use guardhost_policy::{SCHEMA_LINE, embedded};
use guardhost_report::{PinCommand, PinsReport, Report};

use super::differences::{LockedReads, differences};
use super::fetch_component::{FetchedComponent, Want, fetch_component};
use super::files::PinFiles;
use super::introduction::Introduction;
use super::resolve::{Resolver, granted};

pub fn add(args: &AddArgs, ctx: &CommandContext) -> Result<Report> {
    let files = PinFiles::read(&ctx.repo()?, ctx)?;
    let plain = files.text.clone().unwrap_or_else(|| format!("{SCHEMA_LINE}\nschema = 1\n"));
    let rules = files.parse(&plain)?;
    let wanted = wanted(args, ctx.embedded)?;
    ctx.note_former_id(&args.source, &wanted.id);
    let resolver = Resolver::new(ctx, files.place(), &rules);
    // The component itself says its id.
    let nameless = Pin {
        version: args.requirement.clone(),
        digest: wanted.digest.clone(),
        ..Pin::new(&wanted.id, wanted.source.clone())
    };
    let obtained = fetch_component(&resolver.sources(), &nameless, None, Want::NEWEST)?;
    let introduction = introduced(&resolver, &wanted, &obtained)?;
    let (kind, id, (text, mut notices)) = match &introduction {
        Introduction::Guard(guard) => {
            (PinKind::Guard, guard.description.id.clone(), with_what_judges(&files, plain, ctx)?)
        }
        Introduction::Language(_) => (PinKind::Language, language_id(args, &obtained.source)?, (plain, Vec::new())),
    };
    let before = files.parse(&text)?;
    if let Some(pin) = before.pins().find(|pin| pin.id == id) {
        if files.text.is_none() {
            let what = format!("the guard `{id}` judges already: without a {FILE} the default set does");
            return Err(Fault::new(FaultKind::Usage, what).hint("`host init` writes one that can be edited").into());
        }
        let what = format!("{FILE} has the {} `{id}` already", pin.kind);
        return Err(Fault::new(FaultKind::Usage, what)
            .hint(format!("to take a newer one: host guard update {id}"))
            .into());
    }
    let floating = matches!(&wanted.source, ComponentSource::Oci(oci) if oci.tag.is_none() && oci.manifest.is_none());
    let version = args.requirement.clone();
    let pin = NewPin {
        kind,
        version: version.or_else(|| floating.then(|| format!("^{}", introduction.version()))),
        digest: match &wanted.source {
            ComponentSource::Https(_) => {
                Some(introduction.identity().digest.parse().map_err(guardhost_core::error::Error::msg)?)
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
    let mut obtained = Some(obtained);
    let (mut new, mut reads) = (Vec::new(), LockedReads::new());
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

/// What a component says of itself, which tells whether it is a guard.
fn introduced(resolver: &Resolver, wanted: &WantedPin, obtained: &FetchedComponent) -> Result<Introduction> {
    let FetchedComponent { source, component, .. } = obtained;
    resolver.introduce(pin_kind(component.as_ref()), &wanted.id, source, component.as_ref())
}

/// What a component would be pinned as: the embedded ones that are named without a source are guards, and what is neither a guard nor a
/// language is inspected as a guard, which says what it lacks.
pub fn pin_kind(component: Option<&Component>) -> PinKind {
    match component.map(|component| ComponentKind::from_component(component.bytes())) {
        Some(Ok(ComponentKind::Language)) => PinKind::Language,
        Some(Ok(ComponentKind::Guard) | Err(_)) | None => PinKind::Guard,
    }
}

/// A language does not say an id: it has the name of its file, or of its repository, as when it is published.
fn language_id(args: &AddArgs, source: &ComponentSource) -> Result<String> {
    if !args.grants.is_empty() || args.monitor {
        let what = format!("{source} is a language, which has no rights, and no verdict that could be monitored");
        return Err(Fault::new(FaultKind::Usage, what).hint("leave out --grant and --monitor").into());
    }
    Ok(name_at_source(source))
}

pub fn name_at_source(source: &ComponentSource) -> String {
    let name = match source {
        ComponentSource::Builtin => "",
        ComponentSource::Path(path) | ComponentSource::Https(path) => path.trim_end_matches(".wasm"),
        ComponentSource::Oci(oci) => &oci.repository,
    };
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

/// The text of guards.toml to which a guard is added, so that those which judged until now still judge; and what to say of it.
fn with_what_judges(files: &PinFiles, plain: String, ctx: &CommandContext) -> Result<(String, Vec<String>)> {
    if files.text.is_none() {
        let notice = format!("{FILE} is new: the embedded guards, which judge without one, are pinned in it too");
        return Ok((with_default_set(plain, None, ctx.embedded)?, vec![notice]));
    }
    let rules = files.rules()?;
    if !rules.takes_the_default_set() {
        return Ok((plain, Vec::new()));
    }
    let notice = format!("the default set, which judged until now, is pinned in {FILE} too");
    Ok((with_default_set(plain, Some(rules), ctx.embedded)?, vec![notice]))
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
                kind: PinKind::Guard,
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
