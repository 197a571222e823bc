//! Signatures of receipts: those of `ssh-keygen -Y sign`, so that git's own tools verify them too.

use std::fmt;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use ed25519_dalek::SigningKey;
use guardhost_core::change::Oid;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_os::may_be_read_by_others;
use guardhost_report::ReceiptSignature;
use ssh_key::{Algorithm, HashAlg, LineEnding, PrivateKey, SshSig};

use super::AllowedSigners;

/// What `ssh-keygen -Y` calls the purpose of a signature: one for something else is none for a receipt.
pub const NAMESPACE: &str = "guardhost-receipt";

/// Bytes of a file that holds a key.
const LARGEST: u64 = 64 << 10;
/// Characters of a signature in a trailer. Those of Ed25519 have some 260.
const LONGEST: usize = 2_000;
/// Of the form. It is not signed.
const VERSION: u32 = 1;
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";

/// What is signed: the change and the receipt of its judgement. With the trees, a trailer that is copied to the commit of another change is
/// wrong by itself, also where the receipt cannot be made again.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    pub base_tree: Oid,
    pub tree: Oid,
    /// As it stands in the trailer.
    pub receipt: &'a str,
}

impl fmt::Display for Statement<'_> {
    /// Three lines, each with its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "base {}\ntree {}\nreceipt {}\n", self.base_tree, self.tree, self.receipt)
    }
}

impl Statement<'_> {
    /// What a trailer says. `signature`: the lines of the armour without its first and last, as one.
    pub fn verify(&self, signature: Option<&str>, allowed: &AllowedSigners) -> ReceiptSignature {
        let Some(signature) = signature else { return ReceiptSignature::Unsigned };
        let Some(signature) = read(signature) else { return ReceiptSignature::Unreadable };
        let key = ssh_key::PublicKey::from(signature.public_key().clone());
        let shown = key.fingerprint(HashAlg::Sha256).to_string();
        // Without the algorithms that are not compiled in, every such signature would be called wrong.
        if key.algorithm() != Algorithm::Ed25519 {
            return ReceiptSignature::Unreadable;
        }
        match key.verify(NAMESPACE, self.to_string().as_bytes(), &signature) {
            Err(_) => ReceiptSignature::Wrong { key: shown },
            Ok(()) => match allowed.name(&key) {
                Some(signer) => ReceiptSignature::Good { signer: signer.to_owned(), key: shown },
                None => ReceiptSignature::UnknownKey { key: shown },
            },
        }
    }
}

/// None for what is no signature.
fn read(line: &str) -> Option<SshSig> {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    if line.is_empty() || line.len() > LONGEST || !line.bytes().all(is_base64) {
        return None;
    }
    let mut armour = format!("{BEGIN}\n");
    for part in line.as_bytes().chunks(70) {
        armour.extend(part.iter().map(|byte| char::from(*byte)));
        armour.push('\n');
    }
    armour.push_str(END);
    armour.push('\n');
    let signature = SshSig::from_pem(armour).ok()?;
    // Not every bit of the form is signed, and the library reads what it would not write.
    (signature.version() == VERSION && self::line(&signature)? == line).then_some(signature)
}

/// The armour without its first and last line, as one line.
fn line(signature: &SshSig) -> Option<String> {
    let armour = signature.to_pem(LineEnding::LF).ok()?;
    Some(armour.lines().filter(|line| ![BEGIN, END].contains(line)).collect())
}

/// The secret half of a key with which receipts are signed.
pub struct ReceiptKey(PrivateKey);

/// Never shows the secret half.
impl fmt::Debug for ReceiptKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReceiptKey({})", self.0.fingerprint(HashAlg::Sha256))
    }
}

impl ReceiptKey {
    /// A key as `ssh-keygen -t ed25519 -N ''` makes it.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: it cannot be read, others can read it, or it is another key, or has a passphrase.
    pub fn read(path: &Path) -> Result<Self> {
        let fault = |why: String, hint: &str| Fault::new(FaultKind::Usage, why).hint(hint.to_owned());
        let name = path.display();
        let unreadable = || fault(format!("cannot read the key {name}"), "--sign-receipts names a private key of ssh");
        let data = fs::metadata(path).with_context(unreadable)?;
        if may_be_read_by_others(&data) {
            return Err(fault(format!("others can read the key {name}"), &format!("run chmod 600 {name}")).into());
        }
        let mut text = String::new();
        File::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text)).with_context(unreadable)?;
        let make = "make one with ssh-keygen -t ed25519 -N '' -f FILE";
        // The library's words may quote what it read.
        let key = PrivateKey::from_openssh(&text).ok().filter(|key| key.algorithm() == Algorithm::Ed25519);
        let key = key.ok_or_else(|| fault(format!("{name} is no private key of ssh for Ed25519"), make))?;
        if key.is_encrypted() {
            let why = format!("the key {name} has a passphrase, and nobody can be asked for it");
            return Err(fault(why, make).into());
        }
        Ok(ReceiptKey(key))
    }

    /// `SHA256:…`, as ssh shows it.
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint(HashAlg::Sha256).to_string()
    }

    /// For signatures that are not in the form of ssh.
    ///
    /// # Errors
    /// The two halves of the key do not belong together.
    pub(super) fn signing(&self) -> Result<SigningKey> {
        let cannot = || Fault::new(FaultKind::Config, "cannot sign with this key").hint("is the key damaged?");
        let pair = self.0.key_data().ed25519().with_context(cannot)?;
        let key = SigningKey::from_bytes(&pair.private.to_bytes());
        (key.verifying_key().to_bytes() == pair.public.0).then_some(key).with_context(cannot)
    }

    /// The armour of the signature without its first and last line, as one line.
    ///
    /// # Errors
    /// The library refuses the key.
    pub fn sign(&self, statement: &Statement) -> Result<String> {
        let cannot = || Fault::new(FaultKind::Config, "cannot sign the receipt").hint("is the key damaged?");
        let signature = SshSig::sign(&self.0, NAMESPACE, HashAlg::Sha512, statement.to_string().as_bytes());
        // Without `std`, the library's error is none that a context can be put around.
        let signature = signature.ok().with_context(cannot)?;
        line(&signature).with_context(cannot)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ssh_key::private::{Ed25519Keypair, KeypairData};

    pub fn key(byte: u8) -> ReceiptKey {
        let pair = KeypairData::Ed25519(Ed25519Keypair::from_seed(&[byte; 32]));
        ReceiptKey(PrivateKey::new(pair, "test").expect("a key"))
    }

    pub fn public(key: &ReceiptKey) -> String {
        key.0.public_key().to_openssh().expect("a key")
    }

    fn oid(byte: u8) -> Oid {
        Oid::from_str(&format!("{byte:02x}").repeat(20)).expect("an id")
    }

    #[test]
    fn every_flipped_bit_of_a_signature_and_of_what_is_signed_is_seen() {
        let (key, receipt) = (key(1), format!("sha256:{}", "ab".repeat(32)));
        let statement = Statement { base_tree: oid(1), tree: oid(2), receipt: &receipt };
        let line = key.sign(&statement).expect("signed");
        let public = public(&key);
        let allowed = AllowedSigners::parse(&format!("ada@example.org {public}\n")).expect("a list");
        let said = |statement: &Statement, line: &str| statement.verify(Some(line), &allowed);
        let good = |said: ReceiptSignature| matches!(said, ReceiptSignature::Good { signer, .. } if signer == "ada@example.org");
        assert!(good(said(&statement, &line)));
        for other in [Statement { base_tree: oid(3), ..statement }, Statement { tree: oid(3), ..statement }] {
            assert!(matches!(said(&other, &line), ReceiptSignature::Wrong { .. }));
        }
        let other = format!("sha256:{}", "ac".repeat(32));
        assert!(matches!(said(&Statement { receipt: &other, ..statement }, &line), ReceiptSignature::Wrong { .. }));
        assert_eq!(statement.verify(None, &allowed), ReceiptSignature::Unsigned);
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut bytes = line.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let flipped = String::from_utf8_lossy(&bytes).into_owned();
                assert!(!good(said(&statement, &flipped)), "bit {bit} of character {at}");
            }
        }
        for no_signature in ["", "AAAA", "é", &"A".repeat(LONGEST + 1), &format!("{line} ")] {
            assert_eq!(said(&statement, no_signature), ReceiptSignature::Unreadable, "{no_signature}");
        }
        let unknown = self::key(2).sign(&statement).expect("signed");
        assert!(matches!(said(&statement, &unknown), ReceiptSignature::UnknownKey { .. }));
        assert!(!format!("{key:?}").contains("PRIVATE"));
    }

    #[test]
    fn a_signature_for_something_else_is_wrong() {
        let (key, statement) = (key(1), Statement { base_tree: oid(1), tree: oid(2), receipt: "sha256:00" });
        let signature = SshSig::sign(&key.0, "git", HashAlg::Sha512, statement.to_string().as_bytes()).expect("signed");
        let armour = signature.to_pem(LineEnding::LF).expect("an armour");
        let line: String = armour.lines().filter(|line| !line.starts_with('-')).collect();
        let said = statement.verify(Some(&line), &AllowedSigners::default());
        assert!(matches!(said, ReceiptSignature::Wrong { .. }), "{said:?}");
    }
}
