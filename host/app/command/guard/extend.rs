//! `host guard extend`: stands the rules of a repository on rules that it shares with others.

use crate::cli::ExtendArgs;
use crate::context::CommandContext;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_policy::SCHEMA_LINE;
use guardhost_policy::config::{
    ComponentSource, Digest, EXTENDED, Extends, FILE, GuardsToml, extend as set_extends, stop_extending,
};
use guardhost_policy::fetch::{RegistryClient, shared_rules};
use guardhost_report::{PinCommand, PinsReport, Report};

use super::differences::differences;
use super::files::PinFiles;
use super::lock::locked;
use super::resolve::Resolver;

pub fn extend(args: &ExtendArgs, ctx: &CommandContext) -> Result<Report> {
    let mut files = PinFiles::texts(&ctx.repo()?)?;
    let text = files.text.clone().unwrap_or_else(|| format!("{SCHEMA_LINE}\nschema = 1\n"));
    let now = extended_now(&text)?;
    let text = match (args.remove, args.source.as_deref()) {
        (true, _) => stop_extending(&text)?.ok_or_else(|| extends_nothing("nothing to remove"))?,
        (false, source) => {
            let source: ComponentSource = match (source, &now) {
                (Some(source), _) => source.parse().map_err(|what: String| Fault::new(FaultKind::Usage, what))?,
                (None, Some(now)) => now.source.clone(),
                (None, None) => return Err(extends_nothing("name a source").into()),
            };
            let without = match args.without.is_empty() {
                true => now.map(|now| now.without).unwrap_or_default(),
                false => args.without.clone(),
            };
            let mut extends = Extends { source, digest: None, without };
            if extends.source.is_remote() {
                // `client` reads from the repository's own rules which registries may be reached without TLS.
                let bytes = shared_rules(&extends.source, &client(&files, &text, ctx))?;
                extends.digest = Some(Digest::of(&bytes));
                files.shared = Some((EXTENDED.to_owned(), bytes));
            }
            set_extends(&text, &extends)?
        }
    };
    let rules = files.parse(&text)?;
    let (old, notice) = files.lock_or_none();
    let resolver = Resolver::new(ctx, files.place(), &rules);
    let (new, reads) = locked(&resolver, &old)?;
    let written = files.write(Some(&text), &new, ctx)?;
    let mut notices: Vec<String> = notice.into_iter().chain(files.stale(&new)?).collect();
    notices.extend(rules.extends.as_ref().map(|extends| match &extends.digest {
        Some(digest) => format!("{FILE} extends {} ({digest}), stored as {}", extends.source, extends.file()),
        None => format!("{FILE} extends {}", extends.source),
    }));
    notices.extend(resolver.net.cache.trouble());
    let changes = differences(&old, &new, &reads);
    Ok(Report::Pins(Box::new(PinsReport { written, changes, notices, ..PinsReport::new(PinCommand::Extend) })))
}

/// What the file extends until now, whether or not the shared rules are there.
fn extended_now(text: &str) -> Result<Option<Extends>> {
    // Every other mistake of the file is found when it is read as a whole.
    let table: Option<toml::Table> = toml::from_str(text).ok();
    let Some(value) = table.as_ref().and_then(|table| table.get("extends")) else { return Ok(None) };
    let extends = value.clone().try_into().map_err(|error: toml::de::Error| {
        Fault::new(FaultKind::Config, format!("{FILE}: extends: {}", error.message()))
    })?;
    Ok(Some(extends))
}

/// With the registries of the rules that are there, if they can be read.
fn client(files: &PinFiles, text: &str, ctx: &CommandContext) -> RegistryClient {
    let own = stop_extending(text).ok().flatten().unwrap_or_else(|| text.to_owned());
    let trust = files.parse(&own).map(|rules: GuardsToml| rules.trust).unwrap_or_default();
    ctx.policies().registry(&trust)
}

fn extends_nothing(what: &str) -> Fault {
    Fault::new(FaultKind::Usage, format!("{FILE} extends nothing: {what}"))
        .hint("host guard extend https://… | oci://… | path:FILE")
}
