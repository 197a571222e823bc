//! Go's module proxies (<https://go.dev/ref/mod#goproxy-protocol>).

use serde::Deserialize;

use super::{count, seconds};

/// The path of a list of versions.
pub fn list(module: &str) -> String {
    format!("{}/@v/list", escaped(module))
}

/// The path of the metadata with the time of a version, or of the latest version if none is given.
pub fn info(module: &str, version: Option<&str>) -> String {
    match version {
        Some(version) => format!("{}/@v/{}.info", escaped(module), escaped(version)),
        None => format!("{}/@latest", escaped(module)),
    }
}

/// Capital letters have a mark in front, since some file systems do not tell them apart.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii_uppercase() {
            escaped.push('!');
        }
        escaped.push(letter.to_ascii_lowercase());
    }
    escaped
}

/// The versions of a module.
#[derive(Debug, PartialEq, Eq)]
pub struct VersionList {
    /// The lowest, which is the oldest but for corrections of old lines.
    pub first: Option<String>,
    pub versions: u32,
}

/// None for what is no list of versions.
pub fn read(body: &[u8]) -> Option<VersionList> {
    let text = std::str::from_utf8(body).ok()?;
    let versions: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let numbered: Vec<([u64; 3], &str)> =
        versions.iter().map(|version| Some((numbers(version)?, *version))).collect::<Option<_>>()?;
    let first = numbered.iter().min().map(|(_, version)| (*version).to_owned());
    Some(VersionList { first, versions: count(versions.len()) })
}

/// Without pre-release and build, and with letters only that a path may have.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let is_plain = version.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
    let core = version.strip_prefix('v').filter(|_| is_plain)?.split(['-', '+']).next()?;
    let mut parts = core.split('.').map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[derive(Deserialize)]
struct Info {
    #[serde(rename = "Time")]
    time: Option<String>,
}

/// Seconds since 1970 of a version.
pub fn time(body: &[u8]) -> Option<i64> {
    let Info { time } = serde_json::from_slice(body).ok()?;
    seconds(&time?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_times() {
        let list = |first: Option<&str>, versions| Some(VersionList { first: first.map(str::to_owned), versions });
        assert_eq!(read(b"v1.10.0\nv1.2.0\nv1.2.1-rc.1\n"), list(Some("v1.2.0"), 3));
        assert_eq!(read(b""), list(None, 0));
        assert_eq!(read(b"<html>"), None);
        assert_eq!(read(b"v1.0.0/../x"), None);
        assert_eq!(time(br#"{"Version":"v1.0.0","Time":"1970-01-02T00:00:00Z"}"#), Some(86_400));
        assert_eq!(info("Example.org/X", Some("v1.0.0-RC1")), "!example.org/!x/@v/v1.0.0-!r!c1.info");
        assert_eq!(info("example.org/x", None), "example.org/x/@latest");
    }
}
