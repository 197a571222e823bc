//! `[trust]`: which signatures a remote guard needs. A pin, or a rule for a name space, may ask for others.

use serde::Deserialize;

use super::{Pin, SourcePrefix};

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
    /// Rules for name spaces; the longest prefix that covers a source decides.
    #[serde(rename = "source")]
    pub sources: Vec<SourceTrust>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustedKey {
    /// The owner of the key; appears in the lock.
    pub name: String,
    /// A minisign public key: the second line of its file.
    pub minisign: String,
}

/// `[[trust.source]]`: the signatures of every guard below a prefix.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SourceTrust {
    pub prefix: SourcePrefix,
    pub signers: Option<Vec<String>>,
    pub threshold: Option<u32>,
    pub allow_unsigned: Option<bool>,
}

/// What a pin, or a rule for a name space, says of signatures. What it leaves out is said by the next wider rule.
struct SignatureRule<'a> {
    signers: Option<&'a [String]>,
    threshold: Option<u32>,
    allow_unsigned: Option<bool>,
}

/// The signatures that one component needs.
#[derive(Debug, Clone)]
pub struct RequiredSignatures<'a> {
    /// The keys whose signatures count.
    pub keys: Vec<&'a TrustedKey>,
    /// How many of the keys must have signed; 0 accepts an unsigned component.
    pub threshold: usize,
}

impl Default for Trust {
    fn default() -> Self {
        Trust { keys: Vec::new(), threshold: 1, allow_unsigned: false, plain_http: Vec::new(), sources: Vec::new() }
    }
}

impl SourceTrust {
    fn rule(&self) -> SignatureRule<'_> {
        let SourceTrust { signers, threshold, allow_unsigned, .. } = self;
        SignatureRule { signers: signers.as_deref(), threshold: *threshold, allow_unsigned: *allow_unsigned }
    }
}

impl Pin {
    fn rule(&self) -> SignatureRule<'_> {
        let Pin { signers, threshold, allow_unsigned, .. } = self;
        SignatureRule { signers: signers.as_deref(), threshold: *threshold, allow_unsigned: *allow_unsigned }
    }
}

impl Trust {
    /// The rule of the pin comes first, then that of the narrowest name space, then `[trust]` itself. A rule that names signers
    /// takes back an `allow-unsigned` of a wider one.
    pub fn required<'a>(&'a self, pin: &'a Pin) -> RequiredSignatures<'a> {
        self.by_rules(&self.rules(pin))
    }

    /// The narrowest first.
    fn rules<'a>(&'a self, pin: &'a Pin) -> Vec<SignatureRule<'a>> {
        let space = self.sources.iter().filter(|space| space.prefix.covers(&pin.source));
        let space = space.max_by_key(|space| space.prefix.as_str().len());
        [Some(pin.rule()), space.map(SourceTrust::rule)].into_iter().flatten().collect()
    }

    /// `rules`: the narrowest first.
    fn by_rules<'a>(&'a self, rules: &[SignatureRule<'a>]) -> RequiredSignatures<'a> {
        let signers = rules.iter().find_map(|rule| rule.signers);
        let named = |key: &&TrustedKey| signers.is_none_or(|names| names.contains(&key.name));
        let unsigned = rules.iter().find_map(|rule| rule.allow_unsigned.or(rule.signers.map(|_| false)));
        let threshold = rules.iter().find_map(|rule| rule.threshold).unwrap_or(self.threshold);
        let threshold = if unsigned.unwrap_or(self.allow_unsigned) { 0 } else { threshold as usize };
        RequiredSignatures { keys: self.keys.iter().filter(named).collect(), threshold }
    }

    /// Constraints that the types do not express.
    pub(super) fn validate(&self) -> Result<(), String> {
        in_range("trust.threshold", self.threshold, self.keys.len().max(1))?;
        for (index, key) in self.keys.iter().enumerate() {
            if self.keys[..index].iter().any(|other| other.name == key.name || other.minisign == key.minisign) {
                return Err(format!("trust.keys names `{}` twice", key.name));
            }
            if key.name.is_empty() || key.name.chars().any(|c| c.is_control()) {
                return Err("trust.keys: a key needs a name".to_owned());
            }
        }
        for (index, space) in self.sources.iter().enumerate() {
            let prefix = space.prefix.as_str();
            if self.sources[..index].iter().any(|other| other.prefix == space.prefix) {
                return Err(format!("trust.source names the prefix {prefix} twice"));
            }
            self.validate_rules(&format!("trust.source {prefix}"), &[space.rule()])?;
        }
        Ok(())
    }

    /// What a pin says of signatures, together with `[trust]`.
    pub(super) fn validate_pin(&self, pin: &Pin) -> Result<(), String> {
        let place = format!("{} `{}`", pin.kind, pin.id);
        if !pin.source.is_remote() && (pin.signers.is_some() || pin.threshold.is_some() || pin.allow_unsigned.is_some())
        {
            return Err(format!(
                "{place}: signers, threshold and allow-unsigned are for what comes from https:// and oci://, and it comes from {}",
                pin.source
            ));
        }
        self.validate_rules(&place, &self.rules(pin))
    }

    fn validate_rules(&self, place: &str, rules: &[SignatureRule]) -> Result<(), String> {
        for rule in rules {
            let Some(signers) = rule.signers else { continue };
            if signers.is_empty() {
                return Err(format!("{place}: signers is empty; name keys of [trust], or leave it out"));
            }
            if rule.allow_unsigned == Some(true) {
                return Err(format!("{place}: it has signers and allow-unsigned = true; expected one of the two"));
            }
            let unknown = |name: &&String| !self.keys.iter().any(|key| key.name == **name);
            if let Some(name) = signers.iter().find(unknown) {
                return Err(format!("{place}: signers names `{}`, and [trust] has no such key", name.escape_debug()));
            }
        }
        let required = self.by_rules(rules);
        let threshold = match (rules.iter().find_map(|rule| rule.threshold), required.threshold) {
            (Some(own), _) => own,
            (None, 0) => return Ok(()),
            (None, inherited) => inherited as u32,
        };
        in_range(&format!("{place}: threshold"), threshold, required.keys.len().max(1))
    }
}

fn in_range(what: &str, threshold: u32, most: usize) -> Result<(), String> {
    if (1..=most).contains(&(threshold as usize)) {
        return Ok(());
    }
    Err(format!("{what} = {threshold} is out of range: 1 to {most}, as there are keys"))
}
