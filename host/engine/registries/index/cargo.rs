//! Cargo's sparse index (<https://doc.rust-lang.org/cargo/reference/registry-index.html>).

use serde::Deserialize;

use super::{Found, count, seconds};

/// `se/rd/serde`.
pub fn path(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.len() {
        length @ (1 | 2) => format!("{length}/{name}"),
        3 => format!("3/{}/{name}", &name[..1]),
        // A name has only ASCII.
        _ => format!("{}/{}/{name}", name.get(..2).unwrap_or_default(), name.get(2..4).unwrap_or_default()),
    }
}

/// A line of the index: a version.
#[derive(Deserialize)]
struct CargoVersion {
    #[serde(rename = "vers")]
    _version: String,
    /// When it was published, where the index says so.
    pubtime: Option<String>,
}

/// None for what is no file of an index.
pub fn read(body: &[u8]) -> Option<Found> {
    let text = std::str::from_utf8(body).ok()?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let versions: Vec<CargoVersion> = lines.map(|line| serde_json::from_str(line).ok()).collect::<Option<_>>()?;
    if versions.is_empty() {
        return Some(Found::Missing("the index has the name, and no version".to_owned()));
    }
    // The oldest are those whose times are missing, where some are.
    let times: Option<Vec<i64>> = versions.iter().map(|version| seconds(version.pubtime.as_deref()?)).collect();
    let first = times.and_then(|times| times.into_iter().min());
    Some(Found::There { first, versions: Some(count(versions.len())) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_lines() {
        let paths = ["a", "AB", "abc", "Serde_json"].map(path);
        assert_eq!(paths, ["1/a", "2/ab", "3/a/abc", "se/rd/serde_json"]);
        let there = |first, versions| Some(Found::There { first, versions: Some(versions) });
        assert_eq!(
            read(b"{\"vers\":\"0.1.0\"}\n{\"vers\":\"0.2.0\",\"pubtime\":\"1970-01-02T00:00:00Z\"}\n"),
            there(None, 2)
        );
        assert_eq!(read(b"{\"vers\":\"0.1.0\",\"pubtime\":\"1970-01-02T00:00:00Z\"}"), there(Some(86_400), 1));
        assert_eq!(read(b"<html>"), None);
    }
}
