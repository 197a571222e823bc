//! The app of the tests: a key that was made for them, and whether something is signed with it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::Value;

/// As the forge gives it, and in the other form.
pub const KEY: &str = include_str!("../app/key.pem");
pub const KEY_8: &str = include_str!("../app/key8.pem");
pub const ID: &str = "1234";

/// Whether a header `Authorization` holds a token that the app signed, for ten minutes at most.
pub fn is_signed(header: &str) -> bool {
    claims(header).is_some_and(|claims| {
        let time = |key: &str| claims[key].as_i64().unwrap_or_default();
        claims["iss"] == ID && time("exp") - time("iat") <= 600 && time("exp") > time("iat")
    })
}

fn claims(header: &str) -> Option<Value> {
    let (text, signature) = header.strip_prefix("Bearer ")?.rsplit_once('.')?;
    let PrivateKeyDer::Pkcs1(der) = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).ok()? else { return None };
    let key = RsaKeyPair::from_der(der.secret_pkcs1_der()).ok()?;
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key().as_ref());
    public.verify(text.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
    let (header, claims) = text.split_once('.')?;
    let parsed = |part: &str| serde_json::from_slice::<Value>(&URL_SAFE_NO_PAD.decode(part).ok()?).ok();
    (parsed(header)?["alg"] == "RS256").then(|| parsed(claims)).flatten()
}
