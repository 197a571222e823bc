//! The user's own providers and chains: `config.toml` in the user's configuration folder.
//!
//! ```toml
//! command_chain = ["claude", "local", { provider = "codex", model = "gpt-5", timeout = 900 }]
//! command_chain_fast = ["local"]
//! command_chain_quality = ["claude:opus"]
//!
//! [providers.local]
//! preset = "lmstudio"
//! model = "qwen3-coder"
//! [providers.gateway]
//! base_url = "https://llm.example.org/v1"
//! key_env = "GATEWAY_KEY"
//! body = { temperature = 0.2 }
//! [providers.mine]
//! command = "my-agent --plain"
//! env = ["MY_AGENT_HOME"]
//! ```
//!
//! **A repository chooses, it never adds.** Its `guards.toml` may hold chains too, but only of names that stand as `[providers.NAME]`
//! here: programs, arguments, addresses, key variables, models and limits come from this file or the command line alone. Without
//! this rule, whoever can get a commit into a repository could run a program on the machine of everybody who works on it, or have
//! their keys sent to an address of his choice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::http::{self, ANTHROPIC, OPENAI, Server};
use super::{Chain, Provider, Speaker, preset};
use crate::error::{Context, Fault, Kind, Result};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    command_chain: Vec<Step>,
    #[serde(default)]
    command_chain_fast: Vec<Step>,
    #[serde(default)]
    command_chain_quality: Vec<Step>,
    #[serde(default)]
    providers: BTreeMap<String, Entry>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a provider, or a table with `provider` and perhaps `model`, `args`, `env`, `timeout`"
)]
enum Step {
    /// As on the command line.
    Name(String),
    Table(Adapted),
}

/// A provider with what differs in this step.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Adapted {
    provider: String,
    model: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: Vec<String>,
    /// Seconds for one answer.
    timeout: Option<u64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// What it is, when its name is not that of a preset and neither `command` nor `base_url` says so.
    preset: Option<String>,
    /// A program and its arguments, split as a shell would. A relative path starts at the settings' folder.
    command: Option<String>,
    /// Of a server, without what its API adds: `http://localhost:1234/v1`.
    base_url: Option<String>,
    api: Option<Api>,
    /// The variable that holds a server's key.
    key_env: Option<String>,
    stream: Option<bool>,
    /// Put into a server's request as it is.
    #[serde(default)]
    body: serde_json::Map<String, serde_json::Value>,
    model: Option<String>,
    /// More arguments of an agent.
    #[serde(default)]
    args: Vec<String>,
    /// More variables that an agent may see.
    #[serde(default)]
    env: Vec<String>,
    /// The same, for those whose values must be seen nowhere.
    #[serde(default)]
    secret_env: Vec<String>,
    /// Seconds for one answer.
    timeout: Option<u64>,
    /// Seconds of silence.
    idle_timeout: Option<u64>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Api {
    Openai,
    Anthropic,
}

/// What a chain is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Hint {
    /// `command_chain_fast`
    Fast,
    /// `command_chain_quality`
    Quality,
}

/// What the user has settled.
#[derive(Debug, Default)]
pub struct Settings {
    file: File,
    /// For messages.
    origin: String,
    dir: PathBuf,
}

/// Whom a run asks when the command line does not say.
#[derive(Debug)]
pub struct Picked {
    pub providers: Vec<Provider>,
    /// What of the repository's wish was left out.
    pub notice: Option<String>,
}

impl Settings {
    /// A file that does not exist settles nothing.
    ///
    /// # Errors
    /// `Kind::Config` with file and line. The line itself is not shown: somebody may have written a key into it.
    pub fn read(file: &Path) -> Result<Settings> {
        let origin = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Settings::default()),
            text => text.with_context(|| Fault::new(Kind::Config, format!("cannot read {origin}")))?,
        };
        let parsed = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            Fault::new(Kind::Config, format!("{origin}:{line}: {}", error.message()))
        })?;
        Ok(Settings { file: parsed, origin, dir: file.parent().unwrap_or(file).to_owned() })
    }

    /// The user's own providers, which are also those that a repository may name, and then the presets.
    pub fn everybody(&self) -> Result<Vec<Provider>> {
        let own = self.file.providers.iter().map(|(name, entry)| self.entry(name, entry));
        let presets =
            preset::names().filter(|name| !self.file.providers.contains_key(*name)).filter_map(preset::preset);
        own.chain(presets.map(Ok)).collect()
    }

    /// The user's chains that are not empty: their keys in the file, and who is in them.
    pub fn chains(&self) -> Result<Vec<(&'static str, String)>> {
        let keys = [
            (None, "command_chain"),
            (Some(Hint::Fast), "command_chain_fast"),
            (Some(Hint::Quality), "command_chain_quality"),
        ];
        let filled = keys.into_iter().filter(|(hint, _)| !self.steps(*hint).is_empty());
        filled.map(|(hint, key)| Ok((key, Chain::new(self.own(hint)?).to_string()))).collect()
    }

    /// One of the user's own (with a model if wanted: `local:qwen3`), or what [`Provider::parse`] knows.
    pub fn provider(&self, spec: &str, dir: &Path) -> Result<Provider> {
        let (name, model) = spec.split_once(':').map_or((spec, None), |(name, model)| (name, Some(model)));
        let Some(entry) = self.file.providers.get(name) else { return Provider::parse(spec, dir) };
        let mut provider = self.entry(name, entry)?;
        if let Some(model) = model.filter(|model| !model.is_empty()) {
            provider.model = Some(model.to_owned());
        }
        Ok(provider)
    }

    /// The chain for a hint, of the repository first and then the user's; without one, the plain chain. `repository` gives the
    /// repository's, as names.
    ///
    /// # Errors
    /// `Kind::Usage` when nobody is named; `Kind::Config` when a provider is not what it should be.
    pub fn chain<'n>(&self, hint: Option<Hint>, repository: &dyn Fn(Option<Hint>) -> &'n [String]) -> Result<Picked> {
        let mut notice = None;
        for hint in hint.map(Some).into_iter().chain([None]) {
            let (known, strange): (Vec<_>, Vec<_>) =
                repository(hint).iter().partition(|name| self.file.providers.contains_key(*name));
            if !strange.is_empty() {
                let names =
                    strange.iter().map(|name| format!("`{}`", name.escape_debug())).collect::<Vec<_>>().join(", ");
                notice = Some(format!("the repository asks for {names}, which your settings do not define: left out"));
            }
            let mut providers: Vec<Provider> = Vec::new();
            for name in known {
                // A repository cannot have somebody asked a hundred times.
                if providers.iter().all(|provider| provider.name != *name) {
                    providers.push(self.provider(name, &self.dir)?);
                }
            }
            if providers.is_empty() {
                providers = self.own(hint)?;
            }
            if !providers.is_empty() {
                return Ok(Picked { providers, notice });
            }
        }
        let hint = "name one with --provider or GUARDHOST_PROVIDER, or settle a command_chain in the user's settings (host provider list)";
        Err(Fault::new(Kind::Usage, "no provider is named").hint(hint).into())
    }

    fn own(&self, hint: Option<Hint>) -> Result<Vec<Provider>> {
        self.steps(hint).iter().map(|step| self.step(step)).collect()
    }

    fn steps(&self, hint: Option<Hint>) -> &[Step] {
        match hint {
            None => &self.file.command_chain,
            Some(Hint::Fast) => &self.file.command_chain_fast,
            Some(Hint::Quality) => &self.file.command_chain_quality,
        }
    }

    fn step(&self, step: &Step) -> Result<Provider> {
        let table = match step {
            Step::Name(spec) => return self.provider(spec, &self.dir),
            Step::Table(table) => table,
        };
        let mut provider = self.provider(&table.provider, &self.dir)?;
        adapt(&mut provider, table.model.as_ref(), &table.args, &table.env, table.timeout)
            .map_err(|why| self.wrong(&table.provider, why))?;
        Ok(provider)
    }

    fn entry(&self, name: &str, entry: &Entry) -> Result<Provider> {
        let mut provider = self.base(name, entry).map_err(|why| self.wrong(name, why))?;
        name.clone_into(&mut provider.name);
        provider.keys.clone_from(&entry.secret_env);
        if let Some(seconds) = entry.idle_timeout {
            provider.limits.idle = Some(Duration::from_secs(seconds));
        }
        match &mut provider.speaker {
            Speaker::Http(server) => {
                server.key = entry.key_env.clone().or(server.key.take());
                server.stream = entry.stream.unwrap_or(server.stream);
                server.body.clone_from(&entry.body);
            }
            _ if entry.key_env.is_some() || entry.stream.is_some() || !entry.body.is_empty() => {
                return Err(
                    self.wrong(name, "key_env, stream and body are for servers; a program gets secret_env".into())
                );
            }
            _ => {}
        }
        adapt(&mut provider, entry.model.as_ref(), &entry.args, &entry.env, entry.timeout)
            .map_err(|why| self.wrong(name, why))?;
        Ok(provider)
    }

    /// What the entry is, before its details.
    fn base(&self, name: &str, entry: &Entry) -> Result<Provider, String> {
        let Entry { preset, command, base_url, api, .. } = entry;
        if let Some(line) = command {
            if preset.is_some() || base_url.is_some() || api.is_some() {
                return Err("command stands alone: without preset, base_url and api".into());
            }
            return Provider::command(line, &self.dir).map_err(|error| error.to_string());
        }
        if let Some(base_url) = base_url {
            Server::check_address(base_url)?;
        }
        let known = preset::preset(preset.as_deref().unwrap_or(name));
        match (known, base_url) {
            (Some(mut known), base_url) => {
                if let Some(base_url) = base_url {
                    let Speaker::Http(server) = &mut known.speaker else {
                        return Err("base_url is for servers".into());
                    };
                    // The usual key belongs to the usual address.
                    server.key = None;
                    server.base_url.clone_from(base_url);
                }
                if api.is_some() {
                    return Err("api is known from the preset".into());
                }
                Ok(known)
            }
            (None, _) if preset.is_some() => {
                Err(format!("preset is one of {}", preset::names().collect::<Vec<_>>().join(", ")))
            }
            (None, Some(base_url)) => {
                let dialect: &'static http::Dialect = match api {
                    None | Some(Api::Openai) => &OPENAI,
                    Some(Api::Anthropic) => &ANTHROPIC,
                };
                Ok(preset::server(name, dialect, base_url, None))
            }
            (None, None) => Err("it needs a preset, a command or a base_url".into()),
        }
    }

    fn wrong(&self, name: &str, why: String) -> crate::error::Error {
        Fault::new(Kind::Config, format!("{}: provider {name}: {why}", self.origin)).into()
    }
}

fn adapt(
    provider: &mut Provider,
    model: Option<&String>,
    more: &[String],
    env: &[String],
    timeout: Option<u64>,
) -> Result<(), String> {
    if let Some(model) = model {
        provider.model = Some(model.clone());
    }
    if let Some(seconds) = timeout {
        provider.limits.wall = Duration::from_secs(seconds);
    }
    match &mut provider.speaker {
        Speaker::Cli { args, .. } => args.extend_from_slice(more),
        _ if !more.is_empty() || !env.is_empty() => return Err("args and env are for programs".into()),
        _ => {}
    }
    provider.env.extend_from_slice(env);
    Ok(())
}
