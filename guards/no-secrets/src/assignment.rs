//! Secrets that a name gives away: `api_key = "…"`.

use crate::place::Place;
use crate::{Secret, random};

/// Parts of names whose values are secret. In lower case.
const NAMES: [&str; 16] = [
    "secret",
    "passwd",
    "password",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "accesskey",
    "access-key",
    "auth_key",
    "authkey",
    "private_key",
    "privatekey",
    "credential",
    "signing_key",
];
/// Secrets of one line that are worth telling.
const MOST: usize = 50;
/// Bytes of a name on either side of its part in [`NAMES`].
const LONGEST_NAME: usize = 100;
/// Bytes behind a name in which its value ends.
const FURTHEST: usize = 400;

/// Parts of names whose values are public, or no values at all.
#[rustfmt::skip]
const PUBLIC_NAMES: [&str; 34] = [
    "public", "hash", "checksum", "digest", "sha", "_id", "-id", "token_type", "tokentype", "tokenizer", "token_url", "tokens", "name", "path",
    "file", "url", "uri", "field", "header", "prefix", "regex", "pattern", "expected", "placeholder", "label", "anonymous", "csrf",
    "nonce", "search_key", "site_key", "sitekey", "publishable", "hashed", "fingerprint",
];

pub fn secrets(line: &str, path: &str, place: Place, is_new: bool) -> Vec<Secret> {
    // Most lines assign nothing.
    if matches!(place, Place::Document | Place::Ignored) || !line.contains(['=', ':']) {
        return Vec::new();
    }
    let mut found: Vec<Secret> = Vec::new();
    for at in names(line.as_bytes()) {
        let Some((name, value)) = assigned(line, at, place) else { continue };
        let is_known = found.iter().any(|secret| secret.value == value);
        if is_known || !is_secret(&name.to_ascii_lowercase(), value) {
            continue;
        }
        let in_env = place == Place::Env && is_new;
        let (rule, what) = match in_env {
            true => ("env-file-added", format!("{path} holds a value for `{name}`, which")),
            false => ("secret-assigned", format!("a value for `{name}` that looks like a real secret")),
        };
        found.push(Secret { rule, what, value: value.to_owned() });
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// Where one of [`NAMES`] begins, read in one pass.
fn names(line: &[u8]) -> impl Iterator<Item = usize> {
    let begins = |at: usize| {
        let is_at =
            |name: &&str| line.get(at..at + name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name.as_bytes()));
        matches!(line[at] | 0x20, b'a' | b'c' | b'p' | b's' | b't') && NAMES.iter().any(is_at)
    };
    (0..line.len()).filter(move |at| begins(*at))
}

/// The whole name at `at`, and the value that it is given. Names and values that are longer than one has reason to be are cut: a line may
/// have megabytes.
fn assigned(line: &str, at: usize, place: Place) -> Option<(&str, &str)> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let bytes = line.as_bytes();
    let start = at - bytes[..at].iter().rev().take(LONGEST_NAME).take_while(|byte| is_name(byte)).count();
    let end = at + bytes[at..].iter().take(LONGEST_NAME).take_while(|byte| is_name(byte)).count();
    let name = &line[start..end];
    let rest = &line[end..line.floor_char_boundary(end + FURTHEST)];
    let rest = rest.trim_start_matches(['"', '\'', ']', ' ', '\t', '`']);
    // A type between name and value: `const TOKEN: &str = "…"`.
    let typed = rest
        .strip_prefix(':')
        .and_then(|rest| rest.split_once('='))
        .filter(|(kind, _)| kind.len() < 30 && !kind.contains(['"', '\'', ',']));
    let value = ["=>", ":=", "=", ":"].iter().find_map(|sign| rest.strip_prefix(sign));
    let value = typed.map(|(_, value)| value).or(value)?.trim_start();
    let quoted = value.chars().next().filter(|quote| "\"'`".contains(*quote));
    let value = match quoted {
        Some(quote) => value[1..].split_once(quote).map(|(value, _)| value)?,
        None if matches!(place, Place::Env | Place::Plain) => value.split([' ', '#', ',']).next().unwrap_or_default(),
        None => return None,
    };
    Some((name, value))
}

fn is_secret(name: &str, value: &str) -> bool {
    let is_value = value.bytes().all(|byte| byte.is_ascii_graphic()) && (8..=200).contains(&value.len());
    let is_public = PUBLIC_NAMES.iter().any(|public| name.contains(public)) || name.starts_with('-');
    if !is_value || is_public || value.contains("://") || value.starts_with(['/', '.', '#']) {
        return false;
    }
    if is_address(value) && !HIDES.iter().any(|part| name.contains(part)) {
        return false;
    }
    let is_password = name.contains("passw");
    let is_token = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-.~".contains(&byte));
    match is_password {
        true => is_strong_password(value),
        false => value.len() >= 16 && is_token && random::entropy(value) >= 3.0 && random::looks_random(value),
    }
}

/// Parts of names in whose values no public address is expected. A `token` may be one of a blockchain, which has an address.
const HIDES: [&str; 6] = ["secret", "passw", "private", "key", "credential", "auth"];

/// Whether the value has the form of a public address of a blockchain: 20 bytes as hexadecimal digits behind `0x`, as Ethereum and its like
/// write them, or 32 bytes in base 58, as Solana does. A private key there has 32 bytes behind `0x`, or 64 in base 58.
fn is_address(value: &str) -> bool {
    let is_hex = |digits: &str| digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_base58 = |byte: u8| byte.is_ascii_alphanumeric() && !b"0OIl".contains(&byte);
    value.strip_prefix("0x").is_some_and(is_hex) || (matches!(value.len(), 43 | 44) && value.bytes().all(is_base58))
}

/// Letters, digits and a sign, as people are asked to choose them, and no expression of a language.
fn is_strong_password(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| value.bytes().any(|byte| kind(&byte));
    has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && !value.contains(['(', '[', '{', ' ', '\\', '/'])
        && random::entropy(value) >= 2.8
}
