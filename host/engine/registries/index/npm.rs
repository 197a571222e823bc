//! npm's registry (<https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md>).

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{Found, count, seconds};

pub fn path(name: &str) -> String {
    name.replace('/', "%2f")
}

#[derive(Deserialize)]
struct NpmDocument {
    #[serde(default)]
    versions: HashMap<String, IgnoredAny>,
    /// By version, beside `created`, `modified` and `unpublished`.
    #[serde(default)]
    time: HashMap<String, Value>,
}

/// None for what is no document of a package.
pub fn read(body: &[u8]) -> Option<Found> {
    let NpmDocument { versions, time } = serde_json::from_slice(body).ok()?;
    if versions.is_empty() {
        // The name stays when its versions are gone.
        return Some(Found::Missing("the registry has the name, and no version".to_owned()));
    }
    let of = |key: &str| time.get(key).and_then(Value::as_str).and_then(seconds);
    let first = of("created").or_else(|| versions.keys().filter_map(|version| of(version)).min());
    Some(Found::There { first, versions: Some(count(versions.len())) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents() {
        let there = |first, versions| Some(Found::There { first, versions: Some(versions) });
        let with_created = br#"{"versions":{"1.0.0":{},"1.1.0":{}},"time":{"created":"1970-01-02T00:00:00.000Z","1.0.0":"1970-01-03T00:00:00Z"}}"#;
        assert_eq!(read(with_created), there(Some(86_400), 2));
        let by_version =
            br#"{"versions":{"1.0.0":{}},"time":{"1.0.0":"1970-01-03T00:00:00Z","0.9.0":"1970-01-01T00:00:00Z"}}"#;
        assert_eq!(read(by_version), there(Some(172_800), 1));
        assert_eq!(read(br#"{"versions":{"1.0.0":{}}}"#), there(None, 1));
        let unpublished = br#"{"name":"x","time":{"unpublished":{"time":"2020-01-01T00:00:00Z"}}}"#;
        assert!(matches!(read(unpublished), Some(Found::Missing(_))));
        assert_eq!(read(b"<html>"), None);
        assert_eq!(path("@corp/x"), "@corp%2fx");
    }
}
