//! Characters that escaping for HTML replaces.

const ENTITIES: [(&[u8], u8); 7] = [
    (b"&lt;", b'<'),
    (b"&gt;", b'>'),
    (b"&amp;", b'&'),
    (b"&quot;", b'"'),
    (b"&#39;", b'\''),
    (b"&#x27;", b'\''),
    (b"&apos;", b'\''),
];

/// `text` with its entities replaced, and whether every `&` in it begins one.
pub fn decode(text: &[u8]) -> (Vec<u8>, bool) {
    let mut decoded = Vec::with_capacity(text.len());
    let mut is_escaped = true;
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let entity = ENTITIES.iter().find(|(entity, _)| byte == b'&' && rest.starts_with(entity));
        is_escaped &= byte != b'&' || entity.is_some();
        let (byte, length) = entity.map_or((byte, 1), |(entity, byte)| (*byte, entity.len()));
        decoded.push(byte);
        rest = &rest[length..];
    }
    (decoded, is_escaped)
}
