//! The credential of an app of GitHub: its key signs that it is the app, for ten minutes, and the forge answers with a token of its installation
//! in one repository, for an hour.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use jiff::Timestamp;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::{Value, json};

use crate::address::RepoAddress;
use crate::error::{ForgeError, ForgeFailure};
use crate::github;
use crate::http::{Http, HttpCall, HttpSettings};
use crate::json::{number, text};
use crate::token::ForgeToken;

/// Seconds before now that a signature counts from: clocks differ.
const BEFORE: i64 = 60;
/// Seconds that it counts; the forge takes ten minutes at most.
const AFTER: i64 = 9 * 60;
/// An app, by its id and its private key.
pub struct App {
    id: String,
    /// The variable of the key.
    variable: String,
    key: RsaKeyPair,
}

impl App {
    /// `id` is the app's id or its client id; the variable holds its private key (PEM, PKCS #1 as the forge gives it, or PKCS #8). Line breaks
    /// may be written as `\n`.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: the variable is not set, or holds no RSA key.
    pub fn from_env(process: &ProcessEnv, id: &str, variable: &str) -> Result<Self> {
        let pem = process.var(variable).map(|value| value.to_string_lossy().into_owned()).unwrap_or_default();
        if pem.trim().is_empty() {
            let fault = Fault::new(FaultKind::Usage, format!("the variable {variable} is not set"));
            return Err(fault.hint("it holds the private key of the app, as the forge gave it (PEM)").into());
        }
        let pem = if pem.trim().contains('\n') { pem } else { pem.replace("\\n", "\n") };
        // What is wrong with it is not said: the words of a parser may hold a part of the key.
        let key = key(&pem).ok_or_else(|| {
            let fault =
                Fault::new(FaultKind::Usage, format!("the variable {variable} holds no RSA private key in PEM"));
            fault.hint("copy the file that the forge gave, from its BEGIN line to its END line")
        })?;
        Ok(App { id: id.to_owned(), variable: variable.to_owned(), key })
    }

    /// A token for one repository, with the rights that the app has there: to ask for one that it has not is an error of the forge. `settings` are of the API; their own token is not used.
    pub fn token(&self, address: &RepoAddress, settings: HttpSettings) -> std::result::Result<ForgeToken, ForgeError> {
        let signed = ForgeToken::new(&self.variable, self.signed(settings.pause.now())?);
        let http = Http::new(HttpSettings { token: Some(signed), ..settings }, github::DIALECT)?;
        let installation = format!("/repos/{}/{}/installation", address.owner, address.name);
        let installation = number(&http.json(&HttpCall::get(installation))?, "id")?;
        let body = json!({ "repositories": [address.name] });
        // A second token takes nothing from the first.
        let made = http.json(&HttpCall::put(format!("/app/installations/{installation}/access_tokens"), body))?;
        Ok(ForgeToken::new(&self.variable, text(&made, "token")?))
    }

    /// A JSON Web Token (RFC 7519), signed with RS256.
    fn signed(&self, now: Timestamp) -> std::result::Result<String, ForgeError> {
        let now = now.as_second();
        let encoded = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let header = encoded(json!({ "alg": "RS256", "typ": "JWT" }));
        let claims = encoded(json!({ "iat": now - BEFORE, "exp": now + AFTER, "iss": self.id }));
        let text = format!("{header}.{claims}");
        let mut signature = vec![0; self.key.public().modulus_len()];
        self.key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).map_err(|_| {
            ForgeError::new(ForgeFailure::Unauthorized, format!("the key in {} cannot sign", self.variable))
        })?;
        Ok(format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

fn key(pem: &str) -> Option<RsaKeyPair> {
    match PrivateKeyDer::from_pem_slice(pem.as_bytes()).ok()? {
        PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()).ok(),
        PrivateKeyDer::Pkcs8(der) => RsaKeyPair::from_pkcs8(der.secret_pkcs8_der()).ok(),
        _ => None,
    }
}
