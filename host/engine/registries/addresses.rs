//! Which registry answers for a package.

use std::collections::BTreeMap;

use guardhost_http::is_private;
use reqwest::Url;

use super::PackageName;

/// The ecosystems whose registries can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegistryEcosystem {
    Cargo,
    Npm,
    Python,
    Go,
}

impl RegistryEcosystem {
    pub const ALL: [RegistryEcosystem; 4] =
        [RegistryEcosystem::Cargo, RegistryEcosystem::Npm, RegistryEcosystem::Python, RegistryEcosystem::Go];

    /// As facts, guards and `guards.toml` name it.
    pub fn name(self) -> &'static str {
        match self {
            RegistryEcosystem::Cargo => "cargo",
            RegistryEcosystem::Npm => "npm",
            RegistryEcosystem::Python => "python",
            RegistryEcosystem::Go => "go",
        }
    }
}

/// An address of `guards.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryAddress {
    ecosystem: RegistryEcosystem,
    url: Url,
}

impl RegistryAddress {
    /// # Errors
    /// It is none; it holds a credential, which everybody who has the repository would read; or it is asked without TLS, though not on this
    /// machine.
    pub fn new(ecosystem: RegistryEcosystem, text: &str) -> Result<Self, String> {
        let name = ecosystem.name();
        let Some(url) = url(text) else { return Err(format!("registries.{name} is no address of http or https")) };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(format!(
                "registries.{name} holds a credential; set it in the settings of your package manager"
            ));
        }
        if !is_private(&url) {
            return Err(format!("registries.{name} is not encrypted; write https://"));
        }
        Ok(RegistryAddress { ecosystem, url })
    }
}

/// An address as package managers write it: Cargo puts `sparse+` in front.
pub fn url(text: &str) -> Option<Url> {
    let text = text.trim();
    let url = Url::parse(text.strip_prefix("sparse+").unwrap_or(text)).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.host().is_some()).then_some(url)
}

/// What answers for one ecosystem.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Registry {
    pub ecosystem: RegistryEcosystem,
    /// The addresses in the order in which they are tried.
    pub urls: Vec<Url>,
    /// What none of them has may come from elsewhere: Go goes on to the repository itself.
    pub goes_on: bool,
}

/// The settings of this machine's package managers.
#[derive(Debug, Default)]
pub struct MachineAddresses {
    pub registries: Vec<Registry>,
    /// Beginnings of npm's names, and of Go's paths with `*` in them, that have a place of their own: no public registry is to hear of them.
    pub private: Vec<(RegistryEcosystem, String)>,
}

/// What answers for each ecosystem.
#[derive(Debug)]
pub struct Addresses {
    registries: BTreeMap<RegistryEcosystem, Registry>,
    private: Vec<(RegistryEcosystem, String)>,
}

impl Addresses {
    pub fn new(named: &[RegistryAddress], machine: MachineAddresses) -> Self {
        let MachineAddresses { registries, private } = machine;
        let named = named.iter().map(|RegistryAddress { ecosystem, url }| Registry {
            ecosystem: *ecosystem,
            urls: vec![url.clone()],
            goes_on: false,
        });
        let all = registries.into_iter().chain(named).map(|registry| (registry.ecosystem, registry));
        Addresses { registries: all.collect(), private }
    }

    /// # Errors
    /// Why nothing is asked of the package.
    pub fn of(&self, package: &PackageName) -> Result<(RegistryEcosystem, &Registry), String> {
        let known = RegistryEcosystem::ALL.into_iter().find(|known| known.name() == package.ecosystem);
        let Some(ecosystem) = known else {
            return Err(format!("this host asks no registry of {}", package.ecosystem.escape_debug()));
        };
        if self.private.iter().any(|(of, place)| *of == ecosystem && covers(place, &package.name)) {
            return Err("it has a registry of its own here, which is not asked".to_owned());
        }
        let none = || {
            let name = ecosystem.name();
            format!("no registry of {name} is set up here: name one as {name} under [registries] in guards.toml")
        };
        self.registries.get(&ecosystem).map(|registry| (ecosystem, registry)).ok_or_else(none)
    }
}

/// Whether a name lies below a place: part by part, where a `*` stands for any letters.
fn covers(place: &str, name: &str) -> bool {
    let mut parts = name.split('/');
    place.trim_end_matches('/').split('/').all(|pattern| parts.next().is_some_and(|part| is_like(pattern, part)))
}

fn is_like(pattern: &str, part: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == part,
        Some((start, rest)) => part.strip_prefix(start).is_some_and(|left| {
            left.char_indices().map(|(at, _)| at).chain([left.len()]).any(|at| is_like(rest, &left[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_cover_what_lies_below_them() {
        for (place, name, expected) in [
            ("@corp", "@corp/x", true),
            ("@corp", "@corporate/x", false),
            ("*.corp.example", "git.corp.example/a/b", true),
            ("*.corp.example", "corp.example/a", false),
            ("host.example/team*/x", "host.example/team-a/x/y", true),
            ("host.example/team/x/", "host.example/team", false),
        ] {
            assert_eq!(covers(place, name), expected, "{place} {name}");
        }
    }

    #[test]
    fn rules_hold_no_secret_and_ask_over_tls() {
        let address = |text: &str| RegistryAddress::new(RegistryEcosystem::Npm, text);
        for good in ["https://example.org/npm", "sparse+https://example.org/", "http://127.0.0.1:4873/"] {
            assert!(address(good).is_ok(), "{good}");
        }
        for bad in
            ["http://example.org/", "https://me:secret@example.org/", "example.org", "file:///x", "git+ssh://x/y"]
        {
            assert!(address(bad).is_err_and(|why| !why.contains("secret")), "{bad}");
        }
    }
}
