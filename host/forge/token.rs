//! The credential of a forge, in a type that no format, log or error can show.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use secrecy::{ExposeSecret, SecretString};

/// What stands in the place of a token.
const HIDDEN: &str = "[secret]";

/// A token, and the variable of the environment that it was read from.
#[derive(Clone)]
pub struct ForgeToken {
    variable: String,
    value: SecretString,
}

impl ForgeToken {
    /// # Errors
    /// [`FaultKind::Usage`]: the variable is not set, or holds what no HTTP header can carry.
    pub fn from_env(process: &ProcessEnv, variable: &str) -> Result<Self> {
        let value = process.var(variable).map(|value| value.to_string_lossy().trim().to_owned()).unwrap_or_default();
        if value.is_empty() {
            let hint = format!(
                "set {variable} to a token that may write contents and pull requests, or name another variable with --token-env"
            );
            return Err(Fault::new(FaultKind::Usage, format!("the variable {variable} is not set")).hint(hint).into());
        }
        if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            let what = format!("the variable {variable} holds no token: it has characters that no header can carry");
            return Err(Fault::new(FaultKind::Usage, what)
                .hint("copy the token again, without spaces or line breaks")
                .into());
        }
        Ok(ForgeToken::new(variable, value))
    }

    pub fn new(variable: &str, value: impl Into<String>) -> Self {
        ForgeToken { variable: variable.to_owned(), value: SecretString::from(value.into()) }
    }

    /// The name of the variable, for messages.
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// The value of an `Authorization` header for the API: `Bearer TOKEN`.
    pub(crate) fn header(&self, scheme: &str) -> String {
        format!("{scheme} {}", self.value.expose_secret())
    }

    /// The value of an `Authorization` header for git over HTTP, where a token is the password.
    pub(crate) fn basic(&self) -> String {
        format!("Basic {}", self.encoded())
    }

    /// The text with `[secret]` in the place of the token, also where it is encoded.
    pub fn redact(&self, text: &str) -> String {
        text.replace(self.value.expose_secret(), HIDDEN).replace(&self.encoded(), HIDDEN)
    }

    /// The values that no record may hold.
    pub fn secrets(&self) -> [String; 2] {
        [self.value.expose_secret().to_owned(), self.encoded()]
    }

    fn encoded(&self) -> String {
        STANDARD.encode(format!("x-access-token:{}", self.value.expose_secret()))
    }
}

impl fmt::Debug for ForgeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}, {HIDDEN})", self.variable)
    }
}

#[cfg(test)]
mod tests {
    use super::ForgeToken;

    #[test]
    fn no_format_shows_it() {
        let token = ForgeToken::new("GITHUB_TOKEN", "ghp_0123456789");
        assert_eq!(format!("{token:?}"), "Token(GITHUB_TOKEN, [secret])");
        let basic = token.basic();
        assert_eq!(token.redact(&format!("a ghp_0123456789 {basic}")), "a [secret] Basic [secret]");
    }
}
