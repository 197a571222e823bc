//! A provider, as the user names it.

use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::transports::cli::{COMMAND, CliDialect, OnChange};
use super::transports::http::HttpServer;
use super::{Environment, preset};
use guardhost_core::error::{Fault, FaultKind, Result};

/// One agent, server or recording, with its settings.
#[derive(Debug, Clone)]
pub struct Provider {
    /// Shown in messages and records.
    pub name: String,
    pub transport: Transport,
    /// None: the provider's default.
    pub model: Option<String>,
    /// More variables of the environment that it may see, beside the standard ones and those of its preset.
    pub env: Vec<String>,
    /// The same, for variables whose values are redacted.
    pub keys: Vec<String>,
    pub limits: AnswerLimits,
}

/// How a question reaches a provider.
#[derive(Debug, Clone)]
pub enum Transport {
    /// A program: the prompt on its stdin, the answer on its stdout.
    Cli {
        dialect: &'static CliDialect,
        /// A name on `PATH`, or a path.
        program: String,
        /// More arguments, beside those of the dialect.
        args: Vec<String>,
        on_change: OnChange,
    },
    /// A server, asked over HTTP.
    Http(HttpServer),
    /// A recording, written by [`super::Recorder`] or by hand.
    Replay(PathBuf),
}

/// Bounds of one answer. When one is exceeded, the program and its child processes are killed, or the connection is closed.
#[derive(Debug, Clone, Copy)]
pub struct AnswerLimits {
    pub wall: Duration,
    /// The longest silence (of a program, on stdout and stderr). None for providers that write nothing until they are done.
    pub idle: Option<Duration>,
    /// Bytes of stdout, or of a server's body.
    pub output: usize,
    /// Tokens of the prompt, as [`super::tokens`] estimates them.
    pub prompt: usize,
}

impl AnswerLimits {
    /// 10 minutes, 16 MiB, and prompts of a length that the models of all large services accept.
    pub(super) const fn new(idle: Option<Duration>) -> Self {
        AnswerLimits { wall: Duration::from_secs(10 * 60), idle, output: 16 << 20, prompt: 160_000 }
    }
}

impl Provider {
    /// A preset (`claude`, `codex`, `gemini`, `openai`, `anthropic`, `lmstudio`, `ollama`, `vllm`, `llamacpp`), with a model if wanted
    /// (`claude:opus`); `command:PROGRAM ARGUMENT…`, split as a shell would, but not run by one; or `replay:FILE`. Paths of the
    /// program and of the recording are relative to `dir`.
    ///
    /// # Errors
    /// `Kind::Usage`.
    pub fn parse(spec: &str, dir: &Path) -> Result<Self> {
        let (name, rest) = spec.split_once(':').map_or((spec, None), |(name, rest)| (name, Some(rest)));
        let unknown = |why: String| {
            let known = preset::names().collect::<Vec<_>>().join(", ");
            Fault::new(FaultKind::Usage, why)
                .hint(format!("a provider is {known} (with a model: claude:opus), command:PROGRAM ARGUMENT…, replay:FILE, or one of your settings (host provider list)"))
        };
        if let Some(preset) = preset::preset(name) {
            return match rest {
                Some("") => Err(unknown(format!("the provider `{spec}` names no model after the colon")).into()),
                model => Ok(Provider { model: model.map(str::to_owned), ..preset }),
            };
        }
        match (name, rest.map(str::trim).filter(|rest| !rest.is_empty())) {
            ("command", Some(line)) => Self::command(line, dir),
            ("replay", Some(file)) => {
                // A recording does not read the prompt.
                let limits = AnswerLimits { prompt: usize::MAX, ..AnswerLimits::new(None) };
                Ok(Self::new("replay", Transport::Replay(dir.join(file)), limits))
            }
            ("command" | "replay", None) => Err(unknown(format!("the provider `{spec}` names nothing to run")).into()),
            _ => Err(unknown(format!("there is no provider `{name}`")).into()),
        }
    }

    pub(super) fn command(line: &str, dir: &Path) -> Result<Self> {
        let mut words = shlex::split(line).unwrap_or_default().into_iter();
        let Some(program) = words.next().filter(|program| !program.is_empty()) else {
            return Err(Fault::new(FaultKind::Usage, format!("the command line `{line}` cannot be split into words"))
                .hint("is a quote not closed?")
                .into());
        };
        let name = Path::new(&program).file_name().map_or_else(|| program.clone(), |name| name.display().to_string());
        let program = if program.contains('/') { dir.join(program).display().to_string() } else { program };
        let transport =
            Transport::Cli { dialect: &COMMAND, program, args: words.collect(), on_change: COMMAND.on_change };
        Ok(Self::new(&name, transport, COMMAND.limits))
    }

    pub(super) fn new(name: &str, transport: Transport, limits: AnswerLimits) -> Self {
        Provider { name: name.to_owned(), transport, model: None, env: Vec::new(), keys: Vec::new(), limits }
    }

    /// Its location, or what is missing, as far as that is known without asking it. A server on this machine must listen.
    pub fn ready(&self, environment: &Environment) -> Result<String, String> {
        match &self.transport {
            Transport::Cli { program, .. } => match environment.find(program) {
                Some(path) => Ok(path.display().to_string()),
                None => Err(format!("there is no program `{program}` on the PATH")),
            },
            Transport::Http(HttpServer { base_url, key: None, .. }) => match local_address(base_url) {
                Some(address) if !listens(&address) => Err(format!("{base_url}, where nothing listens")),
                Some(_) | None => Ok(base_url.clone()),
            },
            Transport::Http(HttpServer { base_url, key: Some(key), .. }) => match environment.key(key) {
                Some(_) => Ok(format!("{base_url}, key in {key}")),
                None => Err(format!("{base_url}, but {key} is not set")),
            },
            Transport::Replay(file) => Ok(file.display().to_string()),
        }
    }

    pub(super) fn is_recording(&self) -> bool {
        matches!(self.transport, Transport::Replay(_))
    }

    /// Variables whose values are redacted.
    pub(super) fn key_names(&self) -> impl Iterator<Item = &str> {
        let preset: &[&str] = match &self.transport {
            Transport::Cli { dialect, .. } => dialect.keys,
            Transport::Http(_) | Transport::Replay(_) => &[],
        };
        let header = match &self.transport {
            Transport::Http(server) => server.key.as_deref(),
            _ => None,
        };
        preset.iter().copied().chain(header).chain(self.keys.iter().map(String::as_str))
    }
}

/// How long a server on this machine may take to accept a connection.
const CONNECT: Duration = Duration::from_millis(200);

/// `localhost:1234` of an address on this machine; None for another one, which is not connected to unasked.
fn local_address(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let is_v6 = authority.starts_with('[');
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, if scheme == "https" { "443" } else { "80" }),
    };
    let is_local = host == "localhost" || host == "[::1]" || (!is_v6 && host.starts_with("127."));
    is_local.then(|| format!("{host}:{port}"))
}

fn listens(address: &str) -> bool {
    let Ok(found) = address.to_socket_addrs() else { return false };
    found.into_iter().any(|address| TcpStream::connect_timeout(&address, CONNECT).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use guardhost_core::error::kind;

    #[test]
    fn specs() {
        let dir = Path::new("/base");
        let show = |spec: &str| {
            let provider = Provider::parse(spec, dir).map_err(|error| kind(&error))?;
            Ok(match &provider.transport {
                Transport::Cli { program, args, .. } => {
                    format!("{} {program} {args:?} {:?}", provider.name, provider.model)
                }
                Transport::Http(server) => format!("{} {} {:?}", provider.name, server.base_url, provider.model),
                Transport::Replay(file) => format!("{} {}", provider.name, file.display()),
            })
        };
        for (spec, seen) in [
            ("claude", "claude claude [] None"),
            ("gemini:gemini-2.5-flash", "gemini gemini [] Some(\"gemini-2.5-flash\")"),
            ("command:./tools/ask --mode 'two words'", "ask /base/./tools/ask [\"--mode\", \"two words\"] None"),
            ("ollama:qwen3:8b", "ollama http://localhost:11434/v1 Some(\"qwen3:8b\")"),
            ("command: ask", "ask ask [] None"),
            ("replay:replies.jsonl", "replay /base/replies.jsonl"),
            ("replay:/a/b:c", "replay /a/b:c"),
        ] {
            assert_eq!(show(spec), Ok(seen.to_owned()), "{spec}");
        }
        for spec in ["", "claud", "claude:", "command:", "command:'open", "command:''", "replay:"] {
            assert_eq!(show(spec), Err(FaultKind::Usage), "{spec}");
        }
    }
}
