//! Ask a command-line agent, a server or a recording for a change; fall back along a chain.
//!
//! `prompt` writes the question, `provider`, `preset` and `settings` say whom it can go to, `chain` in which order, `budget` how often.
//! `cli`, `http` and `recording` are the speakers; `failure` and `signs` say what a failure means. Success is evidence in the answer's
//! structure: never the exit code alone, never a phrase.

mod answer;
mod budget;
mod cancel;
mod chain;
mod cli;
mod environment;
mod failure;
mod http;
mod live;
mod preset;
mod prompt;
mod provider;
mod recording;
mod settings;
mod signs;
mod turns;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use answer::Answer;
pub use cancel::Cancel;
pub use chain::{Chain, NextAttempt, ReplyForm};
pub use environment::Environment;
pub use failure::{FailureClass, Next, ProviderFailure};
use live::Live;
use prompt::Prompt;
pub use prompt::tokens;
pub use provider::{Limits, Provider, Transport};
pub use recording::Recorder;
pub use settings::{ChainHint, ChosenChain, Settings};
use turns::{Turn, Turns};

use guardhost_core::change::{Event, Feedback, Observer, Reply, Task, Tree};
use guardhost_core::error::{Context, Error, Fault, Kind, Result};

/// One question: what is wanted, and of which tree.
pub struct Ask<'a> {
    pub task: &'a Task,
    /// Of the last round; empty in the first.
    pub feedback: &'a Feedback,
    /// What the patch will be placed on: its files are shown. None: there are no files.
    pub tree: Option<&'a Tree>,
    /// From 1.
    pub round: u32,
}

/// What the library does not look up by itself.
pub struct ProviderRuntime {
    pub environment: Environment,
    /// A folder for scratch folders, such as `/tmp`.
    pub scratch: PathBuf,
    pub cancel: Cancel,
    /// Keeps every reply.
    pub recorder: Option<Recorder>,
}

/// Asks the providers of the chain in order; the first that answers wins, and is asked first from then on.
///
/// The reply is not empty and complete as far as its provider tells; whether there is a patch in it is for `extract` to see. Secrets of the
/// provider are blotted out of it, of messages and of events.
///
/// # Errors
/// When nobody answered, [`Kind::Provider`] ([`Kind::Usage`] when the prompt was too long for everybody, or
/// [`Kind::Interrupted`]) with a hint, and the last [`ProviderFailure`] as its cause: `error.downcast_ref::<ProviderFailure>()`.
///
/// # Panics
/// Within a tokio runtime: it starts its own. Call it from a blocking thread there.
pub fn provide(ask: &Ask, chain: &mut Chain, around: &ProviderRuntime, observer: &dyn Observer) -> Result<Reply> {
    // Only here, so that commands which ask nobody do not pay for it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.with_context(|| Fault::new(Kind::Provider, "cannot start the runtime that talks to providers"))?;

    let mut failures: Vec<(String, ProviderFailure)> = Vec::new();
    let mut turns = Turns::new(chain);
    let mut turn = turns.first();
    while let Some(Turn { index, pause }) = turn {
        let asked = match prompt::prompt(ask, chain.form(index), chain.step(index).limits.prompt)? {
            Ok(prompt) => runtime.block_on(async {
                rest(pause, chain, index, around, observer).await?;
                ask_one(chain, index, ask.round, &prompt, around, observer).await
            }),
            Err(too_long) => Err(too_long),
        };
        let failure = match asked {
            Ok(reply) => {
                chain.answered(index);
                if let Some(blind) = chain.purse.pay(&reply.usage).filter(|_| !reply.recorded) {
                    observer.see(&Event::Notice { text: format!("{} does not tell {blind}", reply.provider) });
                }
                around.recorder.iter().try_for_each(|recorder| recorder.keep(ask.round, &reply))?;
                return Ok(reply);
            }
            Err(failure) => failure,
        };
        chain.purse.pay(&failure.usage);
        let name = chain.step(index).name.clone();
        around.recorder.iter().try_for_each(|recorder| recorder.keep_failure(ask.round, &name, &failure))?;
        if failure.class == FailureClass::QuotaExhausted {
            chain.strike_out(index);
        }
        turn = turns.after(index, &failure);
        observer.see(&Event::ProviderFailed {
            provider: name.clone(),
            class: failure.class.name(),
            message: failure.message.clone(),
            next: turn.map(|turn| chain.step(turn.index).name.clone()),
        });
        failures.push((name, failure));
    }
    Err(nobody(failures))
}

/// Waits until a service may be asked again.
async fn rest(
    pause: Duration,
    chain: &Chain,
    index: usize,
    around: &ProviderRuntime,
    observer: &dyn Observer,
) -> Result<(), ProviderFailure> {
    if pause.is_zero() {
        return Ok(());
    }
    let pause = chain.purse.time_left().map_or(pause, |left| left.min(pause));
    let name = &chain.step(index).name;
    observer.see(&Event::Notice { text: format!("waiting {:.1} s before {name} is asked again", pause.as_secs_f64()) });
    tokio::select! {
        () = around.cancel.cancelled() => Err(ProviderFailure::new(FailureClass::Interrupted, "interrupted")),
        () = tokio::time::sleep(pause) => Ok(()),
    }
}

/// How much of a provider's words an event or a message holds, in characters.
const WORDS: usize = 600;

async fn ask_one(
    chain: &Chain,
    index: usize,
    round: u32,
    prompt: &Prompt,
    around: &ProviderRuntime,
    observer: &dyn Observer,
) -> Result<Reply, ProviderFailure> {
    if around.cancel.is_cancelled() {
        return Err(ProviderFailure::new(FailureClass::Interrupted, "interrupted"));
    }
    if let Some(over) = chain.purse.empty() {
        return Err(over);
    }
    let mut provider = chain.step(index).clone();
    if let Some(left) = chain.purse.time_left() {
        provider.limits.wall = provider.limits.wall.min(left);
    }
    let recorded = provider.is_recording();
    observer.see(&Event::Asking {
        provider: provider.name.clone(),
        recorded,
        prompt: prompt.version,
        prompt_bytes: prompt.bytes.len() as u64,
    });
    let started = Instant::now();
    let secrets = around.environment.secrets(provider.key_names());
    let spoken = speak(&provider, round, &prompt.bytes, around, &Live::new(&secrets, observer)).await;
    let answer = spoken.map_err(|failure| {
        // Ended because the run is over: that is what to tell.
        let over = chain.purse.empty().filter(|_| failure.class == FailureClass::Timeout);
        over.unwrap_or_else(|| ProviderFailure { message: secrets.line(&failure.message, WORDS), ..failure })
    })?;
    let reply = Reply {
        bytes: secrets.blot(&answer.bytes).into_owned(),
        provider: answer.provider.unwrap_or_else(|| provider.name.clone()),
        model: answer.model.or_else(|| provider.model.clone()),
        usage: answer.usage,
        prompt: prompt.version,
        asked: prompt.bytes.clone(),
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
    around: &ProviderRuntime,
    live: &Live<'_>,
) -> Result<Answer, ProviderFailure> {
    match &provider.speaker {
        Transport::Cli { dialect, program, args } => {
            let question = cli::Question { provider, dialect, program, args, prompt };
            cli::ask(&question, around, &|text| live.tell(text)).await
        }
        Transport::Http(server) => http::ask(provider, server, prompt, around, &|text| live.tell(text)).await,
        Transport::Replay(file) => recording::replay(file, round, live.observer()),
    }
}

/// Nobody was asked any more because the run has used up its budget.
pub fn is_over_budget(error: &Error) -> bool {
    error.downcast_ref::<ProviderFailure>().is_some_and(|failure| failure.class == FailureClass::OverBudget)
}

/// The error of a chain in which nobody answered.
fn nobody(mut failures: Vec<(String, ProviderFailure)>) -> Error {
    let names: Vec<_> = failures.iter().map(|(name, failure)| format!("{name} ({})", failure.class.name())).collect();
    let Some((_, last)) = failures.pop() else {
        return Fault::new(Kind::Provider, "there is nobody to ask: no provider is left in the chain")
            .hint("name one with --provider")
            .into();
    };
    let kind = match last.class {
        FailureClass::Interrupted => Kind::Interrupted,
        FailureClass::ContextTooLong
            if failures.iter().all(|(_, failure)| failure.class == FailureClass::ContextTooLong) =>
        {
            Kind::Usage
        }
        _ => Kind::Provider,
    };
    let mut fault = Fault::new(kind, format!("no answer from {}", names.join(", then ")));
    fault.hint = last.hint.clone().or_else(|| last.class.hint().map(str::to_owned));
    Error::new(last).context(fault)
}
