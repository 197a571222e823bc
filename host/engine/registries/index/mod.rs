//! How each ecosystem's index is asked, and what its answers say.

pub mod cargo;
pub mod go;
pub mod npm;
pub mod python;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Standing;
use super::addresses::RegistryEcosystem;

/// What a registry said of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    There {
        /// When its first version was published: seconds since 1970.
        first: Option<i64>,
        versions: Option<u32>,
    },
    Missing(String),
    Unknown(String),
}

const DAY: u64 = 24 * 60 * 60;

impl Found {
    /// `now`: seconds since 1970.
    pub fn standing(&self, now: u64) -> Standing {
        match self {
            Found::There { first, versions } => {
                let days = |first: &i64| {
                    // What was published after now was published now.
                    let age = now.saturating_sub(u64::try_from(*first).unwrap_or(0));
                    u32::try_from(age / DAY).unwrap_or(u32::MAX)
                };
                Standing::Published { days: first.as_ref().map(days), versions: *versions }
            }
            Found::Missing(why) => Standing::Missing(why.clone()),
            Found::Unknown(why) => Standing::Unknown(why.clone()),
        }
    }
}

/// Bytes. npm allows 214, the others fewer, but for Go's paths.
const LONGEST: usize = 255;

/// Whether a registry could have a package of this name. What is one leads nowhere else when it stands in an address.
pub fn is_name(ecosystem: RegistryEcosystem, name: &str) -> bool {
    let plain = |text: &str, also: &str| {
        !text.is_empty()
            && !text.starts_with('.')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || also.contains(c))
    };
    name.len() <= LONGEST
        && match ecosystem {
            RegistryEcosystem::Cargo => plain(name, "-_"),
            RegistryEcosystem::Python => plain(name, "-_."),
            RegistryEcosystem::Npm => match name.strip_prefix('@').map(|scoped| scoped.split_once('/')) {
                None => plain(name, "-_.~"),
                Some(Some((scope, name))) => plain(scope, "-_.~") && plain(name, "-_.~"),
                Some(None) => false,
            },
            // The first part is a host.
            RegistryEcosystem::Go => {
                name.split('/').all(|part| plain(part, "-_.~"))
                    && name.split('/').next().is_some_and(|host| host.contains('.'))
            }
        }
}

/// The percent-encoded path of a package below the address of its registry.
pub fn path(ecosystem: RegistryEcosystem, name: &str) -> String {
    match ecosystem {
        RegistryEcosystem::Cargo => cargo::path(name),
        RegistryEcosystem::Npm => npm::path(name),
        RegistryEcosystem::Python => python::path(name),
        RegistryEcosystem::Go => go::list(name),
    }
}

/// The forms in which the answer can be read.
pub fn accept(ecosystem: RegistryEcosystem) -> &'static str {
    match ecosystem {
        RegistryEcosystem::Npm => "application/json",
        RegistryEcosystem::Python => python::ACCEPT,
        RegistryEcosystem::Cargo | RegistryEcosystem::Go => "text/plain, */*;q=0.5",
    }
}

/// Whether a registry says of such a name that it is absent when it is only not for everybody.
pub fn may_be_hidden(ecosystem: RegistryEcosystem, name: &str) -> bool {
    match ecosystem {
        RegistryEcosystem::Npm => name.starts_with('@'),
        RegistryEcosystem::Cargo | RegistryEcosystem::Python | RegistryEcosystem::Go => false,
    }
}

/// Seconds since 1970 of a time as RFC 3339 writes it.
fn seconds(text: &str) -> Option<i64> {
    text.parse::<Timestamp>().ok().map(Timestamp::as_second)
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        use RegistryEcosystem::{Cargo, Go, Npm, Python};
        for (ecosystem, name, expected) in [
            (Npm, "left-pad", true),
            (Npm, "@corp/x.y", true),
            (Npm, "@corp", false),
            (Npm, "a/b", false),
            (Npm, "..", false),
            (Npm, "@../x", false),
            (Npm, "x?y=z", false),
            (Python, "Zope.Interface", true),
            (Python, "a b", false),
            (Cargo, "serde_json", true),
            (Cargo, "a.b", false),
            (Go, "example.org/x/y.v2", true),
            (Go, "example.org/../y", false),
            (Go, "fmt", false),
        ] {
            assert_eq!(is_name(ecosystem, name), expected, "{name}");
        }
    }

    #[test]
    fn days_are_whole_and_never_negative() {
        let days = |first, now| Found::There { first: Some(first), versions: None }.standing(now);
        let published = |days| Standing::Published { days: Some(days), versions: None };
        assert_eq!(days(0, 2 * DAY - 1), published(1));
        assert_eq!(days(100, 50), published(0));
    }
}
