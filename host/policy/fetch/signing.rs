//! Signs a component with a minisign key before it is published.

use std::path::Path;

use minisign::SecretKeyBox;

use guardhost_core::component::Component;
use guardhost_core::error::{Context, Fault, Kind, Result};

/// A signature of the component in minisign's format. `password` opens an encrypted key.
///
/// # Errors
/// `Kind::Usage`: the file is no secret key, or the password is missing or wrong. Messages never quote the key.
pub fn sign(component: &Component, key: &Path, password: Option<&str>, comment: &str) -> Result<String> {
    let shown = key.display();
    let text = std::fs::read_to_string(key)
        .with_context(|| Fault::new(Kind::Usage, format!("cannot read the key {shown}")))?;
    let wrong = |why: &str| {
        Fault::new(Kind::Usage, format!("{shown}: {why}"))
            .hint("make one with `minisign -G`; the password of an encrypted key is taken from GUARDHOST_SIGN_PASSWORD")
    };
    let parsed = SecretKeyBox::from_string(&text).map_err(|_| wrong("not a secret key of minisign"))?;
    let key = match password {
        Some(password) => parsed.into_secret_key(Some(password.to_owned())),
        // The other function of the library would ask for a password on the terminal.
        None => parsed.into_unencrypted_secret_key(),
    };
    let key = key.map_err(|_| wrong("the key is encrypted, and the password is missing or wrong"))?;
    let signature =
        minisign::sign(None, &key, component.bytes(), Some(comment), None).with_context(|| wrong("signing failed"))?;
    Ok(signature.to_string())
}
