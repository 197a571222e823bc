//! Verifies the signatures of a component against the keys of `[trust]`.

use std::io::Cursor;

use minisign::{PublicKey, SignatureBox};

use crate::config::{ComponentSource, RequiredSignatures, TrustedKey};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, FaultKind, Result};

/// This line is not signed, so the host writes it in one form, and a lock never depends on it.
const UNTRUSTED: &str = "untrusted comment: a signature by minisign";

/// The trusted keys that signed, in the order of `[trust]`, and their signatures as a lock keeps them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signed {
    pub signers: Vec<String>,
    pub signatures: Vec<String>,
}

impl Signed {
    pub fn suffices(&self, required: &RequiredSignatures) -> bool {
        self.signers.len() >= required.threshold
    }
}

/// Where signatures were read: it decides what to do when they are too few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureOrigin {
    /// `guards.lock`; the source may have more by now.
    Lock,
    /// The source, just now.
    Source,
}

/// The supported kinds of signatures. A kind that proves an identity instead of a key (such as Sigstore's bundles) would be a
/// variant here, with its identities beside `trust.keys` and its check in [`verify`].
enum Signature {
    Minisign(Box<SignatureBox>),
}

/// The valid signatures of `component` by the keys of `required`.
///
/// # Errors
/// `Kind::GuardLoad`: a signature by one of the keys is not of these bytes, or there are too few for a remote source.
/// `Kind::Config`: a key of `[trust]` is malformed.
pub fn verify_signatures(
    id: &str,
    source: &ComponentSource,
    component: &Component,
    signatures: &[String],
    required: &RequiredSignatures,
    origin: SignatureOrigin,
) -> Result<Signed> {
    let found = signed_by(id, component, signatures, required)?;
    if source.is_remote() && !found.suffices(required) {
        return Err(unsigned(id, source, &found, signatures, required, origin));
    }
    Ok(found)
}

/// As [`verify_signatures`], also when there are too few.
pub fn signed_by(
    id: &str,
    component: &Component,
    signatures: &[String],
    required: &RequiredSignatures,
) -> Result<Signed> {
    let mut found = Signed::default();
    for key in &required.keys {
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
    Ok(found)
}

/// The name of the key in `keys` that made a signature which is to be published with the component.
///
/// # Errors
/// `Kind::Usage`: it is no signature, or made by another key; `Kind::GuardLoad`: it is not of this component.
pub fn attachable(id: &str, component: &Component, text: &str, file: &str, keys: &[TrustedKey]) -> Result<String> {
    let usage = |what: &str| Fault::new(FaultKind::Usage, format!("{file}: {what}"));
    let signature = parse(text).ok_or_else(|| {
        usage("expected a signature of minisign, four lines, actual other text")
            .hint("make one: minisign -S -m COMPONENT")
    })?;
    for key in keys {
        if verify(id, component, &signature, key, &public_key(key)?)?.is_some() {
            return Ok(key.name.clone());
        }
    }
    let Signature::Minisign(signature) = signature;
    let what = format!(
        "it is signed by the key {}, which is not known here, so that it cannot be verified",
        hex_id(signature.keynum())
    );
    Err(usage(&what).hint("name the key: --public-key FILE; or add it to [trust] keys in guards.toml").into())
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
            if !signature.is_prehashed() {
                let what = format!(
                    "guard `{id}`: the signature of `{}` has minisign's legacy format: expected a prehashed one, actual one of \
                     minisign -S -l",
                    key.name
                );
                return Err(Fault::new(FaultKind::GuardLoad, what)
                    .hint(
                        "let its publisher sign again without -l, and attach that: host guard publish --signature FILE",
                    )
                    .code("bad-signature")
                    .into());
            }
            let (quiet, output, legacy) = (true, false, false);
            minisign::verify(public, signature, Cursor::new(component.bytes()), quiet, output, legacy).map_err(|cause| {
                let what = format!(
                    "guard `{id}`: the signature of `{}` is not of this component: expected one of {}, actual: {cause}",
                    key.name,
                    component.digest()
                );
                Fault::new(FaultKind::GuardLoad, what)
                    .hint(format!("do not use it; ask its publisher. When there is a good version: host guard update {id}"))
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
        Fault::new(FaultKind::Config, what).hint("it is the second line of the .pub file").into()
    })
}

fn unsigned(
    id: &str,
    source: &ComponentSource,
    found: &Signed,
    signatures: &[String],
    required: &RequiredSignatures,
    origin: SignatureOrigin,
) -> Error {
    let names: Vec<&str> = required.keys.iter().map(|key| key.name.as_str()).collect();
    let among = if names.is_empty() { "[trust] has none".to_owned() } else { names.join(", ") };
    let wanted = match required.threshold {
        1 => format!("a signature of 1 trusted key ({among})"),
        many => format!("signatures of {many} trusted keys ({among})"),
    };
    let others: Vec<String> = signatures.iter().filter_map(|text| key_id(text)).collect();
    let unreadable = match signatures.iter().filter(|text| parse(text).is_none()).count() {
        0 => String::new(),
        1 => ", and 1 signature that cannot be read".to_owned(),
        many => format!(", and {many} signatures that cannot be read"),
    };
    let actual = match (found.signers.as_slice(), others.as_slice()) {
        ([], []) => "no signature at all".to_owned(),
        ([], others) => format!("signatures by keys that are not trusted: {}", others.join(", ")),
        (signers, _) => signers.join(", "),
    };
    let hint = match origin {
        SignatureOrigin::Lock => format!(
            "if it was signed again since, take its signatures: host guard update {id}; if another key signed it, add that key to \
             [trust] keys in guards.toml; if its digest is enough, allow-unsigned = true in its pin"
        ),
        SignatureOrigin::Source => format!(
            "ask its publisher to sign it (host guard publish --sign or --signature adds a signature), or add the key that signed \
             it to [trust] keys in guards.toml; then: host guard update {id}; if its digest is enough, allow-unsigned = true in its \
             pin, or host guard add --allow-unsigned"
        ),
    };
    let what = format!("guard `{id}` ({source}): expected {wanted}, actual {actual}{unreadable}");
    Fault::new(FaultKind::GuardLoad, what).hint(hint).code("unsigned").into()
}
