//! Signed statements in envelopes of DSSE (<https://github.com/secure-systems-lab/dsse>, version 1.0), as in-toto's own tools read them.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use guardhost_core::canonical;
use guardhost_core::error::Result;
use guardhost_report::ReceiptSignature;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AllowedSigners, ReceiptKey};

const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
const BUNDLE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";
const BUNDLE_ENDING: &str = ".sigstore.json";

/// Bytes of an envelope that is read: the statement of some thousand guards.
pub const LARGEST: u64 = 1 << 20;

/// The fields have the order in which they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    payload: String,
    #[serde(rename = "payloadType")]
    payload_type: String,
    signatures: Vec<EnvelopeSignature>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnvelopeSignature {
    /// The fingerprint of the key, as ssh shows it.
    keyid: String,
    sig: String,
}

/// An envelope as Sigstore's tools read it: with the name of the key, which whoever verifies has to have.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealBundle {
    #[serde(rename = "mediaType")]
    media_type: String,
    #[serde(rename = "verificationMaterial")]
    material: BundleMaterial,
    #[serde(rename = "dsseEnvelope")]
    envelope: Envelope,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BundleMaterial {
    #[serde(rename = "publicKey")]
    key: BundleKey,
    /// No log of transparency has the signature: none is asked to.
    #[serde(rename = "tlogEntries")]
    log: [(); 0],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BundleKey {
    /// The `keyid` of the signature.
    hint: String,
}

/// What is around a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealForm {
    /// The envelope of DSSE alone.
    Envelope,
    /// In it a bundle of Sigstore, version 0.3.
    Bundle,
}

impl SealForm {
    /// By the name of the file: those of bundles end as Sigstore's tools write them.
    pub fn of_file(name: &Path) -> Self {
        match name.to_string_lossy().ends_with(BUNDLE_ENDING) {
            true => SealForm::Bundle,
            false => SealForm::Envelope,
        }
    }
}

/// One line with its end.
fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    text + "\n"
}

/// What is signed: no other kind of payload, and no signature of ssh, has these bytes.
fn signed_bytes(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

/// A signed statement, one line of JSON.
///
/// # Errors
/// The key is damaged.
pub fn seal(statement: &Value, key: &ReceiptKey, form: SealForm) -> Result<String> {
    let payload = canonical::text(statement);
    let signature = key.signing()?.sign(&signed_bytes(PAYLOAD_TYPE, payload.as_bytes()));
    let envelope = Envelope {
        payload: STANDARD.encode(payload),
        payload_type: PAYLOAD_TYPE.to_owned(),
        signatures: vec![EnvelopeSignature { keyid: key.fingerprint(), sig: STANDARD.encode(signature.to_bytes()) }],
    };
    Ok(match form {
        SealForm::Envelope => line(&envelope),
        SealForm::Bundle => line(&SealBundle {
            media_type: BUNDLE.to_owned(),
            material: BundleMaterial { key: BundleKey { hint: key.fingerprint() }, log: [] },
            envelope,
        }),
    })
}

/// Who signed an envelope, and what it says; None where it is none, or not as it was written. The bytes count: of another writer, or with
/// other blanks, it is unreadable.
pub fn open(text: &str, allowed: &AllowedSigners) -> (ReceiptSignature, Option<Value>) {
    let Some((envelope, payload, statement)) = read(text) else { return (ReceiptSignature::Unreadable, None) };
    let [EnvelopeSignature { keyid, sig }] = envelope.signatures.as_slice() else {
        return (ReceiptSignature::Unreadable, None);
    };
    let key = keyid.clone();
    let Some((signer, bytes)) = allowed.by_fingerprint(keyid) else {
        return (ReceiptSignature::UnknownKey { key }, Some(statement));
    };
    let signature = STANDARD.decode(sig).ok().and_then(|bytes| Signature::from_slice(&bytes).ok());
    let is_right = |signature: Signature| {
        let verifying = VerifyingKey::from_bytes(&bytes).ok()?;
        verifying.verify_strict(&signed_bytes(&envelope.payload_type, &payload), &signature).ok()
    };
    match signature.and_then(is_right) {
        Some(()) => (ReceiptSignature::Good { signer: signer.to_owned(), key }, Some(statement)),
        None => (ReceiptSignature::Wrong { key }, Some(statement)),
    }
}

fn read(text: &str) -> Option<(Envelope, Vec<u8>, Value)> {
    let envelope = envelope(text)?;
    let payload = STANDARD.decode(&envelope.payload).ok()?;
    let statement: Value = serde_json::from_slice(&payload).ok()?;
    let is_ours = envelope.payload_type == PAYLOAD_TYPE && canonical::text(&statement).as_bytes() == payload;
    is_ours.then_some((envelope, payload, statement))
}

/// In either form, if the bytes are those that the host writes.
fn envelope(text: &str) -> Option<Envelope> {
    if let Ok(envelope) = serde_json::from_str::<Envelope>(text) {
        return (line(&envelope) == text).then_some(envelope);
    }
    let bundle: SealBundle = serde_json::from_str(text).ok()?;
    let [EnvelopeSignature { keyid, .. }] = bundle.envelope.signatures.as_slice() else { return None };
    let is_ours = bundle.media_type == BUNDLE && bundle.material.key.hint == *keyid && line(&bundle) == text;
    is_ours.then_some(bundle.envelope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receipt::signature::tests::{key, public};
    use proptest::prelude::*;
    use serde_json::json;

    const FORMS: [SealForm; 2] = [SealForm::Envelope, SealForm::Bundle];

    fn sealed(form: SealForm) -> (String, AllowedSigners) {
        let allowed = AllowedSigners::parse(&format!("ada@example.org {}\n", public(&key(1)))).expect("a list");
        let statement = json!({ "_type": "a statement", "predicate": { "result": "PASSED" } });
        (seal(&statement, &key(1), form).expect("signed"), allowed)
    }

    fn is_good(text: &str, allowed: &AllowedSigners) -> bool {
        matches!(open(text, allowed), (ReceiptSignature::Good { signer, .. }, Some(_)) if signer == "ada@example.org")
    }

    #[test]
    fn an_envelope_is_of_its_signer_and_of_no_stranger() {
        for form in FORMS {
            let (text, allowed) = sealed(form);
            assert!(is_good(&text, &allowed), "{text}");
            let stranger = seal(&json!({ "a": 1 }), &key(2), form).expect("signed");
            assert!(matches!(open(&stranger, &allowed), (ReceiptSignature::UnknownKey { .. }, Some(_))));
            // Somebody else's signature under the name of ada's key.
            let forged = stranger.replace(&key(2).fingerprint(), &key(1).fingerprint());
            assert!(matches!(open(&forged, &allowed), (ReceiptSignature::Wrong { .. }, Some(_))), "{forged}");
            // The name of another key beside the signature.
            let misnamed = text.replacen(&key(1).fingerprint(), &key(2).fingerprint(), 1);
            assert!(!is_good(&misnamed, &allowed), "{misnamed}");
            for other in ["", "{}", "[]", &text.replace("\"sig\"", "\"more\":1,\"sig\""), &text.replace(",", ", ")] {
                assert!(matches!(open(other, &allowed), (ReceiptSignature::Unreadable, None)), "{other}");
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_seen() {
        for form in FORMS {
            let (text, allowed) = sealed(form);
            // What a bundle has around the envelope; the envelope is the same in both.
            let end = text.find("\"dsseEnvelope\"").unwrap_or(text.len());
            for (at, bit) in (0..end).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert!(!is_good(&String::from_utf8_lossy(&bytes), &allowed), "bit {bit} of byte {at}: {form:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_byte_that_is_changed_removed_or_put_in_is_seen(at in any::<prop::sample::Index>(), new: u8, how in 0..3, form in prop::sample::select(FORMS.to_vec())) {
            let (text, allowed) = sealed(form);
            let mut bytes = text.clone().into_bytes();
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = new,
                1 => bytes.insert(at, new),
                _ => drop(bytes.remove(at)),
            }
            let changed = String::from_utf8_lossy(&bytes).into_owned();
            prop_assert_eq!(is_good(&changed, &allowed), changed == text);
        }
    }
}
