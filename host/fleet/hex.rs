//! Digests as text.

use sha2::{Digest, Sha256};

/// Lower-case digits.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// None unless it is so many bytes, in lower-case digits.
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    if !is_hex(text, N * 2) {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Whether it is so many lower-case digits.
pub fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// SHA-256, 64 digits.
pub fn sha256(bytes: &[u8]) -> String {
    encode(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        assert_eq!(encode(&[0, 15, 255]), "000fff");
        assert_eq!(decode::<3>("000fff"), Some([0, 15, 255]));
        for wrong in ["000ff", "000FFF", "00 fff", "+00fff", "", "000ffff", "éé"] {
            assert_eq!(decode::<3>(wrong), None, "{wrong}");
        }
    }
}
