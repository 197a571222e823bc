//! Ask a command-line agent or a recording for a change; fall back along a chain.
//!
//! `prompt` writes the question, `provider` says whom it can go to, `cli` and `recording` are the speakers, `failure` and `signs` say
//! what a failure means. Success is evidence in the answer's structure: never the exit code alone, never a phrase.

mod cancel;
mod cli;
mod environment;
mod failure;
mod live;
mod prompt;
mod provider;
mod recording;
mod signs;

use std::path::PathBuf;
use std::time::Instant;

pub use cancel::Cancel;
use cli::Answer;
pub use environment::Environment;
pub use failure::{Class, Failure, Next};
use live::Live;
pub use provider::{Chain, Limits, Provider, Speaker};
pub use recording::Recorder;

use crate::change::{Event, Feedback, Observer, Reply, Task, Tree};
use crate::error::{Context, Error, Fault, Kind, Result};

/// One question: what is wanted, and of which tree.
pub struct Ask<'a> {
    pub task: &'a Task,
    /// Of the last round; empty in the first.
    pub feedback: &'a Feedback,
    /// What the patch will be placed on: its files are shown.
    pub tree: &'a Tree,
    /// From 1.
    pub round: u32,
    /// The most bytes that the prompt may have.
    pub budget: usize,
}

impl Ask<'_> {
    /// About 130,000 tokens of English and code.
    pub const BUDGET: usize = 512 << 10;
}

/// What the library does not look up by itself.
pub struct Surroundings {
    pub environment: Environment,
    /// A folder for scratch folders, such as `/tmp`.
    pub scratch: PathBuf,
    pub cancel: Cancel,
    /// Keeps every reply.
    pub recorder: Option<Recorder>,
}

/// Asks the providers of the chain in order; the first that answers wins.
///
/// The reply is not empty and complete as far as its provider tells; whether there is a patch in it is for `extract` to see. Secrets of the
/// provider are blotted out of it, of messages and of events.
///
/// # Errors
/// [`Kind::Usage`] when the hinted files do not fit the budget. When nobody answered, [`Kind::Provider`] (or
/// [`Kind::Interrupted`]) with a hint, and the last [`Failure`] as its cause: `error.downcast_ref::<Failure>()`.
///
/// # Panics
/// Within a tokio runtime: it starts its own. Call it from a blocking thread there.
pub fn provide(ask: &Ask, chain: &mut Chain, around: &Surroundings, observer: &dyn Observer) -> Result<Reply> {
    let prompt = prompt::prompt(ask)?;
    // Only here, so that commands which ask nobody do not pay for it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.with_context(|| Fault::new(Kind::Provider, "cannot start the runtime that talks to providers"))?;

    let mut failures: Vec<(String, Failure)> = Vec::new();
    let mut asked_again = None;
    let mut turn = chain.next_from(0);
    while let Some(index) = turn {
        let provider = chain.step(index);
        let failure = match runtime.block_on(ask_one(provider, ask.round, &prompt, around, observer)) {
            Ok(reply) => {
                around.recorder.iter().try_for_each(|recorder| recorder.keep(ask.round, &reply))?;
                return Ok(reply);
            }
            Err(failure) => failure,
        };
        let name = provider.name.clone();
        if failure.class == Class::QuotaExhausted {
            chain.spend(index);
        }
        turn = match failure.class.next() {
            Next::Again if asked_again != Some(index) => {
                asked_again = Some(index);
                Some(index)
            }
            Next::Again | Next::Other => chain.next_from(index + 1),
            Next::Stop => None,
        };
        observer.see(&Event::ProviderFailed {
            provider: name.clone(),
            class: failure.class.name(),
            message: failure.message.clone(),
            next: turn.map(|index| chain.step(index).name.clone()),
        });
        failures.push((name, failure));
    }
    Err(nobody(failures))
}

/// How much of a provider's words an event or a message holds, in characters.
const WORDS: usize = 600;

async fn ask_one(
    provider: &Provider,
    round: u32,
    prompt: &[u8],
    around: &Surroundings,
    observer: &dyn Observer,
) -> Result<Reply, Failure> {
    let recorded = provider.is_recording();
    observer.see(&Event::Asking { provider: provider.name.clone(), recorded, prompt_bytes: prompt.len() as u64 });
    let started = Instant::now();
    let secrets = around.environment.secrets(provider.key_names());
    let answer = speak(provider, round, prompt, around, &Live::new(&secrets, observer)).await.map_err(|failure| {
        let message = secrets.line(&failure.message, WORDS);
        Failure { message, ..failure }
    })?;
    let reply = Reply {
        bytes: secrets.blot(&answer.bytes).into_owned(),
        provider: provider.name.clone(),
        model: answer.model.or_else(|| provider.model.clone()),
        usage: answer.usage,
        recorded,
    };
    observer.see(&Event::Replied {
        provider: reply.provider.clone(),
        model: reply.model.clone(),
        bytes: reply.bytes.len() as u64,
        micros: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        usage: reply.usage,
        recorded,
    });
    Ok(reply)
}

/// Each kind of provider has its own way of speaking.
async fn speak(
    provider: &Provider,
    round: u32,
    prompt: &[u8],
    around: &Surroundings,
    live: &Live<'_>,
) -> Result<Answer, Failure> {
    match &provider.speaker {
        Speaker::Cli { dialect, program, args } => {
            let question = cli::Question { provider, dialect, program, args, prompt };
            cli::ask(&question, around, &|text| live.tell(text)).await
        }
        Speaker::Replay(file) => recording::replay(file, round),
    }
}

/// The error of a chain in which nobody answered.
fn nobody(mut failures: Vec<(String, Failure)>) -> Error {
    let names: Vec<_> = failures.iter().map(|(name, failure)| format!("{name} ({})", failure.class.name())).collect();
    let Some((_, last)) = failures.pop() else {
        return Fault::new(Kind::Provider, "there is nobody to ask: no provider is left in the chain")
            .hint("name one with --provider")
            .into();
    };
    let kind = if last.class == Class::Interrupted { Kind::Interrupted } else { Kind::Provider };
    let mut fault = Fault::new(kind, format!("no answer from {}", names.join(", then ")));
    fault.hint = last.hint.clone().or_else(|| last.class.hint().map(str::to_owned));
    Error::new(last).context(fault)
}
