//! Requirements as npm writes them.

use semver::{Version, VersionReq};

/// Whether a version satisfies a requirement. None where the requirement is no range: an address, a tag, another name.
pub fn satisfies(version: &str, requirement: &str) -> Option<bool> {
    let version = Version::parse(version).ok()?;
    let ranges: Option<Vec<VersionReq>> = requirement.split("||").map(range).collect();
    Some(ranges?.iter().any(|range| range.matches(&version)))
}

fn range(text: &str) -> Option<VersionReq> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let comparators = match words[..] {
        [from, "-", to] => vec![format!(">={}", plain(from)), format!("<={}", plain(to))],
        _ => comparators(&words),
    };
    VersionReq::parse(&comparators.join(", ")).ok().filter(|_| !comparators.is_empty())
}

/// Each with its sign. A version alone is this version, and blanks may stand behind a sign.
fn comparators(words: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut sign = "";
    for word in words {
        let rest = word.trim_start_matches(['^', '~', '<', '>', '=']);
        let own = &word[..word.len() - rest.len()];
        if rest.is_empty() {
            sign = own;
            continue;
        }
        let sign = match (std::mem::take(&mut sign), own) {
            (before, "") => before,
            (_, own) => own,
        };
        match (sign, plain(rest)) {
            (_, "*") => found.push("*".to_owned()),
            ("" | "=", version) => found.push(format!("={version}")),
            (sign, version) => found.push(format!("{sign}{version}")),
        }
    }
    if words.is_empty() { vec!["*".to_owned()] } else { found }
}

/// Without what stands for any number.
fn plain(version: &str) -> &str {
    let version = version.strip_prefix('v').unwrap_or(version);
    match version.find(['x', 'X', '*']) {
        Some(0) => "*",
        Some(at) if version[..at].bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => {
            version[..at].trim_end_matches('.')
        }
        _ => version,
    }
}

#[cfg(test)]
mod tests {
    use super::satisfies;

    #[test]
    fn ranges() {
        for (version, requirement, is) in [
            ("8.25.0", "^8.25.0", Some(true)),
            ("5.62.0", "5.62.0", Some(true)),
            ("5.62.1", "5.62.0", Some(false)),
            ("5.62.0", "^8.25.0", Some(false)),
            ("1.4.0", "1.x", Some(true)),
            ("2.0.0", "1", Some(false)),
            ("1.2.9", "1.2.*", Some(true)),
            ("3.1.0", ">= 3.0.0 <4", Some(true)),
            ("4.0.0", ">=3.0.0 <4", Some(false)),
            ("17.0.2", "^16 || ^17", Some(true)),
            ("1.5.0", "1.2.3 - 2.0", Some(true)),
            ("9.9.9", "*", Some(true)),
            ("9.9.9", "", Some(true)),
            ("1.0.0", "latest", None),
            ("1.0.0", "npm:other@^1", None),
            ("1.0.0", "workspace:*", None),
            ("1.0.0", "github:owner/name", None),
        ] {
            assert_eq!(satisfies(version, requirement), is, "{version} {requirement}");
        }
    }
}
