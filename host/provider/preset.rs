//! Providers that need no settings: known agents and servers.

use std::time::Duration;

use super::transports::cli::{CLAUDE, CODEX, CliDialect, GEMINI};
use super::transports::http::{self, ANTHROPIC, HttpServer, OPENAI};
use super::{AnswerLimits, Provider, Transport};

/// Agents whose command lines and outputs are known.
pub(super) const AGENTS: [&CliDialect; 3] = [&CLAUDE, &CODEX, &GEMINI];

/// Servers: name, dialect, default address, variable of the key. Those without a key run on the user's machine, at their default ports.
const SERVERS: [(&str, &http::HttpDialect, &str, Option<&str>); 6] = [
    ("openai", &OPENAI, "https://api.openai.com/v1", Some("OPENAI_API_KEY")),
    ("anthropic", &ANTHROPIC, "https://api.anthropic.com/v1", Some("ANTHROPIC_API_KEY")),
    ("lmstudio", &OPENAI, "http://localhost:1234/v1", None),
    ("ollama", &OPENAI, "http://localhost:11434/v1", None),
    ("vllm", &OPENAI, "http://localhost:8000/v1", None),
    ("llamacpp", &OPENAI, "http://localhost:8080/v1", None),
];

/// The longest silence of a server. A model that has to be loaded may take minutes to its first word.
const IDLE_LIMIT: Duration = Duration::from_secs(5 * 60);

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    AGENTS.into_iter().map(|dialect| dialect.name).chain(SERVERS.map(|(name, ..)| name))
}

pub(super) fn preset(name: &str) -> Option<Provider> {
    if let Some(dialect) = AGENTS.into_iter().find(|dialect| dialect.name == name) {
        let on_change = dialect.on_change;
        let transport = Transport::Cli { dialect, program: name.to_owned(), args: Vec::new(), on_change };
        return Some(Provider::new(name, transport, dialect.limits));
    }
    let (_, dialect, base_url, key) = SERVERS.into_iter().find(|(known, ..)| *known == name)?;
    Some(server(name, dialect, base_url, key))
}

/// A server with the default limits.
pub(super) fn server(name: &str, dialect: &'static http::HttpDialect, base_url: &str, key: Option<&str>) -> Provider {
    let server = HttpServer {
        dialect,
        base_url: base_url.to_owned(),
        key: key.map(str::to_owned),
        stream: true,
        body: serde_json::Map::new(),
    };
    Provider::new(name, Transport::Http(server), AnswerLimits::new(Some(IDLE_LIMIT)))
}
