//! What a configuration says, key by key, whatever its format.

/// One value, and the keys that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// In lower case, with hyphens for underscores: tools take both. Items of a list have the keys of the list.
    pub keys: Vec<String>,
    pub value: String,
    /// From 1.
    pub line: u32,
    pub is_item: bool,
}

impl Setting {
    pub fn new(keys: &[String], value: impl Into<String>, line: u32, is_item: bool) -> Self {
        Setting { keys: keys.to_vec(), value: value.into(), line, is_item }
    }

    /// As a person would write them: `metrics/classlength.max`.
    pub fn name(&self) -> String {
        self.keys.join(".")
    }

    pub fn number(&self) -> Option<f64> {
        let digits = self.value.trim().trim_end_matches('%');
        digits.parse().ok().filter(|number: &f64| number.is_finite())
    }

    pub fn truth(&self) -> Option<bool> {
        match self.value.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        }
    }
}

pub fn key(text: &str) -> String {
    text.trim().to_ascii_lowercase().replace('_', "-")
}

/// Whether keys end as a pattern does: `a.*.b`, in which `*` is any part of one key and `**` any keys.
pub fn ends_as(keys: &[String], pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('.').collect();
    match parts.iter().position(|part| *part == "**") {
        Some(at) => {
            let begins = &parts[..at];
            (0..keys.len()).any(|start| {
                keys.len() > start + begins.len()
                    && begins.iter().zip(&keys[start..]).all(|(part, key)| is_like(key, part))
            })
        }
        None => {
            keys.len() >= parts.len()
                && parts.iter().zip(&keys[keys.len() - parts.len()..]).all(|(part, key)| is_like(key, part))
        }
    }
}

fn is_like(key: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, after)) => {
            key.len() >= before.len() + after.len() && key.starts_with(before) && key.ends_with(after)
        }
        None => key == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::ends_as;

    #[test]
    fn patterns() {
        let keys = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
        for (path, pattern) in [
            ("metrics/classlength.max", "max"),
            ("a.max-args", "max-*"),
            ("jest.coveragethreshold.global.lines", "coveragethreshold.**"),
            ("rules.max-lines", "rules.max-*"),
            ("too-many-lines-threshold", "*-threshold"),
        ] {
            assert!(ends_as(&keys(path), pattern), "{path} {pattern}");
        }
        for (path, pattern) in
            [("max.a", "max"), ("maximum", "max"), ("coveragethreshold", "coveragethreshold.**"), ("a", "a.b")]
        {
            assert!(!ends_as(&keys(path), pattern), "{path} {pattern}");
        }
    }
}
