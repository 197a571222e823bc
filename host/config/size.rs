//! Sizes in bytes as people write them: `64MiB`, `512KiB`, `1048576`.

use serde::de::{Deserialize, Deserializer, Error};

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub u64);

const UNITS: [(&str, u64); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

impl ByteSize {
    fn parse(text: &str) -> Option<u64> {
        let (number, factor) = UNITS
            .iter()
            .find_map(|(unit, factor)| text.strip_suffix(unit).map(|number| (number, *factor)))
            .unwrap_or((text, 1));
        number.trim().parse::<u64>().ok()?.checked_mul(factor)
    }
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged, expecting = "a number of bytes, or a text such as \"64MiB\"")]
        enum Either {
            Number(u64),
            Text(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Number(bytes) => Ok(ByteSize(bytes)),
            Either::Text(text) => ByteSize::parse(&text).map(ByteSize).ok_or_else(|| {
                D::Error::custom(format!("`{text}` is not a size: write a number of bytes, or such as \"64MiB\""))
            }),
        }
    }
}
