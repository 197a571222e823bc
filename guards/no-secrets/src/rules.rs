//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("token-added", "an added line holds a token of a known form: keys of clouds, tokens of forges, registries, payment and chat services"),
    Rule::new("private-key-added", "an added line begins a private key in PEM form, and the key follows"),
    Rule::new("password-in-url", "an added address holds a password, and its host is neither local nor an example"),
    Rule::new("secret-assigned", "an added line gives a name such as `api_key`, `secret` or `password` a value that looks random, or the header `Authorization: Bearer` a token that does"),
    Rule::new("env-file-added", "an added `.env` file gives a secret a value; `.env.example` and the like are accepted"),
];
