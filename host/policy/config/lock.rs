//! `guards.lock`: exactly which components were reviewed. Only the host writes it, and equal content gives equal bytes.

use serde::Deserialize;

use super::pin::{Pin, PinKind};
use super::{ComponentFacts, ComponentSource, Digest, parse_fault};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::renamed_guards::{absorbed, current_id};

/// The only supported version of the format.
const SCHEMA: u32 = 1;

const HEADER: &str =
    "# Written by `host guard lock`; host and reviewers read it. To change it, edit guards.toml and run that again.\n";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockFile {
    /// Version of this file's format.
    pub schema: u32,
    /// Guards, then languages, each sorted by id.
    pub components: Vec<Locked>,
}

/// As it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LockTables {
    schema: u32,
    #[serde(default, rename = "guard")]
    guards: Vec<Locked>,
    #[serde(default, rename = "language")]
    languages: Vec<Locked>,
}

/// One component as it was reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    #[serde(skip)]
    pub kind: PinKind,
    pub id: String,
    /// The id that the component gives itself, where the pin has another one.
    #[serde(default)]
    pub guard: Option<String>,
    /// The resolved source. From a registry: with tag and digest of the manifest.
    pub source: ComponentSource,
    /// The version that the component gives itself, semver.
    pub version: String,
    /// Digest of the component.
    pub digest: Digest,
    /// Bytes of the component.
    pub size: u64,
    /// Names of the imported interfaces without package and version, sorted.
    pub imports: Vec<String>,
    /// Names of the exports, sorted.
    pub exports: Vec<String>,
    /// Digest of the pin's settings: [`super::Pin::settings_digest`]. Of a language, which has none, it is not written.
    #[serde(default = "no_settings")]
    pub settings: Digest,
    /// Names of the trusted keys that made `signatures`, in the same order.
    #[serde(default)]
    pub signers: Vec<String>,
    /// Signatures of the component, in minisign's format.
    #[serde(default)]
    pub signatures: Vec<String>,
}

impl Locked {
    /// What `[[refuse]]` compares.
    pub fn facts(&self) -> ComponentFacts<'_> {
        let Locked { id, source, version, digest, .. } = self;
        ComponentFacts { id, source, version, digest: digest.as_str() }
    }
}

impl Default for LockFile {
    fn default() -> Self {
        LockFile { schema: SCHEMA, components: Vec::new() }
    }
}

impl LockFile {
    /// # Errors
    /// `Kind::Config` with line and column; also for a file that [`LockFile::render`] would write differently, because people must
    /// not edit it. Embedded guards have the ids of today.
    pub fn parse(bytes: &[u8], origin: &str) -> Result<LockFile> {
        let again = "restore it, or write it again: host guard lock";
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Fault::new(FaultKind::Config, format!("{origin} is not UTF-8")).hint(again))?;
        let tables: LockTables = toml::from_str(text).map_err(|error| {
            let fault = parse_fault(text, origin, &error);
            Fault { hint: Some(again.to_owned()), ..fault }
        })?;
        let language = |locked: Locked| Locked { kind: PinKind::Language, ..locked };
        let components = tables.guards.into_iter().chain(tables.languages.into_iter().map(language)).collect();
        let mut lock = LockFile { schema: tables.schema, components };
        if lock.schema != SCHEMA {
            let what = format!("{origin}: schema = {} is not known; this host reads schema = {SCHEMA}", lock.schema);
            return Err(Fault::new(FaultKind::Config, what).hint("use the host that wrote it").into());
        }
        // Comments do not count, and a checkout may have converted line endings.
        let lines = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
        };
        let (found, wanted) = (lines(text), lines(&lock.render()));
        if found != wanted {
            let at = found.iter().zip(&wanted).position(|(a, b)| a != b).unwrap_or(found.len().min(wanted.len()));
            let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_else(|| "the end".to_owned());
            let what = format!(
                "{origin} was not written by the host: expected `{}`, actual `{}`",
                line(&wanted),
                line(&found)
            );
            return Err(Fault::new(FaultKind::Config, what).hint(again).code("lock-edited").into());
        }
        let is_embedded = |locked: &Locked| locked.kind == PinKind::Guard && locked.source == ComponentSource::Builtin;
        for locked in lock.components.iter_mut().filter(|locked| is_embedded(locked)) {
            let id = locked.guard.as_mut().unwrap_or(&mut locked.id);
            *id = current_id(id).to_owned();
        }
        let is_gone = |locked: &Locked| is_embedded(locked) && locked.guard.is_none() && absorbed(&locked.id).is_some();
        lock.components.retain(|locked| !is_gone(locked));
        lock.sort();
        Ok(lock)
    }

    /// Of these components.
    pub fn new(components: Vec<Locked>) -> LockFile {
        let mut lock = LockFile { schema: SCHEMA, components };
        lock.sort();
        lock
    }

    fn sort(&mut self) {
        self.components.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    }

    /// Equal locks give equal bytes.
    pub fn render(&self) -> String {
        let mut out = format!("{HEADER}schema = {}\n", self.schema);
        let mut sorted = self.clone();
        sorted.sort();
        for locked in &sorted.components {
            let list = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
            let mut line = |key: &str, value: String| out.push_str(&format!("{key} = {value}\n"));
            line(&format!("\n[[{}]]\nid", locked.kind.table()), quoted(&locked.id));
            if let Some(guard) = &locked.guard {
                line("guard", quoted(guard));
            }
            line("source", quoted(&locked.source.to_string()));
            line("version", quoted(&locked.version));
            line("digest", quoted(locked.digest.as_str()));
            line("size", locked.size.to_string());
            line("imports", format!("[{}]", list(&locked.imports)));
            line("exports", format!("[{}]", list(&locked.exports)));
            match locked.kind {
                PinKind::Guard => line("settings", quoted(locked.settings.as_str())),
                PinKind::Language => {}
            }
            if !locked.signers.is_empty() {
                line("signers", format!("[{}]", list(&locked.signers)));
                line("signatures", format!("[{}]", list(&locked.signatures)));
            }
        }
        out
    }

    pub fn get(&self, id: &str) -> Option<&Locked> {
        self.components.iter().find(|locked| locked.id == id)
    }
}

/// That of a pin without settings.
fn no_settings() -> Digest {
    Pin::new("", ComponentSource::Builtin).settings_digest()
}

/// A basic string of TOML. Written here, because the bytes of the file must not depend on the release of a library.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
