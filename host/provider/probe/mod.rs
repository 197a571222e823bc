//! Asks an agent which tools it offers its model, without a key and without cost: it is started as for a run, but with a home of its own, and
//! talks to a server on this machine that refuses every request.

mod server;

use std::collections::BTreeSet;
use std::fs;

use guardhost_core::change::NullObserver;
use guardhost_core::error::{Context, Result};
use serde_json::Value;
use server::RefusingServer;

use super::transports::Request;
use super::transports::cli::{self, CliAgent, CliDialect};
use super::{Environment, FailureClass, Provider, ProviderFailure, ProviderRuntime, preset};

/// The most time that an agent may take to its first request and after it.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

/// What an agent offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedTools {
    /// Known, and without effect.
    pub inert: Vec<String>,
    /// The host does not know them: they may read or write.
    pub unexpected: Vec<String>,
}

/// What each agent needs to reach the server: variables, files of its home, a model that it asks at once.
struct Setup {
    agent: &'static str,
    /// `{url}` is the server's address.
    variables: &'static [(&'static str, &'static str)],
    files: &'static [(&'static str, &'static str)],
    model: Option<&'static str>,
}

const SETUPS: [Setup; 3] = [
    Setup {
        agent: "claude",
        variables: &[("ANTHROPIC_BASE_URL", "{url}"), ("ANTHROPIC_API_KEY", "no-key-at-all")],
        files: &[],
        model: None,
    },
    Setup {
        agent: "codex",
        variables: &[("OPENAI_BASE_URL", "{url}/v1"), ("CODEX_API_KEY", "no-key-at-all")],
        files: &[],
        model: None,
    },
    Setup {
        agent: "gemini",
        variables: &[("GOOGLE_GEMINI_BASE_URL", "{url}"), ("GEMINI_API_KEY", "no-key-at-all")],
        files: &[(".gemini/settings.json", r#"{"security":{"auth":{"selectedType":"gemini-api-key"}}}"#)],
        // Without one it first asks which model it should ask.
        model: Some("gemini-2.5-pro"),
    },
];

/// The names of the agents that can be asked.
pub fn probed_agents() -> impl Iterator<Item = &'static str> {
    SETUPS.iter().map(|setup| setup.agent)
}

/// Starts the agent once. `model` is asked instead of the agent's default: the tools may depend on it.
///
/// # Errors
/// When the agent cannot be started, or made no request.
pub fn offered_tools(name: &str, model: Option<&str>, runtime: &ProviderRuntime) -> Result<OfferedTools> {
    let setup = SETUPS.iter().find(|setup| setup.agent == name).with_context(|| format!("{name} cannot be probed"))?;
    let dialect =
        preset::AGENTS.into_iter().find(|dialect| dialect.name == name).context("every setup has a preset")?;
    let server = RefusingServer::start().context("cannot start a server on this machine")?;
    let home = tempfile::Builder::new().prefix("guardhost-probe-").tempdir_in(&runtime.scratch)?;
    for (file, text) in setup.files {
        let file = home.path().join(file);
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(file, text)?;
    }
    let variable = |(name, value): &(&str, &str)| ((*name).to_owned(), value.replace("{url}", server.url()));
    let path = runtime.environment.text("PATH").unwrap_or_default().to_owned();
    let home_variable = ("HOME".to_owned(), home.path().display().to_string());
    let variables = setup.variables.iter().map(variable).chain([("PATH".to_owned(), path), home_variable]);
    let own = ProviderRuntime {
        environment: Environment::new(variables),
        scratch: runtime.scratch.clone(),
        exe: runtime.exe.clone(),
        repository: None,
        cancel: runtime.cancel.clone(),
        recorder: None,
        step: None,
    };
    let mut provider = preset::preset(name).context("every setup has a preset")?;
    provider.limits.wall = PATIENCE;
    provider.model = model.or(setup.model).map(str::to_owned);
    let failure = ask(&provider, dialect, &own)?;
    let requests = server.requests();
    if requests.is_empty() {
        let why = failure.map_or_else(|| "it answered by itself".to_owned(), |failure| failure.message);
        return Err(guardhost_core::error::Error::msg(format!("it made no request: {why}")));
    }
    let mut offered = BTreeSet::new();
    requests.iter().for_each(|body| collect(body, &mut offered));
    let (inert, unexpected) = offered.into_iter().partition(|name| dialect.inert_tools.contains(&name.as_str()));
    Ok(OfferedTools { inert, unexpected })
}

/// The failure with which the agent reports that its request was refused.
fn ask(provider: &Provider, dialect: &CliDialect, runtime: &ProviderRuntime) -> Result<Option<ProviderFailure>> {
    let request =
        Request { provider, prompt: b"Say hello.", round: 1, runtime, on_progress: &|_| {}, observer: &NullObserver };
    let agent = CliAgent { dialect, program: dialect.name, extra_args: &[] };
    std::thread::scope(|scope| {
        let asking = std::thread::Builder::new().spawn_scoped(scope, || -> Result<_> {
            let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            Ok(executor.block_on(cli::send(&request, &agent)))
        });
        match asking?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))? {
            Ok(_) => Ok(None),
            Err(failure) if failure.class == FailureClass::Interrupted => Err(failure.into()),
            Err(failure) => Ok(Some(failure)),
        }
    })
}

/// The names of tools: in `tools` of any depth, and in Gemini's `functionDeclarations`.
fn collect(body: &Value, offered: &mut BTreeSet<String>) {
    match body {
        Value::Object(fields) => {
            for key in ["tools", "functionDeclarations"] {
                for tool in fields.get(key).and_then(Value::as_array).into_iter().flatten() {
                    let groups = ["tools", "functionDeclarations"].iter().any(|key| tool[*key].is_array());
                    let name = tool["name"].as_str().or_else(|| tool["type"].as_str());
                    if !groups {
                        offered.insert(name.map_or_else(|| tool.to_string(), str::to_owned));
                    }
                }
            }
            fields.values().for_each(|value| collect(value, offered));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, offered)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
