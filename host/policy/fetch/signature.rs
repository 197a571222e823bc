//! Verifies the signatures of a component against the keys of `[trust]`.

use std::io::Cursor;

use minisign::{PublicKey, SignatureBox};

use crate::config::{ComponentSource, Trust, TrustedKey};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, Kind, Result};

/// This line is not signed, so the host writes it in one form, and a lock never depends on it.
const UNTRUSTED: &str = "untrusted comment: a signature by minisign";

/// The trusted keys that signed, in the order of `[trust]`, and their signatures as a lock keeps them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signed {
    pub signers: Vec<String>,
    pub signatures: Vec<String>,
}

/// The supported kinds of signatures. A kind that proves an identity instead of a key (such as Sigstore's bundles) would be a
/// variant here, with its identities beside `trust.keys` and its check in [`verify`].
enum Signature {
    Minisign(Box<SignatureBox>),
}

/// The valid signatures of `component` by keys of `trust`.
///
/// # Errors
/// `Kind::GuardLoad`: a signature by a trusted key is not of these bytes, or a remote source has fewer signers than `trust`
/// requires. `Kind::Config`: a key of `trust` is malformed.
pub fn verify_signatures(
    id: &str,
    source: &ComponentSource,
    component: &Component,
    signatures: &[String],
    trust: &Trust,
) -> Result<Signed> {
    let mut found = Signed::default();
    for key in &trust.keys {
        let public = public_key(key)?;
        for text in signatures {
            let Some(signature) = parse(text) else { continue };
            if let Some(canonical) = verify(id, component, &signature, key, &public)? {
                found.signers.push(key.name.clone());
                found.signatures.push(canonical);
                break;
            }
        }
    }
    let wanted = trust.threshold as usize;
    if source.is_remote() && !trust.allow_unsigned && found.signers.len() < wanted {
        return Err(unsigned(id, source, &found, signatures, trust));
    }
    Ok(found)
}

/// The signature as a lock stores it; None when another key made it.
fn verify(
    id: &str,
    component: &Component,
    signature: &Signature,
    key: &TrustedKey,
    public: &PublicKey,
) -> Result<Option<String>> {
    match signature {
        Signature::Minisign(signature) => {
            if signature.keynum() != public.keynum() {
                return Ok(None);
            }
            let (quiet, output, legacy) = (true, false, false);
            minisign::verify(public, signature, Cursor::new(component.bytes()), quiet, output, legacy).map_err(|cause| {
                let what = format!(
                    "guard `{id}`: the signature of `{}` is not of this component: expected one of {}, actual: {cause}",
                    key.name,
                    component.digest()
                );
                Fault::new(Kind::GuardLoad, what)
                    .hint("do not use it; ask its publisher, or pin another version: host guard update")
                    .code("bad-signature")
            })?;
            let text = signature.to_string();
            let signed = text.split_once('\n').map_or("", |(_, signed)| signed);
            Ok(Some(format!("{UNTRUSTED}\n{}", signed.trim_end())))
        }
    }
}

/// The length of the second signature (over the first and the comment). Checked here, because the library does not check it.
const BASE64_LENGTH: usize = 88;

/// None for a kind that this host does not know.
fn parse(text: &str) -> Option<Signature> {
    text.lines().nth(3).filter(|line| line.trim().len() == BASE64_LENGTH)?;
    SignatureBox::from_string(text.trim_end()).ok().map(|signature| Signature::Minisign(Box::new(signature)))
}

/// The id of the key that made a signature, as minisign prints it.
pub(super) fn key_id(text: &str) -> Option<String> {
    let Signature::Minisign(signature) = parse(text)?;
    Some(hex_id(signature.keynum()))
}

fn hex_id(keynum: &[u8]) -> String {
    keynum.iter().rev().map(|byte| format!("{byte:02X}")).collect()
}

fn public_key(key: &TrustedKey) -> Result<PublicKey> {
    PublicKey::from_base64(&key.minisign).map_err(|cause| {
        let what = format!("trust.keys: `{}` is not a public key of minisign: {cause}", key.name);
        Fault::new(Kind::Config, what).hint("it is the second line of the .pub file").into()
    })
}

fn unsigned(id: &str, source: &ComponentSource, found: &Signed, signatures: &[String], trust: &Trust) -> Error {
    let wanted = trust.threshold;
    let others: Vec<String> = signatures.iter().filter_map(|text| key_id(text)).collect();
    let actual = match (found.signers.as_slice(), others.as_slice()) {
        ([], []) => "no signature at all".to_owned(),
        ([], others) => format!("signatures by keys that are not trusted: {}", others.join(", ")),
        (signers, _) => signers.join(", "),
    };
    let what = format!("guard `{id}` ({source}): expected signatures of {wanted} trusted keys, actual {actual}");
    Fault::new(Kind::GuardLoad, what)
        .hint("add its publisher's key to [trust] keys in guards.toml; or, if its digest is enough, allow-unsigned = true; then: host guard lock")
        .code("unsigned")
        .into()
}
