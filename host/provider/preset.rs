//! Providers that everybody knows by name.

use std::time::Duration;

use super::cli::{CLAUDE, CODEX, Dialect, GEMINI};
use super::http::{self, ANTHROPIC, OPENAI, Server};
use super::{Limits, Provider, Transport};

/// Agents whose command lines and outputs are known.
const AGENTS: [&Dialect; 3] = [&CLAUDE, &CODEX, &GEMINI];

/// Servers: name, dialect, usual address, variable of the key. Those without a key run on one's own machine, at their usual ports.
const SERVERS: [(&str, &http::Dialect, &str, Option<&str>); 6] = [
    ("openai", &OPENAI, "https://api.openai.com/v1", Some("OPENAI_API_KEY")),
    ("anthropic", &ANTHROPIC, "https://api.anthropic.com/v1", Some("ANTHROPIC_API_KEY")),
    ("lmstudio", &OPENAI, "http://localhost:1234/v1", None),
    ("ollama", &OPENAI, "http://localhost:11434/v1", None),
    ("vllm", &OPENAI, "http://localhost:8000/v1", None),
    ("llamacpp", &OPENAI, "http://localhost:8080/v1", None),
];

/// The longest silence of a server: a model that is loaded first may take minutes to its first word.
const SILENCE: Duration = Duration::from_secs(5 * 60);

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    AGENTS.into_iter().map(|dialect| dialect.name).chain(SERVERS.map(|(name, ..)| name))
}

pub(super) fn preset(name: &str) -> Option<Provider> {
    if let Some(dialect) = AGENTS.into_iter().find(|dialect| dialect.name == name) {
        let speaker = Transport::Cli { dialect, program: name.to_owned(), args: Vec::new() };
        return Some(Provider::new(name, speaker, dialect.limits));
    }
    let (_, dialect, base_url, key) = SERVERS.into_iter().find(|(known, ..)| *known == name)?;
    Some(server(name, dialect, base_url, key))
}

/// A server with the usual limits.
pub(super) fn server(name: &str, dialect: &'static http::Dialect, base_url: &str, key: Option<&str>) -> Provider {
    let server = Server {
        dialect,
        base_url: base_url.to_owned(),
        key: key.map(str::to_owned),
        stream: true,
        body: serde_json::Map::new(),
    };
    Provider::new(name, Transport::Http(server), Limits::new(Some(SILENCE)))
}
