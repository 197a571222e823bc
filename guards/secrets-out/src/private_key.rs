//! Private keys in PEM form.

use crate::Secret;

/// The key that begins in the first of these lines.
pub fn begins(lines: &[&str]) -> Option<Secret> {
    let (_, behind) = lines[0].split_once("-----BEGIN ")?;
    let (label, rest) = behind.split_once("-----")?;
    if label.len() > 40 || !(label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK")) {
        return None;
    }
    // The key itself, in the same line with `\n` written out, or in the lines below, perhaps quoted.
    let mut body = String::new();
    for line in std::iter::once(&rest).chain(&lines[1..lines.len().min(40)]) {
        let line = line.split("-----").next().unwrap_or_default();
        if line.contains(": ") {
            continue;
        }
        body.extend(line.replace("\\n", "").chars().filter(|c| c.is_ascii_alphanumeric() || "+/=".contains(*c)));
        if body.len() >= 64 {
            return Some(Secret { rule: "private-key-added", what: format!("the private key `{label}`"), value: body });
        }
    }
    None
}
