//! A name space of sources: a registry, or a folder in one or on a web server.

use serde::Deserialize;

use super::ComponentSource;

/// `oci://HOST[/PATH]` or `https://HOST[/PATH]`, without a slash at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePrefix(String);

impl SourcePrefix {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the source lies below this prefix. Whole parts count: `…/team` does not cover `…/team-b`, and a host does not
    /// cover the same host with a port.
    pub fn covers(&self, source: &ComponentSource) -> bool {
        let place = match source {
            ComponentSource::Oci(oci) => format!("oci://{}/{}", oci.registry, oci.repository),
            ComponentSource::Https(url) => url.clone(),
            ComponentSource::Builtin | ComponentSource::Path(_) => return false,
        };
        place.strip_prefix(&self.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl<'de> Deserialize<'de> for SourcePrefix {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let place = text.strip_prefix("oci://").or(text.strip_prefix("https://"));
        let strange = |c: char| c.is_whitespace() || c.is_control() || "@?#".contains(c);
        match place {
            Some(place) if !place.starts_with('/') && !place.is_empty() && !place.contains(strange) => {
                Ok(SourcePrefix(text.trim_end_matches('/').to_owned()))
            }
            _ => Err(serde::de::Error::custom(format!(
                "prefix `{}`: expected \"oci://HOST/PATH\" or \"https://HOST/PATH\"",
                text.escape_debug()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SourcePrefix;
    use crate::config::ComponentSource;

    fn prefix(text: &str) -> Result<SourcePrefix, serde_json::Error> {
        serde_json::from_value(text.into())
    }

    #[test]
    fn whole_parts() {
        let digest = format!("sha256:{}", "0".repeat(64));
        for (text, source, covers) in [
            ("oci://r.example.org/team", "oci://r.example.org/team/guard:1.0.0", true),
            ("oci://r.example.org/team/", "oci://r.example.org/team/guard", true),
            ("oci://r.example.org/team/guard", &format!("oci://r.example.org/team/guard@{digest}"), true),
            ("oci://r.example.org", "oci://r.example.org/team/guard", true),
            ("oci://r.example.org/team", "oci://r.example.org/team-b/guard", false),
            ("oci://r.example.org", "oci://r.example.org:5000/team/guard", false),
            ("oci://r.example.org", "oci://r.example.org.evil.org/team/guard", false),
            ("https://example.org", "https://example.org/a.wasm", true),
            ("https://example.org", "https://example.org@evil.org/a.wasm", false),
            ("https://example.org/a", "oci://example.org/a", false),
            ("https://example.org", "builtin", false),
        ] {
            assert_eq!(
                prefix(text).unwrap().covers(&source.parse::<ComponentSource>().unwrap()),
                covers,
                "{text} {source}"
            );
        }
        for text in
            ["", "oci://", "https:///a", "http://example.org", "path:tools", "builtin", "oci://a b", "https://u@h/x"]
        {
            assert!(prefix(text).is_err(), "{text}");
        }
    }
}
