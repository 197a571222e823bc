//! Signs a component with a minisign key before it is published.

use std::io::Cursor;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::{PublicKey, SecretKey, SecretKeyBox};

use guardhost_core::component::Component;
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// The second line of a key file holds, after two bytes for the kind of signature, two bytes for the kind of encryption.
const ENCRYPTION: std::ops::Range<usize> = 2..4;
const NOT_ENCRYPTED: [u8; 2] = [0, 0];
/// The last bytes are a checksum.
const CHECKSUM: usize = 32;
/// Bytes of a whole key.
const LENGTH: usize = 158;

const ATTACH: &str = "or sign with minisign itself, and attach its signature: --signature FILE";

/// A signature of the component in minisign's format. `password` opens an encrypted key.
///
/// # Errors
/// `Kind::Usage`: the file is no secret key, or the password is missing or wrong. Messages never quote the key.
pub fn sign(component: &Component, key: &Path, password: Option<&str>, comment: &str) -> Result<String> {
    let shown = key.display();
    let text = std::fs::read_to_string(key)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot read the key {shown}")))?;
    let wrong = |why: &str, hint: String| Fault::new(FaultKind::Usage, format!("{shown}: {why}")).hint(hint);
    let key = open(&text, password).map_err(|why| match why {
        Unusable::NoKey => wrong("it is not a secret key of minisign", "make one: minisign -G".to_owned()),
        Unusable::Altered => {
            wrong("its checksum is wrong: the file was altered or cut", "restore it from a backup".to_owned())
        }
        Unusable::PasswordMissing => {
            wrong("the key is encrypted, and there is no password", format!("set GUARDHOST_SIGN_PASSWORD, {ATTACH}"))
        }
        Unusable::PasswordWrong => {
            wrong("GUARDHOST_SIGN_PASSWORD is not the password of this key", format!("correct it, {ATTACH}"))
        }
    })?;
    let altered =
        || wrong("its own signature is not valid: the file was altered", "restore it from a backup".to_owned());
    let signature = minisign::sign(None, &key, component.bytes(), Some(comment), None)
        .with_context(|| wrong("signing failed", ATTACH.to_owned()))?;
    // A key without a checksum may have been altered unnoticed.
    let public = PublicKey::from_secret_key(&key).map_err(|_| altered())?;
    minisign::verify(&public, &signature, Cursor::new(component.bytes()), true, false, false).map_err(|_| altered())?;
    Ok(signature.to_string())
}

enum Unusable {
    NoKey,
    Altered,
    PasswordMissing,
    PasswordWrong,
}

fn open(text: &str, password: Option<&str>) -> Result<SecretKey, Unusable> {
    let line = text.lines().nth(1).ok_or(Unusable::NoKey)?;
    let bytes = STANDARD.decode(line.trim()).ok().filter(|bytes| bytes.len() == LENGTH).ok_or(Unusable::NoKey)?;
    let parsed = SecretKeyBox::from_string(text).map_err(|_| Unusable::NoKey)?;
    if bytes[ENCRYPTION] != NOT_ENCRYPTED {
        // Without a password the library would ask for one on the terminal.
        let password = password.ok_or(Unusable::PasswordMissing)?;
        return parsed.into_secret_key(Some(password.to_owned())).map_err(|error| match error.kind() {
            minisign::ErrorKind::Verify => Unusable::PasswordWrong,
            _ => Unusable::NoKey,
        });
    }
    // minisign 0.11 writes no checksum into a key without a password, and reads none.
    if bytes[LENGTH - CHECKSUM..] == [0; CHECKSUM] {
        return SecretKey::from_bytes(&bytes).map_err(|_| Unusable::NoKey);
    }
    parsed.into_unencrypted_secret_key().map_err(|_| Unusable::Altered)
}
