//! A pinned component: a guard of the set, as `[[guard]]` of `guards.toml` pins it, or a language, as `[[language]]` does.

use std::fmt;

use guardhost_core::change::Mode;
use guardhost_core::renamed_guards::means;
use guardhost_engine::Folder;
use serde::{Deserialize, Deserializer};

use super::paths::Paths;
use super::{ByteSize, ComponentSource, Digest};

/// What a pinned component does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PinKind {
    #[default]
    Guard,
    /// It reads texts for the guards.
    Language,
}

/// The name of its table, which is the word for it in messages.
impl fmt::Display for PinKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.table())
    }
}

impl PinKind {
    pub fn table(self) -> &'static str {
        match self {
            PinKind::Guard => "guard",
            PinKind::Language => "language",
        }
    }
}

/// One guard of the set, or a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Pin {
    #[serde(skip)]
    pub kind: PinKind,
    pub id: String,
    /// The id that the guard gives itself, where the pin has another one.
    pub guard: Option<String>,
    /// The folder below which it judges, in place of the other pins of this guard. None: wherever no other pin does.
    pub folder: Option<Folder>,
    /// Folders in which another pin judges in its place.
    #[serde(skip)]
    pub without: Vec<Folder>,
    #[serde(default)]
    pub source: ComponentSource,
    /// Semver requirement on the guard's own version.
    pub version: Option<String>,
    /// Digest of the component; required for `https://` sources.
    pub digest: Option<Digest>,
    /// Imports that the guard may have beyond `change` and `log`.
    #[serde(default)]
    pub grants: Vec<String>,
    #[serde(default)]
    pub mode: Mode,
    #[serde(default)]
    pub paths: Paths,
    #[serde(default)]
    pub limits: PinLimits,
    /// Names of `trust.keys`: only these may vouch for a remote guard. None: every key, or those of its name space.
    pub signers: Option<Vec<String>>,
    /// How many of the signers must have signed. None: as its name space or `[trust]` says.
    pub threshold: Option<u32>,
    /// Whether this guard may be unsigned. None: as its name space or `[trust]` says.
    pub allow_unsigned: Option<bool>,
    /// Passed to the guard as JSON.
    #[serde(default)]
    pub settings: toml::Table,
}

/// Limits that differ from the host's defaults.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PinLimits {
    /// Fuel of one call; about one unit per instruction.
    pub fuel: Option<u64>,
    /// Linear memory of one call, all memories of the component together.
    pub memory: Option<ByteSize>,
    /// Wall time of one build or test run that the guard requests, in seconds.
    pub seconds: Option<u64>,
}

impl Pin {
    /// The id that its component gives itself.
    pub fn component_id(&self) -> &str {
        self.guard.as_deref().unwrap_or(&self.id)
    }

    /// Whether a name on the command line means it: its own id, or that of its guard, which means all pins of that guard.
    pub fn is_meant(&self, written: &str) -> bool {
        means(written, &self.id) || means(written, self.component_id())
    }

    /// Independent of the order of keys and of comments.
    pub fn settings_digest(&self) -> Digest {
        let mut text = String::new();
        canonical(&toml::Value::Table(self.settings.clone()), &mut text);
        Digest::of(text.as_bytes())
    }

    /// A pin with defaults for everything else.
    pub fn new(id: &str, source: ComponentSource) -> Pin {
        Pin {
            kind: PinKind::Guard,
            id: id.to_owned(),
            guard: None,
            folder: None,
            without: Vec::new(),
            source,
            version: None,
            digest: None,
            grants: Vec::new(),
            mode: Mode::default(),
            paths: Paths::default(),
            limits: PinLimits::default(),
            signers: None,
            threshold: None,
            allow_unsigned: None,
            settings: toml::Table::new(),
        }
    }
}

/// `[[language]]`: what a pin says of where its component comes from. A language has no rights, no settings and no mode.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LanguageTable {
    id: String,
    #[serde(default)]
    source: ComponentSource,
    version: Option<String>,
    digest: Option<Digest>,
    signers: Option<Vec<String>>,
    threshold: Option<u32>,
    allow_unsigned: Option<bool>,
}

impl From<LanguageTable> for Pin {
    fn from(table: LanguageTable) -> Pin {
        let LanguageTable { id, source, version, digest, signers, threshold, allow_unsigned } = table;
        let kind = PinKind::Language;
        Pin { kind, version, digest, signers, threshold, allow_unsigned, ..Pin::new(&id, source) }
    }
}

/// Reads `[[language]]` tables as pins.
pub(super) fn languages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pin>, D::Error> {
    Ok(Vec::<LanguageTable>::deserialize(deserializer)?.into_iter().map(Pin::from).collect())
}

/// What an id is, in words.
pub(super) const AN_ID: &str = "lower-case letters, digits and `-`, at most 64";

pub(super) fn is_id(id: &str) -> bool {
    let kebab = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=64).contains(&id.len()) && id.bytes().all(kebab)
}

/// Writes the value as JSON with sorted keys, so that equal values give equal text.
fn canonical(value: &toml::Value, out: &mut String) {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    match value {
        toml::Value::String(text) => out.push_str(&quoted(text)),
        toml::Value::Array(items) => {
            out.push('[');
            items.iter().for_each(|item| {
                canonical(item, out);
                out.push(',');
            });
            out.push(']');
        }
        toml::Value::Table(table) => {
            let sorted: std::collections::BTreeMap<_, _> = table.iter().collect();
            out.push('{');
            for (key, value) in sorted {
                out.push_str(&quoted(key));
                out.push(':');
                canonical(value, out);
                out.push(',');
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}
