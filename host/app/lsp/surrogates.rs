//! Halves of characters in JSON: an editor that counts in UTF-16 can send one (`"\ud83d"`), and no text of ours can hold it.

use std::borrow::Cow;

/// How JSON writes U+FFFD, which is one unit of UTF-16 as well: no position behind it moves.
const REPLACEMENT: &[u8] = br"\ufffd";

/// JSON in which each escape of a lone surrogate is one of U+FFFD.
pub fn without_lone_surrogates(json: &[u8]) -> Cow<'_, [u8]> {
    let mut whole = Vec::new();
    // Up to here it is copied.
    let (mut copied, mut at) = (0, 0);
    while let Some(next) = json[at..].iter().position(|byte| *byte == b'\\') {
        at += next;
        match (unit(&json[at..]), unit(json.get(at + 6..).unwrap_or_default())) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.extend_from_slice(&json[copied..at]);
                whole.extend_from_slice(REPLACEMENT);
                at += 6;
                copied = at;
            }
            // With what it escapes, which may be another backslash.
            _ => at = (at + 2).min(json.len()),
        }
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    whole.extend_from_slice(&json[copied..]);
    Cow::Owned(whole)
}

/// The number of an escape `\uXXXX` at the beginning.
fn unit(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(br"\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lone_surrogates_are_replaced() {
        for (json, whole) in [
            (r#""a\ud83e\udd80b""#, r#""a\ud83e\udd80b""#),
            (r#""a\ud83eb""#, r#""a\ufffdb""#),
            (r#""\uDD80\uD83E""#, r#""\ufffd\ufffd""#),
            (r#""\ud83e\ud83e\udd80""#, r#""\ufffd\ud83e\udd80""#),
            (r#""\\ud83e\\\udd80""#, r#""\\ud83e\\\ufffd""#),
            (r#""\ud83e\n\u00e9\"""#, r#""\ufffd\n\u00e9\"""#),
            (r"\ud83", r"\ud83"),
            (r"\", r"\"),
        ] {
            assert_eq!(String::from_utf8_lossy(&without_lone_surrogates(json.as_bytes())), whole, "{json}");
        }
    }
}
