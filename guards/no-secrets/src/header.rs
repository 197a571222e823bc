//! Tokens in a header of a request: `"Authorization": "Bearer …"`, as configurations of MCP servers have them.

use crate::place::Place;
use crate::{Secret, random};

const SCHEME: &str = "bearer ";
/// Characters that a token has at least: shorter ones stand for one.
const SHORTEST: usize = 20;
/// And at most; no token of a header is longer.
const LONGEST: usize = 4_000;

/// In a document a request is shown, and its token is made up.
pub fn tokens(line: &str, place: Place) -> Vec<Secret> {
    if matches!(place, Place::Document | Place::Ignored) {
        return Vec::new();
    }
    let is_scheme = |at: usize| {
        let text = line.as_bytes();
        text[at..at + SCHEME.len()].eq_ignore_ascii_case(SCHEME.as_bytes())
            && !text[..at].last().is_some_and(u8::is_ascii_alphanumeric)
    };
    let places = (0..(line.len() + 1).saturating_sub(SCHEME.len())).filter(|at| is_scheme(*at));
    let token = |at: usize| {
        let rest = line[at + SCHEME.len()..].trim_start();
        let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(byte);
        &rest[..rest.bytes().take(LONGEST).take_while(is_token).count()]
    };
    let is_secret =
        |value: &&str| value.len() >= SHORTEST && random::entropy(value) >= 3.0 && random::looks_random(value);
    let what = || "the token of a header `Authorization: Bearer`".to_owned();
    let secret = |value: &str| Secret { rule: "secret-assigned", what: what(), value: value.to_owned() };
    places.map(token).filter(is_secret).map(secret).collect()
}
