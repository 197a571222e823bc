//! `guards.lock`: exactly which components were reviewed. Only the host writes it, and equal content gives equal bytes.

use serde::Deserialize;

use super::{ComponentFacts, ComponentSource, Digest, parse_fault};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::renamed_guards::{absorbed, current_id};

/// The only supported version of the format.
const SCHEMA: u32 = 1;

const HEADER: &str =
    "# Written by `host guard lock`; host and reviewers read it. To change it, edit guards.toml and run that again.\n";

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockFile {
    /// Version of this file's format.
    pub schema: u32,
    /// Sorted by id.
    #[serde(default, rename = "guard")]
    pub guards: Vec<Locked>,
}

/// One guard as it was reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    pub id: String,
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
    /// Digest of the pin's settings: [`super::Pin::settings_digest`].
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
        LockFile { schema: SCHEMA, guards: Vec::new() }
    }
}

impl LockFile {
    /// # Errors
    /// `Kind::Config` with line and column; also for a file that [`LockFile::render`] would write differently, because people must
    /// not edit it. Embedded guards have the ids of today.
    pub fn parse(bytes: &[u8], origin: &str) -> Result<LockFile> {
        let again = "restore it, or write it anew: host guard lock";
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Fault::new(FaultKind::Config, format!("{origin} is not UTF-8")).hint(again))?;
        let mut lock: LockFile = toml::from_str(text).map_err(|error| {
            let fault = parse_fault(text, origin, &error);
            Fault { hint: Some(again.to_owned()), ..fault }
        })?;
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
        for locked in lock.guards.iter_mut().filter(|locked| locked.source == ComponentSource::Builtin) {
            locked.id = current_id(&locked.id).to_owned();
        }
        lock.guards.retain(|locked| locked.source != ComponentSource::Builtin || absorbed(&locked.id).is_none());
        lock.guards.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(lock)
    }

    /// Equal locks give equal bytes.
    pub fn render(&self) -> String {
        let mut out = format!("{HEADER}schema = {}\n", self.schema);
        let mut guards: Vec<&Locked> = self.guards.iter().collect();
        guards.sort_by(|a, b| a.id.cmp(&b.id));
        for guard in guards {
            let list = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
            let mut line = |key: &str, value: String| out.push_str(&format!("{key} = {value}\n"));
            line("\n[[guard]]\nid", quoted(&guard.id));
            line("source", quoted(&guard.source.to_string()));
            line("version", quoted(&guard.version));
            line("digest", quoted(guard.digest.as_str()));
            line("size", guard.size.to_string());
            line("imports", format!("[{}]", list(&guard.imports)));
            line("exports", format!("[{}]", list(&guard.exports)));
            line("settings", quoted(guard.settings.as_str()));
            if !guard.signers.is_empty() {
                line("signers", format!("[{}]", list(&guard.signers)));
                line("signatures", format!("[{}]", list(&guard.signatures)));
            }
        }
        out
    }

    pub fn get(&self, id: &str) -> Option<&Locked> {
        self.guards.iter().find(|guard| guard.id == id)
    }
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
