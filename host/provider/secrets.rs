//! Secret values, and text that must not show them.

use std::borrow::Cow;
use std::ops::Range;

use bstr::ByteSlice;
use secrecy::{ExposeSecret, SecretSlice};

/// Bytes of a secret that is looked for with other characters between its own: shorter ones are words, and words stand side by side.
const LONG: usize = 16;

/// Values to be redacted.
pub(super) struct ProviderSecrets(Vec<SecretSlice<u8>>);

impl ProviderSecrets {
    pub(super) fn new<'a>(values: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut values: Vec<Vec<u8>> = values.map(<[u8]>::to_vec).collect();
        // Of two secrets with the same beginning the longer is replaced first, or its end would remain.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        ProviderSecrets(values.into_iter().map(SecretSlice::from).collect())
    }

    /// The bytes with every secret replaced by `[secret]`; borrowed when there is none.
    pub(super) fn redact<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let mut clean = Cow::Borrowed(bytes);
        for secret in self.0.iter().map(ExposeSecret::expose_secret) {
            if clean.find(secret).is_some() {
                clean = Cow::Owned(clean.replace(secret, "[secret]"));
            }
        }
        match self.scattered(&clean) {
            spans if spans.is_empty() => clean,
            spans => Cow::Owned(without(&clean, &spans)),
        }
    }

    /// Where the secrets stand that white space, control characters or characters of zero width are put into, in order and apart.
    fn scattered(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let long = || self.0.iter().map(ExposeSecret::expose_secret).filter(|secret| secret.len() >= LONG);
        if long().next().is_none() {
            return Vec::new();
        }
        let letters: Vec<u8> = visible(bytes).map(|(_, byte)| byte).collect();
        let secrets = long().map(|secret| visible(secret).map(|(_, byte)| byte).collect::<Vec<u8>>());
        let mut found: Vec<Range<usize>> = Vec::new();
        for secret in secrets.filter(|secret| secret.len() >= LONG) {
            found.extend(letters.find_iter(&secret).map(|at| at..at + secret.len()));
        }
        if found.is_empty() {
            return found;
        }
        let places: Vec<usize> = visible(bytes).map(|(at, _)| at).collect();
        let mut spans: Vec<Range<usize>> =
            found.into_iter().map(|letters| places[letters.start]..places[letters.end - 1] + 1).collect();
        spans.sort_by_key(|span| span.start);
        spans.dedup_by(|next, span| {
            let overlap = next.start < span.end;
            span.end = if overlap { span.end.max(next.end) } else { span.end };
            overlap
        });
        spans
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

/// The bytes with `[secret]` in the place of each span.
fn without(bytes: &[u8], spans: &[Range<usize>]) -> Vec<u8> {
    let mut clean = Vec::with_capacity(bytes.len());
    let mut end = 0;
    for span in spans {
        clean.extend_from_slice(&bytes[end..span.start]);
        clean.extend_from_slice(b"[secret]");
        end = span.end;
    }
    clean.extend_from_slice(&bytes[end..]);
    clean
}

/// Bytes, with their places, that are not of white space, a control character or a character of zero width.
fn visible(bytes: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let hides = |c: char| c.is_whitespace() || c.is_control() || is_invisible_control(c) || c == '\u{ad}';
    bytes
        .char_indices()
        .filter(move |(.., c)| !hides(*c))
        .flat_map(|(start, end, _)| (start..end).map(|at| (at, bytes[at])))
}

/// Characters that reorder or hide the text around them: Unicode's bidirectional controls, and those of zero width.
fn is_invisible_control(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use crate::Environment;

    #[test]
    fn a_secret_is_known_with_other_characters_in_it() {
        let env = Environment::new([("KEY", "sk-0123456789abcdef"), ("WORD", "username")]);
        let secrets = env.secrets(["KEY", "WORD"].into_iter());
        let seen = |text: &str| String::from_utf8(secrets.redact(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(seen("a sk-01234\u{200b}56789\u{2060}abcdef b"), "a [secret] b");
        assert_eq!(seen("a sk-012345\r\n  6789abc\u{ad}def b sk-0123456789\tabcdef"), "a [secret] b [secret]");
        assert_eq!(seen("a sk-0123456789 b user name"), "a sk-0123456789 b user name");
    }

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
