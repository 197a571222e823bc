//! Who vouches for a component, by `[trust]`.

use std::io::Cursor;

use minisign::{PublicKey, SignatureBox};

use crate::config::{ComponentSource, Trust, TrustedKey};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, Kind, Result};

/// Nobody signs this line, so that in a lock it always says the same.
const UNTRUSTED: &str = "untrusted comment: a signature by minisign";

/// The trusted keys that signed, in the order of `[trust]`, and their signatures as a lock keeps them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signed {
    pub signers: Vec<String>,
    pub signatures: Vec<String>,
}

/// The kinds of signatures that there are. One that vouches for an identity instead of a key (Sigstore's bundles, which are
/// JSON) would be a variant here, with its identities beside `trust.keys` and its check in [`verified`].
enum Signature {
    Minisign(Box<SignatureBox>),
}

/// Whose signatures of `component` hold, as far as `trust` knows them.
///
/// # Errors
/// `Kind::GuardLoad`: a signature by a trusted key that is not of these bytes; fewer signers than `trust` wants for a source
/// that is elsewhere. `Kind::Config`: a key that is none.
pub fn signed(
    id: &str,
    source: &ComponentSource,
    component: &Component,
    signatures: &[String],
    trust: &Trust,
) -> Result<Signed> {
    let mut found = Signed::default();
    for key in &trust.keys {
        let public = public(key)?;
        for text in signatures {
            let Some(signature) = parse(text) else { continue };
            if let Some(canonical) = verified(id, component, &signature, key, &public)? {
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

/// The signature as a lock keeps it; None when it is of another key.
fn verified(
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

/// Of the second signature, over the first and the comment: the library takes its length on trust.
const BASE64_LENGTH: usize = 88;

/// None: it is of no kind that this host knows.
fn parse(text: &str) -> Option<Signature> {
    text.lines().nth(3).filter(|line| line.trim().len() == BASE64_LENGTH)?;
    SignatureBox::from_string(text.trim_end()).ok().map(|signature| Signature::Minisign(Box::new(signature)))
}

/// The id of the key that made a signature, as minisign shows it.
pub(super) fn key_id(text: &str) -> Option<String> {
    let Signature::Minisign(signature) = parse(text)?;
    Some(shown(signature.keynum()))
}

fn shown(keynum: &[u8]) -> String {
    keynum.iter().rev().map(|byte| format!("{byte:02X}")).collect()
}

fn public(key: &TrustedKey) -> Result<PublicKey> {
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
