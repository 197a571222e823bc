//! The shape of `guards.toml`, and errors that point at the place.

use std::str::FromStr;

use serde::Deserialize;

use super::{ByteSize, nearest};
use crate::change::Mode;
use crate::error::{Fault, Kind, Result};

/// The only schema there is.
const SCHEMA: u32 = 1;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Version of this file's format.
    pub schema: u32,
    #[serde(default)]
    pub policy: Policy,
    /// Whom to ask, of those that the user's own settings define.
    #[serde(default)]
    pub providers: Chains,
    /// In the order in which they are shown.
    #[serde(default, rename = "guard")]
    pub guards: Vec<Pin>,
}

/// Chains of providers, by name alone: a repository may choose among what its user has set up, and can add nothing to it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Chains {
    pub command_chain: Vec<String>,
    pub command_chain_fast: Vec<String>,
    pub command_chain_quality: Vec<String>,
}

/// What holds whatever the guards say.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// How often a provider may try, 1 to 20.
    pub rounds: u32,
    /// Gitignore-style globs of paths that no patch may touch; None: the built-in list. The files that hold the rules are
    /// protected in any case.
    pub protect: Option<Vec<String>>,
    /// Largest file that a patch may write.
    pub max_file_size: Option<ByteSize>,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { rounds: 3, protect: None, max_file_size: None }
    }
}

/// One guard of the set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    pub id: String,
    #[serde(default)]
    pub source: Source,
    /// Semver requirement on the guard's own version.
    pub version: Option<String>,
    /// Imports that it may have beyond `change` and `log`.
    #[serde(default)]
    pub grants: Vec<String>,
    #[serde(default)]
    pub mode: Mode,
    #[serde(default)]
    pub paths: Paths,
    #[serde(default)]
    pub limits: PinLimits,
    /// Handed to the guard as JSON.
    #[serde(default)]
    pub settings: toml::Table,
}

/// Where the component comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Source {
    /// Embedded in this binary.
    #[default]
    Builtin,
    /// A file: of the base commit when it has one at that path, else of the disk; relative to the repository's root.
    Path(String),
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Paths {
    /// Gitignore-style globs; empty: every path.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

/// What differs from the host's own limits.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PinLimits {
    /// Fuel for one call, about one unit an instruction.
    pub fuel: Option<u64>,
    /// Linear memory of all the guard's memories together.
    pub memory: Option<ByteSize>,
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "builtin" => Ok(Source::Builtin),
            Some(("path", path)) if !path.is_empty() => Ok(Source::Path(path.to_owned())),
            Some(("https" | "oci", _)) => {
                Err(format!("source `{text}`: this host does not fetch guards yet; use \"builtin\" or \"path:FILE\""))
            }
            _ => Err(format!("source `{text}`: expected \"builtin\" or \"path:FILE\"")),
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Builtin => f.write_str("builtin"),
            Source::Path(path) => write!(f, "path:{path}"),
        }
    }
}

impl Rules {
    /// Nobody wrote any.
    pub(super) fn of_builtin(guards: Vec<Pin>) -> Rules {
        Rules { schema: SCHEMA, policy: Policy::default(), providers: Chains::default(), guards }
    }

    pub(super) fn parse(bytes: &[u8], origin: &str) -> Result<Rules> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| Fault::new(Kind::Config, format!("{origin} is not UTF-8")))?;
        let rules: Rules = toml::from_str(text).map_err(|error| located(text, origin, &error))?;
        rules.sound().map_err(|what| Fault::new(Kind::Config, format!("{origin}: {what}")))?;
        Ok(rules)
    }

    /// What serde cannot say.
    fn sound(&self) -> Result<(), String> {
        if self.schema != SCHEMA {
            return Err(format!("schema = {} is not known; this host reads schema = {SCHEMA}", self.schema));
        }
        if !(1..=20).contains(&self.policy.rounds) {
            return Err(format!("policy.rounds = {} is out of range: 1 to 20", self.policy.rounds));
        }
        for (index, pin) in self.guards.iter().enumerate() {
            let kebab = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            if pin.id.is_empty() || pin.id.len() > 64 || !pin.id.bytes().all(kebab) {
                return Err(format!(
                    "guard id `{}`: expected lower-case letters, digits and `-`, at most 64",
                    pin.id.escape_default()
                ));
            }
            if self.guards[..index].iter().any(|other| other.id == pin.id) {
                return Err(format!("guard `{}` is pinned twice", pin.id));
            }
        }
        Ok(())
    }
}

impl Pin {
    /// An embedded guard with its defaults.
    pub fn builtin(id: impl Into<String>, grants: Vec<String>) -> Pin {
        Pin {
            id: id.into(),
            source: Source::Builtin,
            version: None,
            grants,
            mode: Mode::default(),
            paths: Paths::default(),
            limits: PinLimits::default(),
            settings: toml::Table::new(),
        }
    }
}

/// The parser's message with file, line and column, and the key that was probably meant.
fn located(text: &str, origin: &str, error: &toml::de::Error) -> Fault {
    let message = error.message();
    let place = error.span().map_or_else(String::new, |span| {
        let before = &text[..span.start.min(text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
        format!(":{line}:{column}")
    });
    let fault = Fault::new(Kind::Config, format!("{origin}{place}: {message}"));
    let mut names = message.split('`').skip(1).step_by(2);
    match (message.starts_with("unknown field"), names.next()) {
        (true, Some(unknown)) => {
            let known: Vec<&str> = names.collect();
            match nearest(unknown, &known) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            }
        }
        _ => fault,
    }
}
