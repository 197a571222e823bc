//! Keys of providers in what is written: replaced by a mark, behind which a comparison finds anything.

use serde_json::Value;

/// Stands for a key in records.
pub const MASK: &str = "[redacted]";

/// Whether `now` is what was written as `then`, in which keys were masked. The order of an object's fields does not count.
pub fn same(then: &Value, now: &Value) -> bool {
    match (then, now) {
        (Value::String(then), Value::String(now)) => same_text(then, now),
        (Value::Array(then), Value::Array(now)) => {
            then.len() == now.len() && then.iter().zip(now).all(|(then, now)| same(then, now))
        }
        (Value::Object(then), Value::Object(now)) => {
            then.len() == now.len()
                && then.iter().all(|(key, then)| {
                    let found = now.get(key).or_else(|| {
                        let masked = key.contains(MASK);
                        now.iter().find(|(other, _)| masked && same_text(key, other)).map(|(_, value)| value)
                    });
                    found.is_some_and(|now| same(then, now))
                })
        }
        (then, now) => then == now,
    }
}

/// `then` with any text in place of each mark.
pub fn same_text(then: &str, now: &str) -> bool {
    let mut parts = then.split(MASK);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = now.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_mask_stands_for_any_text_and_nothing_else_does() {
        for (then, now, is_same) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("[redacted]", "", true),
            ("key [redacted] and [redacted].", "key k1 and k2.", true),
            ("key [redacted] and [redacted].", "key k1 or k2.", false),
            ("x[redacted]", "yx", false),
            ("[redacted]x", "key", false),
            ("ab[redacted]ba", "aba", false),
        ] {
            assert_eq!(same_text(then, now), is_same, "{then} {now}");
        }
        assert!(same(&json!({"a": ["[redacted]", 1], "b": null}), &json!({"b": null, "a": ["k", 1]})));
        assert!(same(&json!({"[redacted]": 1}), &json!({"k": 1})));
        assert!(!same(&json!({"a": 1}), &json!({"a": 1, "b": 2})));
        assert!(!same(&json!(1), &json!("1")));
    }
}
