//! Passwords in addresses: `postgres://user:password@host/`.

use crate::{Secret, random};

/// Bytes of an address in which its host stands.
const LONGEST: usize = 500;

pub fn passwords(line: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("://") {
        let scheme =
            rest[..at].bytes().rev().take(20).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'+').count();
        let scheme = &rest[at - scheme..at];
        rest = &rest[at + 3..];
        // An address ends with a blank, a quote or a bracket; a line may have megabytes.
        let near = &rest[..rest.floor_char_boundary(LONGEST)];
        let end = near.find(|c: char| c.is_whitespace() || "\"'`<>()|,;".contains(c)).unwrap_or(near.len());
        let address = &near[..end];
        let authority = address.split(['/', '?', '#']).next().unwrap_or_default();
        let Some((user, host)) = authority.rsplit_once('@') else { continue };
        let Some((user, password)) = user.split_once(':') else { continue };
        if !scheme.is_empty() && is_real(user, password, host) {
            let what = format!("a {scheme} address with a password");
            found.push(Secret { rule: "password-in-url", what, value: password.to_owned() });
        }
    }
    found
}

fn is_real(user: &str, password: &str, host: &str) -> bool {
    #[rustfmt::skip]
    const USUAL: [&str; 24] = [
        "password", "passwd", "pass", "secret", "postgres", "root", "admin", "guest", "user", "test", "mysql", "redis", "default", "token",
        "pwd", "pw", "changeme", "hunter2", "username", "x-oauth-basic", "x-access-token", "secretpassword", "apikey", "key",
    ];
    let (host, lower) =
        (host.split(':').next().unwrap_or_default().to_ascii_lowercase(), password.to_ascii_lowercase());
    let labels: Vec<&str> = host.split('.').collect();
    let is_made_up = labels.len() < 2
        || labels.iter().any(|label| {
            matches!(
                *label,
                "example"
                    | "test"
                    | "localhost"
                    | "local"
                    | "host"
                    | "foo"
                    | "internal"
                    | "domain"
                    | "yourdomain"
                    | "acme"
                    | "svc"
            )
        })
        || host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        || host.contains(|c: char| !(c.is_ascii_alphanumeric() || ".-_".contains(c)));
    let has_digit = password.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = password.bytes().any(|byte| byte.is_ascii_alphabetic());
    password.len() >= 8
        && has_digit
        && has_letter
        && !is_made_up
        && !USUAL.contains(&lower.as_str())
        && !lower.contains(&user.to_ascii_lowercase())
        && random::entropy(password) >= 2.5
}
