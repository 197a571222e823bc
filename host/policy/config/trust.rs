//! `[trust]`: which signatures a remote guard needs.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Trust {
    pub keys: Vec<TrustedKey>,
    /// How many of `keys` must have signed; at least 1.
    pub threshold: u32,
    /// Whether unsigned guards are accepted. The digest in the lock is then the only check.
    pub allow_unsigned: bool,
    /// Registries, `HOST:PORT`, that are contacted without TLS. Those on loopback need no entry.
    pub plain_http: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustedKey {
    /// The owner of the key; appears in the lock.
    pub name: String,
    /// A minisign public key: the second line of its file.
    pub minisign: String,
}

impl Default for Trust {
    fn default() -> Self {
        Trust { keys: Vec::new(), threshold: 1, allow_unsigned: false, plain_http: Vec::new() }
    }
}

impl Trust {
    /// Constraints that the types do not express.
    pub(super) fn validate(&self) -> Result<(), String> {
        let most = self.keys.len().max(1);
        if !(1..=most).contains(&(self.threshold as usize)) {
            return Err(format!(
                "trust.threshold = {} is out of range: 1 to {most}, as there are keys",
                self.threshold
            ));
        }
        for (index, key) in self.keys.iter().enumerate() {
            if self.keys[..index].iter().any(|other| other.name == key.name || other.minisign == key.minisign) {
                return Err(format!("trust.keys names `{}` twice", key.name));
            }
            if key.name.is_empty() || key.name.chars().any(|c| c.is_control()) {
                return Err("trust.keys: a key needs a name".to_owned());
            }
        }
        Ok(())
    }
}
