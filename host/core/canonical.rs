//! JSON in one form: the same value is the same bytes in every version and on every machine.

use std::fmt::Write;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Without white space, and with the keys of objects sorted by their bytes. Numbers and strings are as `serde_json` writes them: the
/// shortest digits that give the number back, and only the escapes that JSON demands.
pub fn text(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by(|a, b| a.0.cmp(b.0));
            text.push('{');
            for (at, (key, value)) in fields.into_iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                let _ = write!(text, "{}:", Value::from(key.as_str()));
                write(value, text);
            }
            text.push('}');
        }
        Value::Array(values) => {
            text.push('[');
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write(value, text);
            }
            text.push(']');
        }
        plain => drop(write!(text, "{plain}")),
    }
}

/// `sha256:` and the digest of the value's [`text`], in hex.
pub fn digest(value: &Value) -> String {
    sha256(text(value).as_bytes())
}

/// `sha256:` and the digest of these bytes, in hex.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold("sha256:".to_owned(), |key, byte| format!("{key}{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_fields_makes_no_difference() {
        let one: Value =
            serde_json::from_str(r#"{"b": [1, 0.5, "a\u000a\u00e9"], "a": {"d": null, "c": true}}"#).unwrap();
        let other = json!({"a": {"c": true, "d": null}, "b": [1, 0.5, "a\né"]});
        assert_eq!(text(&one), "{\"a\":{\"c\":true,\"d\":null},\"b\":[1,0.5,\"a\\né\"]}");
        assert_eq!(digest(&one), digest(&other));
        assert_ne!(digest(&json!([1, 2])), digest(&json!([2, 1])));
    }
}
