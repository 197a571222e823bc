//! Secret values, and text that must not show them.

use std::borrow::Cow;

use bstr::ByteSlice;
use secrecy::{ExposeSecret, SecretSlice};

/// Values to be redacted.
pub(super) struct Secrets(Vec<SecretSlice<u8>>);

impl Secrets {
    pub(super) fn new<'a>(values: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut values: Vec<Vec<u8>> = values.map(<[u8]>::to_vec).collect();
        // Of two secrets with the same beginning the longer is replaced first, or its end would remain.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Secrets(values.into_iter().map(SecretSlice::from).collect())
    }

    /// The bytes with every secret replaced by `[secret]`; borrowed when there is none.
    pub(super) fn redact<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let mut clean = Cow::Borrowed(bytes);
        for secret in self.0.iter().map(ExposeSecret::expose_secret) {
            if clean.find(secret).is_some() {
                clean = Cow::Owned(clean.replace(secret, "[secret]"));
            }
        }
        clean
    }

    /// Untrusted text on one line of at most `limit` characters, without secrets, escape sequences and control characters.
    pub(super) fn redact_line(&self, text: &str, limit: usize) -> String {
        // Escape sequences are removed first: one inside a secret would hide it from the search.
        let stripped = anstream::adapter::strip_str(text).to_string();
        let redacted = self.redact(stripped.as_bytes());
        let text = String::from_utf8_lossy(&redacted);
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(word.chars().map(|c| if c.is_control() || is_invisible_control(c) { '\u{fffd}' } else { c }));
        }
        if let Some((end, _)) = line.char_indices().nth(limit) {
            line.truncate(end);
            line.push('…');
        }
        line
    }
}

/// Characters that reorder or hide the text around them: Unicode's bidirectional controls, and those of zero width.
fn is_invisible_control(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use crate::Environment;

    #[test]
    fn a_line_holds_no_secrets_and_no_escapes() {
        let env = Environment::new([
            ("KEY", "sk-abcdefgh"),
            ("LONGER", "sk-abcdefgh-and-more"),
            ("SHORT", "yes"),
            ("https_proxy", "http://me:hunter22@proxy:3128"),
        ]);
        let secrets = env.secrets(["KEY", "LONGER", "SHORT", "UNSET"].into_iter());
        let seen = secrets.redact_line(
            "yes \x1b[31mkey=sk-abcdefgh-and-more\x1b[0m\r\n\x07via me:hunter22@proxy \u{202e}sk-abcdefgh",
            200,
        );
        assert_eq!(seen, "yes key=[secret] via [secret]@proxy \u{fffd}[secret]");
        assert_eq!(secrets.redact_line("ääää", 2), "ää…");
    }
}
