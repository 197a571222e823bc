//! The encoding of mails in which `=3D` is `=` (RFC 2045, section 6.7).

use bstr::ByteSlice;

/// The header of a mail that is encoded so, in small letters.
pub(crate) const HEADER: &[u8] = b"content-transfer-encoding: quoted-printable";

/// The line without its encoding; None if it is not encoded so.
pub(crate) fn decoded(line: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find_byte(b'=') {
        plain.extend_from_slice(&rest[..at]);
        plain.push(byte(&rest[at + 1..])?);
        rest = &rest[at + 3..];
    }
    plain.extend_from_slice(rest);
    Some(plain)
}

/// Whether the line has a `=` that stands for itself.
pub(crate) fn has_bare_sign(line: &[u8]) -> bool {
    decoded(line).is_none()
}

/// The byte that two digits begin the text with. The encoding has capitals alone.
fn byte(text: &[u8]) -> Option<u8> {
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    };
    Some(digit(text.first()?)? << 4 | digit(text.get(1)?)?)
}
