//! Sizes in bytes as people write them: `64MiB`, `512KiB`, `1048576`.

use std::str::FromStr;

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

impl FromStr for ByteSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, factor) = UNITS
            .iter()
            .find_map(|(unit, factor)| text.strip_suffix(unit).map(|number| (number, *factor)))
            .unwrap_or((text, 1));
        let bytes = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
        bytes
            .map(ByteSize)
            .ok_or_else(|| format!("`{text}` is not a size: write a number of bytes, or such as \"64MiB\""))
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
            Either::Text(text) => text.parse().map_err(D::Error::custom),
        }
    }
}
