//! Masking of provider keys and other secrets in everything that is written.

use std::borrow::Cow;

use bstr::ByteSlice;
use serde_json::Value;

use guardhost_core::masked::MASK;

/// The values to mask, wherever they occur.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Values are trimmed, since keys come from files and the environment; empty ones are dropped.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let values = values.into_iter().map(|value| value.trim().to_owned());
        let mut values: Vec<_> = values.filter(|value| !value.is_empty()).collect();
        // Longest first, so that a key that contains another is masked as a whole.
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        Secrets(values)
    }

    /// Those of several.
    pub fn all(of: impl IntoIterator<Item = Secrets>) -> Self {
        Secrets::new(of.into_iter().flat_map(|secrets| secrets.0))
    }

    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.0.iter().filter(|secret| text.contains(secret.as_str()));
        found.fold(Cow::Borrowed(text), |text, secret| Cow::Owned(text.replace(secret.as_str(), MASK)))
    }

    pub fn bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let found = self.0.iter().filter(|secret| bytes.contains_str(secret));
        found.fold(Cow::Borrowed(bytes), |bytes, secret| Cow::Owned(bytes.replace(secret, MASK)))
    }

    /// Every string in `value`, object keys included. To be called before writing: in JSON text a secret with a quote or a
    /// backslash is escaped, and would not be found.
    pub fn json(&self, value: Value) -> Value {
        if self.0.is_empty() {
            return value;
        }
        match value {
            Value::String(text) => Value::String(self.text(&text).into_owned()),
            Value::Array(values) => values.into_iter().map(|value| self.json(value)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(key, value)| (self.text(&key).into_owned(), self.json(value))).collect()
            }
            plain => plain,
        }
    }
}

/// By hand, so that debug output holds no secret.
impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}
