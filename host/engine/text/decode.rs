//! Decodes a file's bytes as text, as the contract specifies.

use bstr::ByteSlice;

/// Git's own test for binary: a NUL in the first 8,000 bytes (`buffer_is_binary` in its xdiff-interface.c).
const SNIFFED: usize = 8_000;

/// Decodes UTF-8, or UTF-16 with a byte order mark; the mark is removed. Errors: a message why the bytes are not text.
pub fn text(bytes: &[u8]) -> Result<String, String> {
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return utf8(rest, 3);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return utf16(rest, u16::from_be_bytes);
    }
    utf8(bytes, 0)
}

fn utf8(bytes: &[u8], skipped: usize) -> Result<String, String> {
    if bytes[..bytes.len().min(SNIFFED)].contains(&0) {
        return Err("binary: it has a NUL byte".to_string());
    }
    match bytes.to_str() {
        Ok(text) => Ok(text.to_string()),
        Err(error) => {
            let at = error.valid_up_to();
            Err(format!("not UTF-8: byte 0x{:02x} at offset {}", bytes[at], at + skipped))
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("UTF-16 with half a unit at its end".to_string());
    }
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .collect::<Result<_, _>>()
        .map_err(|error| format!("UTF-16 with half a pair: 0x{:04x}", error.unpaired_surrogate()))
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn encodings() {
        assert_eq!(text(b"\xef\xbb\xbfa\r\n").unwrap(), "a\r\n");
        assert_eq!(text(b"\xff\xfea\0\xe4\0").unwrap(), "aä");
        assert_eq!(text(b"\xfe\xff\0a").unwrap(), "a");
        assert_eq!(text(b"\xff\xfea").unwrap_err(), "UTF-16 with half a unit at its end");
        assert_eq!(text(b"\xff\xfe\0\xd8").unwrap_err(), "UTF-16 with half a pair: 0xd800");
        assert_eq!(text(b"ab\xffc").unwrap_err(), "not UTF-8: byte 0xff at offset 2");
        assert_eq!(text(b"a\0b").unwrap_err(), "binary: it has a NUL byte");
        assert_eq!(text(b"").unwrap(), "");
    }
}
