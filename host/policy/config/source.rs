//! The source of a component, as `guards.toml` and `guards.lock` write it.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use super::digest::Digest;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ComponentSource {
    /// Embedded in this binary.
    #[default]
    Builtin,
    /// A file, relative to the root of the repository: from the base commit, or from the disk if the commit does not have it.
    Path(String),
    /// A file on a web server.
    Https(String),
    Oci(OciSource),
}

/// An artifact in a registry. Tag and digest are optional in `guards.toml`; the lock has both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OciSource {
    /// Host, and port if it is not the default one.
    pub registry: String,
    pub repository: String,
    pub tag: Option<String>,
    /// Digest of the manifest, which holds the digest of the component.
    pub manifest: Option<Digest>,
}

const FORMS: &str = "expected \"builtin\", \"path:FILE\", \"https://HOST/FILE\" or \"oci://REGISTRY/REPOSITORY[:TAG]\"";

impl ComponentSource {
    /// Whether a lock may resolve this source to `locked`.
    pub fn admits(&self, locked: &ComponentSource) -> bool {
        let open = |wanted: &Option<_>, found: &Option<_>| wanted.is_none() || wanted == found;
        match (self, locked) {
            (ComponentSource::Oci(wanted), ComponentSource::Oci(found)) => {
                wanted.registry == found.registry
                    && wanted.repository == found.repository
                    && open(&wanted.tag, &found.tag)
                    && (wanted.manifest.is_none() || wanted.manifest == found.manifest)
            }
            _ => self == locked,
        }
    }

    /// Whether the component must be fetched.
    pub fn is_remote(&self) -> bool {
        matches!(self, ComponentSource::Https(_) | ComponentSource::Oci(_))
    }
}

impl FromStr for ComponentSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.chars().any(|c| c.is_control() || c.is_whitespace() && !text.starts_with("path:")) {
            return Err(format!("source `{}`: {FORMS}", text.escape_debug()));
        }
        match text.split_once(':') {
            None if text == "builtin" => Ok(ComponentSource::Builtin),
            Some(("path", path)) if !path.is_empty() => Ok(ComponentSource::Path(path.to_owned())),
            Some(("https", rest)) if rest.trim_start_matches('/').contains('/') && rest.starts_with("//") => {
                Ok(ComponentSource::Https(text.to_owned()))
            }
            Some(("http", _)) => Err(format!("source `{text}`: a guard is fetched over https only")),
            Some(("oci", rest)) => rest
                .strip_prefix("//")
                .ok_or("it begins with `oci://`".to_owned())
                .and_then(oci)
                .map(ComponentSource::Oci)
                .map_err(|why| format!("source `{text}`: {why}; {FORMS}")),
            _ => Err(format!("source `{text}`: {FORMS}")),
        }
    }
}

/// `REGISTRY/REPOSITORY[:TAG][@DIGEST]` as the distribution specification spells names.
fn oci(text: &str) -> Result<OciSource, String> {
    let (name, manifest) = match text.split_once('@') {
        Some((name, digest)) => (name, Some(digest.parse()?)),
        None => (text, None),
    };
    let (registry, path) = name.split_once('/').ok_or("it names no repository")?;
    let (repository, tag) = match path.split_once(':') {
        Some((repository, tag)) => (repository, Some(tag.to_owned())),
        None => (path, None),
    };
    let word = |text: &str, more: &str| {
        text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || more.as_bytes().contains(&b))
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    let hosts = registry.contains(['.', ':']) || registry == "localhost";
    if !hosts || !registry.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._:[]".contains(&b)) {
        return Err(format!("`{registry}` is not the host of a registry"));
    }
    if !repository.split('/').all(|part| word(part, "-._")) {
        return Err(format!("`{repository}` is not the name of a repository"));
    }
    if tag.as_ref().is_some_and(|tag| {
        tag.is_empty() || tag.len() > 128 || !tag.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
    }) {
        return Err("its tag is invalid".to_owned());
    }
    Ok(OciSource { registry: registry.to_owned(), repository: repository.to_owned(), tag, manifest })
}

impl fmt::Display for OciSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "oci://{}/{}", self.registry, self.repository)?;
        self.tag.iter().try_for_each(|tag| write!(f, ":{tag}"))?;
        self.manifest.iter().try_for_each(|manifest| write!(f, "@{manifest}"))
    }
}

impl fmt::Display for ComponentSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComponentSource::Builtin => f.write_str("builtin"),
            ComponentSource::Path(path) => write!(f, "path:{path}"),
            ComponentSource::Https(url) => f.write_str(url),
            ComponentSource::Oci(oci) => oci.fmt(f),
        }
    }
}

impl<'de> Deserialize<'de> for ComponentSource {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::ComponentSource;

    #[test]
    fn forms() {
        let digest = format!("sha256:{}", "0".repeat(64));
        for text in [
            "builtin",
            "path:tools/a guard.wasm",
            "https://example.org/a.wasm",
            "oci://localhost:5000/team/guard",
            "oci://registry.example.org/guard:0.1.0",
            &format!("oci://127.0.0.1:5000/guard:0.1.0@{digest}"),
        ] {
            assert_eq!(text.parse::<ComponentSource>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "built-in",
            "path:",
            "http://example.org/a",
            "https://example.org",
            "ftp://x/y",
            "oci:x/y",
            "oci://guard",
            "oci://team/guard",
            "oci://localhost/",
            "oci://localhost/Guard",
            "oci://localhost/a:",
            "oci://localhost/a@sha256:0",
            "oci://localhost/a b",
            "https://example.org/a\nb",
            "oci://localhost/../a",
        ] {
            assert!(text.parse::<ComponentSource>().is_err(), "{text}");
        }
        let source = |text: &str| text.parse::<ComponentSource>().unwrap();
        let locked = source(&format!("oci://localhost:5000/guard:0.1.0@{digest}"));
        for (wanted, admits) in [("", true), (":0.1.0", true), (":0.2.0", false)] {
            assert_eq!(source(&format!("oci://localhost:5000/guard{wanted}")).admits(&locked), admits, "{wanted}");
        }
        assert!(!source("oci://localhost:5000/other").admits(&locked) && !source("builtin").admits(&locked));
    }
}
