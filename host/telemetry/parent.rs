//! What is around a span: W3C Trace Context, as `TRACEPARENT` of the environment and `traceparent` of a request have it.

use uuid::Uuid;

/// A trace, and the span of it that is around what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanParent {
    pub trace: [u8; 16],
    /// None: nothing is around it.
    pub span: Option<[u8; 8]>,
}

/// What a caller says of its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// It has none, or none that can be read: the standard says to begin a new one.
    None,
    Recorded(SpanParent),
    /// The caller does not record its trace, so that no part of it is recorded.
    Left,
}

impl SpanParent {
    /// A trace that begins here.
    pub fn new() -> Self {
        SpanParent { trace: Uuid::new_v4().into_bytes(), span: None }
    }
}

impl Default for SpanParent {
    fn default() -> Self {
        Self::new()
    }
}

impl Caller {
    /// Of `00-TRACE-SPAN-FLAGS`. Later versions may have more behind the flags.
    pub(crate) fn parse(written: &str) -> Self {
        let parsed = || {
            let mut parts = written.trim().split('-');
            let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
            let version: [u8; 1] = bytes(version)?;
            if version == [0xff] || (version == [0] && parts.next().is_some()) {
                return None;
            }
            let (trace, span): ([u8; 16], [u8; 8]) = (bytes(trace)?, bytes(span)?);
            let [flags]: [u8; 1] = bytes(flags)?;
            let is_known = trace != [0; 16] && span != [0; 8];
            is_known.then_some((SpanParent { trace, span: Some(span) }, flags & 1 == 1))
        };
        match parsed() {
            None => Caller::None,
            Some((_, false)) => Caller::Left,
            Some((parent, true)) => Caller::Recorded(parent),
        }
    }
}

/// Of lower-case hexadecimal digits.
fn bytes<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() != N * 2 || !digits.bytes().all(is_digit) {
        return None;
    }
    let mut found = [0; N];
    for (at, byte) in found.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[at * 2..at * 2 + 2], 16).ok()?;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{Caller, SpanParent};

    #[test]
    fn a_caller_is_read_as_the_standard_says() {
        let trace = "0af7651916cd43dd8448eb211c80319c";
        let known = Caller::parse(&format!("00-{trace}-b7ad6b7169203331-01"));
        let Caller::Recorded(SpanParent { trace: [0x0a, 0xf7, ..], span: Some([0xb7, .., 0x31]) }) = known else {
            panic!("{known:?}")
        };
        assert_eq!(Caller::parse(&format!("00-{trace}-b7ad6b7169203331-00")), Caller::Left);
        assert_eq!(Caller::parse(&format!("cc-{trace}-b7ad6b7169203331-01-what")), known);
        for none in [
            "",
            "00",
            &format!("00-{trace}-b7ad6b7169203331"),
            &format!("00-{trace}-b7ad6b7169203331-01-what"),
            &format!("ff-{trace}-b7ad6b7169203331-01"),
            &format!("00-{trace}-0000000000000000-01"),
            &format!("00-{}-b7ad6b7169203331-01", "0".repeat(32)),
            &format!("00-{}-b7ad6b7169203331-01", trace.to_uppercase()),
        ] {
            assert_eq!(Caller::parse(none), Caller::None, "{none}");
        }
    }
}
