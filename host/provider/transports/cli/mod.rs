//! Command-line agents: one process for each question, the prompt on its stdin, the answer on its stdout.

mod claude;
mod codex;
mod command;
mod gemini;
mod json;
mod output;
mod process;

use std::ffi::OsStr;

pub(crate) use claude::CLAUDE;
pub(crate) use codex::CODEX;
pub(crate) use command::COMMAND;
pub(crate) use gemini::GEMINI;
use output::ProcessOutput;
use process::{Invocation, Stream};

use super::{ProviderResponse, Request};
use crate::{FailureClass, Limits, ProviderFailure};

/// What one agent's command line and output look like.
#[derive(Debug)]
pub struct Dialect {
    /// Also the name of its program.
    pub(crate) name: &'static str,
    /// Variables that hold its keys.
    pub(crate) keys: &'static [&'static str],
    /// Other variables that it reads.
    settings: &'static [&'static str],
    /// Variables that are set for it, whatever the caller's environment holds.
    fixed: &'static [(&'static str, &'static str)],
    pub(crate) limits: Limits,
    /// How to sign in.
    sign_in: &'static str,
    /// The arguments, from the model and what the user adds.
    args: fn(Option<&str>, &[String]) -> Vec<String>,
    /// The prompt in this agent's syntax.
    encode: fn(&[u8]) -> Vec<u8>,
    /// The answer, if there is evidence of one. Gets the prompt as it was before `encode`.
    parse: fn(&ProcessOutput, &[u8]) -> Result<ProviderResponse, ProviderFailure>,
    /// The progress that a line of stdout reports.
    progress: fn(&str) -> Option<String>,
}

/// The agent to be run.
pub(super) struct Agent<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) program: &'a str,
    /// Beside those of the dialect.
    pub(super) extra_args: &'a [String],
}

pub(super) async fn send(request: &Request<'_>, agent: &Agent<'_>) -> Result<ProviderResponse, ProviderFailure> {
    let Request { provider, prompt, runtime, on_progress, .. } = *request;
    let Agent { dialect, program, extra_args } = *agent;
    let Some(path) = runtime.environment.find(program) else {
        return Err(ProviderFailure::new(FailureClass::Config, format!("there is no program `{program}` on the PATH"))
            .hint(
                "install it, or choose another provider with --provider (claude, codex, gemini, command:…, replay:…)",
            ));
    };
    // Empty, and removed afterwards: an agent reads settings, hooks and instructions from the folder that it is started in.
    let scratch = &runtime.scratch;
    let dir = tempfile::Builder::new().prefix("guardhost-ask-").tempdir_in(scratch).map_err(|error| {
        ProviderFailure::new(
            FailureClass::Config,
            format!("cannot make a scratch folder in {}: {error}", scratch.display()),
        )
    })?;
    let names =
        dialect.settings.iter().copied().chain(provider.env.iter().map(String::as_str)).chain(provider.key_names());
    let fixed = dialect.fixed.iter().map(|(name, value)| (OsStr::new(*name), OsStr::new(*value)));
    let invocation = Invocation {
        program: &path,
        args: &(dialect.args)(provider.model.as_deref(), extra_args),
        env: &runtime.environment.allowed_variables(names).chain(fixed).collect::<Vec<_>>(),
        dir: dir.path(),
        stdin: &(dialect.encode)(prompt),
        limits: &provider.limits,
    };
    let on_line = |stream, line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        match stream {
            Stream::Out => (dialect.progress)(&line).iter().for_each(|text| on_progress(text)),
            Stream::Err => on_progress(&line),
        }
    };
    let output = process::run(&invocation, &runtime.cancel, &on_line).await?;
    (dialect.parse)(&output, prompt).map_err(|failure| match failure.class {
        FailureClass::Auth => failure.hint(dialect.sign_in),
        _ => failure,
    })
}
