//! Paths as the contract writes them: a byte that is not part of valid UTF-8, a control character's bytes and the backslash stand as
//! `\xNN`, so that every path has one spelling and every spelling means one path.

use std::fmt::Write;

/// The contract's spelling of a path, for a question about a path that a guard has put together itself, such as the target of a
/// link. A path that the host gave is spelled so already.
pub fn escape(path: &[u8]) -> String {
    let mut spelled = String::with_capacity(path.len());
    for chunk in path.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || c == '\\' {
                bytes(&mut spelled, c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                spelled.push(c);
            }
        }
        bytes(&mut spelled, chunk.invalid());
    }
    spelled
}

/// The bytes of the path, as git holds it. A backslash that does not begin `\xNN` stands for itself.
pub fn unescape(spelled: &str) -> Vec<u8> {
    let mut path = Vec::with_capacity(spelled.len());
    let mut rest = spelled.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = rest.strip_prefix(b"\\x").and_then(|tail| tail.get(..2)).filter(|digits| hex(digits));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                path.push(byte);
                rest = &rest[4..];
            }
            None => {
                path.push(*first);
                rest = tail;
            }
        }
    }
    path
}

/// `from_str_radix` would take a sign, too.
fn hex(digits: &[u8]) -> bool {
    digits.iter().all(u8::is_ascii_hexdigit)
}

fn bytes(spelled: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(spelled, "\\x{byte:02x}");
    }
}

#[cfg(test)]
mod tests {
    use super::{escape, unescape};

    #[test]
    fn every_path_has_one_spelling() {
        for (path, spelled) in [
            (&b"a/b.rs"[..], "a/b.rs"),
            (b"a\xff", r"a\xff"),
            (br"a\xff", r"a\x5cxff"),
            (br"a\b", r"a\x5cb"),
            (b"a\nb", r"a\x0ab"),
            ("\u{85}ä".as_bytes(), r"\xc2\x85ä"),
        ] {
            assert_eq!(escape(path), spelled);
            assert_eq!(unescape(spelled), path);
        }
        assert_eq!(unescape(r"a\x1\x+1"), br"a\x1\x+1");
    }
}
