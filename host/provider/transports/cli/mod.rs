//! Command-line agents: one process for each question, the prompt on its stdin, the answer on its stdout.

mod claude;
mod codex;
mod codex_config;
mod command;
mod gemini;
mod json;
mod output;
mod process;
mod scratch;

use std::ffi::OsStr;
use std::path::Path;

pub(crate) use claude::CLAUDE;
pub(crate) use codex::CODEX;
pub(crate) use command::COMMAND;
pub(crate) use gemini::GEMINI;
use guardhost_os::TEMPORARY_FOLDER;
use output::ProcessOutput;
use process::{Invocation, OutputStream};
pub use scratch::sweep_scratch;
use scratch::{AgentTrace, ScratchFolder};

use super::{ProviderResponse, Request};
use crate::{AnswerLimits, Environment, FailureClass, ProviderFailure};

/// What one agent's command line and output look like.
#[derive(Debug)]
pub struct CliDialect {
    /// Also the name of its program.
    pub(crate) name: &'static str,
    /// Variables that hold its keys.
    pub(crate) keys: &'static [&'static str],
    /// Other variables that it reads.
    settings: &'static [&'static str],
    /// Variables that are set for it, whatever the caller's environment holds.
    fixed: &'static [(&'static str, &'static str)],
    /// Variables that are set for it unless the caller's environment has them.
    defaults: &'static [(&'static str, &'static str)],
    /// Files in the folder that it starts in, and their text.
    files: &'static [(&'static str, &'static str)],
    /// Tools that its newest known version offers a model although it is told to offer none, each without effect: see its file.
    pub(crate) inert_tools: &'static [&'static str],
    /// What a change of the repository during its answer means, unless the user's settings say otherwise.
    pub(crate) on_change: OnChange,
    pub(crate) limits: AnswerLimits,
    /// How to sign in.
    sign_in: &'static str,
    args: fn(&CommandLine<'_>) -> Vec<String>,
    /// The prompt in this agent's syntax.
    encode: fn(&[u8]) -> Vec<u8>,
    /// The answer, if there is evidence of one. Gets the prompt as it was before `encode`.
    parse: fn(&ProcessOutput, &[u8]) -> Result<ProviderResponse, ProviderFailure>,
    /// The progress that a line of stdout reports.
    progress: fn(&str) -> Option<String>,
    /// The failure that a line of stdout reports while the agent goes on trying in vain: it is not waited for.
    hopeless: fn(&str) -> Option<ProviderFailure>,
    /// What it leaves behind for a question that it was asked in this folder.
    traces: fn(&Environment, &Path) -> Vec<AgentTrace>,
}

/// What the arguments of an agent depend on.
pub(crate) struct CommandLine<'a> {
    pub(crate) model: Option<&'a str>,
    /// What the user adds.
    pub(crate) extra: &'a [String],
    pub(crate) environment: &'a Environment,
}

impl CommandLine<'_> {
    /// These words, then the option for the model with its value.
    fn arguments(&self, fixed: &str, model_option: &str) -> Vec<String> {
        let model = self.model.into_iter().flat_map(|model| [model_option.to_owned(), model.to_owned()]);
        fixed.split_ascii_whitespace().map(str::to_owned).chain(model).collect()
    }
}

/// What it means that the repository changed while a program answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnChange {
    /// The answer is not used.
    Refuse,
    /// A notice.
    Report,
}

/// The agent to be run.
pub(crate) struct CliAgent<'a> {
    pub(crate) dialect: &'a CliDialect,
    pub(crate) program: &'a str,
    /// Beside those of the dialect.
    pub(crate) extra_args: &'a [String],
}

pub(crate) async fn send(request: &Request<'_>, agent: &CliAgent<'_>) -> Result<ProviderResponse, ProviderFailure> {
    let Request { provider, prompt, runtime, on_progress, .. } = *request;
    let CliAgent { dialect, program, extra_args } = *agent;
    let Some(path) = runtime.environment.find(program) else {
        return Err(ProviderFailure::new(FailureClass::Config, format!("there is no program `{program}` on the PATH"))
            .hint(
                "install it, or choose another provider with --provider (claude, codex, gemini, command:…, replay:…)",
            ));
    };
    let scratch = ScratchFolder::make(&runtime.scratch, dialect.files)?;
    let environment = &runtime.environment;
    let names =
        dialect.settings.iter().copied().chain(provider.env.iter().map(String::as_str)).chain(provider.key_names());
    let unset = dialect.defaults.iter().filter(|(name, _)| environment.text(name).is_none());
    let set = dialect.fixed.iter().chain(unset).map(|(name, value)| (OsStr::new(*name), OsStr::new(*value)));
    let temporary = TEMPORARY_FOLDER.iter().map(|name| (OsStr::new(*name), scratch.temporary().as_os_str()));
    let command_line = CommandLine { model: provider.model.as_deref(), extra: extra_args, environment };
    let invocation = Invocation {
        program: &path,
        args: &(dialect.args)(&command_line),
        env: &environment.allowed_variables(names).chain(set).chain(temporary).collect::<Vec<_>>(),
        dir: scratch.dir(),
        scratch: scratch.whole(),
        exe: &runtime.exe,
        stdin: &(dialect.encode)(prompt),
        limits: &provider.limits,
    };
    let on_line = |stream, line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        match stream {
            OutputStream::Out => {
                (dialect.progress)(&line).iter().for_each(|text| on_progress(text));
                (dialect.hopeless)(&line).map_or(Ok(()), Err)
            }
            OutputStream::Err => {
                on_progress(&line);
                Ok(())
            }
        }
    };
    let output = process::run(&invocation, &runtime.cancel, &on_line).await;
    scratch.remove((dialect.traces)(environment, scratch.dir()));
    output.and_then(|output| (dialect.parse)(&output, prompt)).map_err(|failure| match failure.class {
        FailureClass::Auth => failure.hint(dialect.sign_in),
        _ => failure,
    })
}
