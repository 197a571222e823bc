//! Python's simple index (<https://packaging.python.org/en/latest/specifications/simple-repository-api/>), as JSON or as HTML.

use serde::Deserialize;

use super::{Found, count, seconds};

pub const ACCEPT: &str =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

/// By the normalized name.
pub fn path(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    format!("{}/", parts.collect::<Vec<_>>().join("-").to_ascii_lowercase())
}

#[derive(Deserialize)]
struct PypiProject {
    files: Vec<PypiFile>,
    /// Since version 1.1 of the form.
    versions: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct PypiFile {
    #[serde(rename = "upload-time")]
    uploaded: Option<String>,
}

/// None for what is no page of a project.
pub fn read(body: &[u8]) -> Option<Found> {
    let start = body.trim_ascii_start();
    if start.starts_with(b"<") {
        // A page names its files, and tells neither times nor versions.
        let text = String::from_utf8_lossy(body).to_ascii_lowercase();
        return Some(match text.contains("<a ") {
            true => Found::There { first: None, versions: None },
            false => Found::Missing(EMPTY.to_owned()),
        });
    }
    let PypiProject { files, versions } = serde_json::from_slice(start).ok()?;
    if files.is_empty() {
        return Some(Found::Missing(EMPTY.to_owned()));
    }
    let first = files.iter().filter_map(|file| seconds(file.uploaded.as_deref()?)).min();
    Some(Found::There { first, versions: versions.map(|versions| count(versions.len())) })
}

const EMPTY: &str = "the index has the name, and no file";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let json = br#"{"name":"x","versions":["1","2"],"files":[{"upload-time":"1970-01-03T00:00:00.5Z"},{"upload-time":"1970-01-02T00:00:00Z"}]}"#;
        assert_eq!(read(json), Some(Found::There { first: Some(86_400), versions: Some(2) }));
        assert_eq!(read(br#"{"files":[{"url":"x"}]}"#), Some(Found::There { first: None, versions: None }));
        assert!(matches!(read(br#"{"files":[],"versions":[]}"#), Some(Found::Missing(_))));
        let html = b"<!DOCTYPE html><html><body><a href=\"x-1.tar.gz\">x-1.tar.gz</a></body></html>";
        assert_eq!(read(html), Some(Found::There { first: None, versions: None }));
        assert!(matches!(read(b"<html><body></body></html>"), Some(Found::Missing(_))));
        assert_eq!(read(b"{}"), None);
        assert_eq!(path("Zope.__Interface"), "zope-interface/");
    }
}
