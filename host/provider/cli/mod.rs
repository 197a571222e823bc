//! Command-line agents: one process for each question, the prompt on its stdin, the answer on its stdout.

mod claude;
mod codex;
mod command;
mod gemini;
mod heard;
mod json;
mod process;

use std::ffi::OsStr;

pub(super) use claude::CLAUDE;
pub(super) use codex::CODEX;
pub(super) use command::COMMAND;
pub(super) use gemini::GEMINI;
use heard::Heard;
use process::{Order, Stream};

use super::answer::Answer;
use super::{FailureClass, Limits, Provider, ProviderFailure, ProviderRuntime};

/// What one agent's command line and output look like.
#[derive(Debug)]
pub struct Dialect {
    /// Also the name of its program.
    pub(super) name: &'static str,
    /// Variables that hold its keys.
    pub(super) keys: &'static [&'static str],
    /// Other variables that it reads.
    settings: &'static [&'static str],
    /// Variables that are set for it, whatever the caller has.
    fixed: &'static [(&'static str, &'static str)],
    pub(super) limits: Limits,
    /// What a person does who is not signed in.
    sign_in: &'static str,
    /// The arguments, from the model and what the user adds.
    args: fn(Option<&str>, &[String]) -> Vec<String>,
    /// The prompt as this agent reads it.
    write: fn(&[u8]) -> Vec<u8>,
    /// The answer, if there is evidence of one. Gets the prompt as it was before `write`.
    read: fn(&Heard, &[u8]) -> Result<Answer, ProviderFailure>,
    /// What a line of stdout says of the work in hand.
    progress: fn(&str) -> Option<String>,
}

/// One question to one agent.
pub(super) struct Question<'a> {
    pub(super) provider: &'a Provider,
    pub(super) dialect: &'a Dialect,
    pub(super) program: &'a str,
    /// More arguments, beside those of the dialect.
    pub(super) args: &'a [String],
    pub(super) prompt: &'a [u8],
}

/// `live` is told what the agent is doing, as it says it: unbounded and unclean.
pub(super) async fn ask(
    question: &Question<'_>,
    around: &ProviderRuntime,
    live: &(dyn Fn(&str) + Sync),
) -> Result<Answer, ProviderFailure> {
    let Question { provider, dialect, program, args, prompt } = *question;
    let Some(path) = around.environment.find(program) else {
        return Err(ProviderFailure::new(FailureClass::Config, format!("there is no program `{program}` on the PATH"))
            .hint(
                "install it, or choose another provider with --provider (claude, codex, gemini, command:…, replay:…)",
            ));
    };
    // Empty and thrown away afterwards: an agent reads settings, hooks and instructions from the folder that it is started in.
    let scratch = &around.scratch;
    let dir = tempfile::Builder::new().prefix("guardhost-ask-").tempdir_in(scratch).map_err(|error| {
        ProviderFailure::new(
            FailureClass::Config,
            format!("cannot make a scratch folder in {}: {error}", scratch.display()),
        )
    })?;
    let names =
        dialect.settings.iter().copied().chain(provider.env.iter().map(String::as_str)).chain(provider.key_names());
    let fixed = dialect.fixed.iter().map(|(name, value)| (OsStr::new(*name), OsStr::new(*value)));
    let order = Order {
        program: &path,
        args: &(dialect.args)(provider.model.as_deref(), args),
        env: &around.environment.allowed(names).chain(fixed).collect::<Vec<_>>(),
        dir: dir.path(),
        stdin: &(dialect.write)(prompt),
        limits: &provider.limits,
    };
    let heard = process::run(&order, &around.cancel, &|stream, line| {
        let line = String::from_utf8_lossy(line);
        match stream {
            Stream::Out => (dialect.progress)(&line).iter().for_each(|text| live(text)),
            Stream::Err => live(&line),
        }
    })
    .await?;
    (dialect.read)(&heard, prompt).map_err(|failure| match failure.class {
        FailureClass::Auth => failure.hint(dialect.sign_in),
        _ => failure,
    })
}
