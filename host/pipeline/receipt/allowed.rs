//! Whose signatures count: the file that `ssh-keygen` and git call `allowed_signers`.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use ssh_key::{HashAlg, PublicKey};

use super::signature::NAMESPACE;

/// Bytes of a list: some ten thousand keys.
const LARGEST: u64 = 1 << 20;

/// Keys with the names of whoever has them.
#[derive(Debug, Clone, Default)]
pub struct AllowedSigners(Vec<(String, PublicKey)>);

impl AllowedSigners {
    /// # Errors
    /// [`FaultKind::Usage`]: the file cannot be read, or a line of it.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let fault = |why: String| {
            Fault::new(FaultKind::Usage, why)
                .hint("a line is `NAME ssh-ed25519 KEY`, as ssh-keygen(1) has it under ALLOWED SIGNERS")
        };
        let unreadable = || fault(format!("cannot read the signers in {name}"));
        let mut text = String::new();
        File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text)).with_context(unreadable)?;
        if text.len() as u64 > LARGEST {
            return Err(fault(format!("{name} has more than {LARGEST} bytes")).into());
        }
        Self::parse(&text).map_err(|(line, why)| fault(format!("line {line} of {name} {why}")).into())
    }

    /// Only `namespaces` is an option that can be honoured here. A line with another one is refused: to ignore `valid-before` would let a
    /// key count that its owner has withdrawn.
    ///
    /// # Errors
    /// The number of a line, and what is wrong with it.
    pub fn parse(text: &str) -> std::result::Result<Self, (usize, String)> {
        let mut found = Vec::new();
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |why: &str| (number, why.to_owned());
            let (name, rest) = line.split_once([' ', '\t']).ok_or_else(|| wrong("has no key"))?;
            let rest = rest.trim_start();
            let (counts, key) = match rest.strip_prefix("namespaces=\"") {
                None => (true, rest),
                Some(rest) => {
                    let (list, key) = rest.split_once('"').ok_or_else(|| wrong("has a quote without an end"))?;
                    (list.split(',').any(|space| space.trim() == NAMESPACE), key.trim_start())
                }
            };
            if !key.starts_with("ssh-") && !key.starts_with("ecdsa-") && !key.starts_with("sk-") {
                return Err(wrong("has an option other than `namespaces`, or no key"));
            }
            // Of keys that cannot sign receipts, the file may say what it wants.
            if !key.starts_with("ssh-ed25519") {
                continue;
            }
            let key = PublicKey::from_openssh(key).map_err(|_| wrong("has no key that can be read"))?;
            if counts {
                found.push((name.to_owned(), key));
            }
        }
        Ok(AllowedSigners(found))
    }

    /// Who has the key, by the first line that names it.
    pub fn name(&self, key: &PublicKey) -> Option<&str> {
        let found = self.0.iter().find(|(_, known)| known.key_data() == key.key_data());
        found.map(|(name, _)| name.as_str())
    }

    /// Who has the key with this fingerprint (`SHA256:…`), and its 32 bytes.
    pub(super) fn by_fingerprint(&self, fingerprint: &str) -> Option<(&str, [u8; 32])> {
        let has = |key: &PublicKey| key.fingerprint(HashAlg::Sha256).to_string() == fingerprint;
        let (name, key) = self.0.iter().find(|(_, key)| has(key))?;
        Some((name, key.key_data().ed25519()?.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";

    #[test]
    fn lines_count_for_receipts_alone_or_are_refused() {
        let key = PublicKey::from_openssh(KEY).expect("a key");
        let named = |text: &str| AllowedSigners::parse(text).expect("a list").name(&key).map(str::to_owned);
        assert_eq!(
            named(&format!("# ours\n\nada@example.org {KEY} a comment\neve {KEY}\n")).as_deref(),
            Some("ada@example.org")
        );
        assert_eq!(named(&format!("ada namespaces=\"git,guardhost-receipt\" {KEY}")).as_deref(), Some("ada"));
        assert_eq!(named(&format!("ada namespaces=\"git\" {KEY}")), None);
        assert_eq!(named(&format!("eve ecdsa-sha2-nistp256 AAAA\nada {KEY}")).as_deref(), Some("ada"));
        for (text, line) in [
            ("ada".to_owned(), 1),
            (format!("\nada valid-before=\"20200101\" {KEY}"), 2),
            (format!("ada cert-authority {KEY}"), 1),
            (format!("ada namespaces=\"git {KEY}"), 1),
            (format!("ada {}", &KEY[..40]), 1),
            (format!("ada {KEY}\nssh-ed25519 AAAA"), 2),
        ] {
            assert_eq!(AllowedSigners::parse(&text).map(drop).unwrap_err().0, line, "{text}");
        }
    }
}
