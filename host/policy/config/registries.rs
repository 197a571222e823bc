//! `[registries]`: where packages are looked up.

use guardhost_engine::registries::{RegistryAddress, RegistryEcosystem};
use serde::Deserialize;

/// Addresses of registries, which hold instead of those that a machine's package managers are set up with.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RegistryRules {
    /// A sparse index.
    pub cargo: Option<String>,
    pub npm: Option<String>,
    /// A simple index.
    pub python: Option<String>,
    /// A module proxy.
    pub go: Option<String>,
}

impl RegistryRules {
    /// # Errors
    /// One of them cannot be asked; which, and why.
    pub fn addresses(&self) -> Result<Vec<RegistryAddress>, String> {
        let RegistryRules { cargo, npm, python, go } = self;
        let all = [
            (RegistryEcosystem::Cargo, cargo),
            (RegistryEcosystem::Npm, npm),
            (RegistryEcosystem::Python, python),
            (RegistryEcosystem::Go, go),
        ];
        let named = all.into_iter().filter_map(|(ecosystem, text)| Some((ecosystem, text.as_deref()?)));
        named.map(|(ecosystem, text)| RegistryAddress::new(ecosystem, text)).collect()
    }
}
