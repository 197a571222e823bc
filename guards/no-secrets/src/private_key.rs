//! Private keys in PEM form.

use crate::Secret;

/// Bytes of what stands between the dashes.
const LONGEST_LABEL: usize = 40;
/// Bytes of a line in which the beginning of the key is looked for.
const ENOUGH: usize = 400;

pub fn may_begin(line: &str) -> bool {
    line.contains(BEGIN)
}

/// The first key that begins in the first of these lines.
pub fn begins(lines: &[&str]) -> Option<Secret> {
    let line = lines[0];
    line.match_indices(BEGIN).find_map(|(at, _)| begins_at(&line[at + BEGIN.len()..], lines))
}

const BEGIN: &str = "-----BEGIN ";

fn begins_at(behind: &str, lines: &[&str]) -> Option<Secret> {
    let (label, _) = behind[..behind.floor_char_boundary(LONGEST_LABEL + 5)].split_once("-----")?;
    if !KINDS.contains(&label) {
        return None;
    }
    let rest = &behind[label.len() + 5..];
    // The key itself, in the same line with `\n` written out, or in the lines below, perhaps quoted. Prose that names the header goes on
    // with words.
    let mut body = String::new();
    for line in std::iter::once(&rest).chain(&lines[1..lines.len().min(40)]) {
        let line = line[..line.floor_char_boundary(ENOUGH)].split("-----").next().unwrap_or_default();
        let line = line.replace("\\n", "");
        let part = line.trim_matches(|c: char| c.is_whitespace() || "\"'`,+\\().;#*|&".contains(c));
        // `Proc-Type: 4,ENCRYPTED`, and what a program writes around its lines.
        if part.is_empty() || part.contains(": ") {
            continue;
        }
        if !part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)) {
            return None;
        }
        body.push_str(part);
        if body.len() >= 64 {
            return Some(Secret { rule: "private-key-added", what: format!("the private key `{label}`"), value: body });
        }
    }
    None
}

/// What is written between the dashes, by the tools that make keys.
const KINDS: [&str; 9] = [
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "SSH2 ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
    "ANY PRIVATE KEY",
];
