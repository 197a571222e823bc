//! Asks the providers of a chain, one after another, until one answers.

use guardhost_core::change::{Event, Feedback, Observer, Reply, Task, Tree};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};

use super::attempt::ProviderAttempt;
use super::prompt::Prompt;
use super::runtime::ProviderRuntime;
use super::schedule::{Schedule, Try};
use super::{Chain, FailureClass, ProviderFailure, ReplyForm, prompt};

/// One question: what is wanted, and of which tree.
pub struct Ask<'a> {
    pub task: &'a Task,
    /// Of the previous round; empty in the first.
    pub feedback: &'a Feedback,
    /// The tree that the patch will be applied to; the prompt shows its files. None: there are no files.
    pub tree: Option<&'a Tree>,
    /// From 1.
    pub round: u32,
}

/// A question that asks for no patch.
pub struct TextAsk<'a> {
    /// The whole question.
    pub text: &'a str,
    /// Its name and version, for records: `plan/1`.
    pub version: &'static str,
    /// From 1.
    pub round: u32,
}

/// What a provider is asked.
enum ProviderQuestion<'a> {
    Patch(&'a Ask<'a>),
    Text(&'a TextAsk<'a>),
}

impl ProviderQuestion<'_> {
    fn round(&self) -> u32 {
        match self {
            ProviderQuestion::Patch(ask) => ask.round,
            ProviderQuestion::Text(ask) => ask.round,
        }
    }

    fn prompt(&self, form: ReplyForm, max_tokens: usize) -> Result<Result<Prompt, ProviderFailure>> {
        match self {
            ProviderQuestion::Patch(ask) => prompt::prompt(ask, form, max_tokens),
            ProviderQuestion::Text(ask) => Ok(prompt::whole_text(ask.text, ask.version, max_tokens)),
        }
    }
}

/// [`provide_async`] for callers that do not run in an async runtime.
///
/// It also works on a thread that drives an async runtime, but blocks that thread until there is a result.
///
/// # Errors
/// Those of [`provide_async`]; [`FaultKind::Provider`] when the thread or the runtime for the question cannot be started.
pub fn provide(ask: &Ask, chain: &mut Chain, runtime: &ProviderRuntime, observer: &dyn Observer) -> Result<Reply> {
    wait_for(&ProviderQuestion::Patch(ask), chain, runtime, observer)
}

/// As [`provide`], for a question that asks for no patch.
///
/// # Errors
/// Those of [`provide`].
pub fn provide_text(
    ask: &TextAsk,
    chain: &mut Chain,
    runtime: &ProviderRuntime,
    observer: &dyn Observer,
) -> Result<Reply> {
    wait_for(&ProviderQuestion::Text(ask), chain, runtime, observer)
}

fn wait_for(
    question: &ProviderQuestion,
    chain: &mut Chain,
    runtime: &ProviderRuntime,
    observer: &dyn Observer,
) -> Result<Reply> {
    let cannot_start = || Fault::new(FaultKind::Provider, "cannot start the runtime that talks to providers");
    // tokio panics when a runtime is started on a thread that drives another one, so this one gets a thread of its own. Both are
    // made here and not earlier: a command that asks no provider does not pay for them.
    std::thread::scope(|scope| {
        let asking = std::thread::Builder::new().name("provide".to_owned()).spawn_scoped(scope, || {
            let executor = guardhost_http::runtime();
            executor.with_context(cannot_start)?.block_on(answer(question, chain, runtime, observer))
        });
        asking.with_context(cannot_start)?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Asks the providers of the chain in order. The first that answers wins, and is asked first from then on.
///
/// The reply is not empty, and complete as far as its provider says; whether it holds a patch is for `extract` to find out. The
/// provider's secrets are redacted in the reply, in messages and in events.
///
/// Needs a tokio runtime with its I/O and time drivers. A future that is dropped kills the agent's process group, or closes the
/// connection, and leaves the order of the chain as it is; what the unfinished answer cost is not counted.
///
/// # Errors
/// When no provider answered: [`FaultKind::Provider`] ([`FaultKind::Usage`] when the prompt was too long for all of them, or
/// [`FaultKind::Interrupted`]) with a hint, and the last [`ProviderFailure`] as its cause: `error.downcast_ref::<ProviderFailure>()`. A plain
/// interruption has none, since it would say nothing more.
pub async fn provide_async(
    ask: &Ask<'_>,
    chain: &mut Chain,
    runtime: &ProviderRuntime,
    observer: &dyn Observer,
) -> Result<Reply> {
    answer(&ProviderQuestion::Patch(ask), chain, runtime, observer).await
}

async fn answer(
    question: &ProviderQuestion<'_>,
    chain: &mut Chain,
    runtime: &ProviderRuntime,
    observer: &dyn Observer,
) -> Result<Reply> {
    let (round, step) = (question.round(), runtime.step.as_deref());
    let mut failures: Vec<(String, ProviderFailure)> = Vec::new();
    let mut schedule = Schedule::new(chain);
    let mut next = schedule.first();
    while let Some(Try { index, delay }) = next {
        let provider = chain.provider(index);
        let answer = match question.prompt(chain.form(index), provider.limits.prompt)? {
            Ok(prompt) => {
                let budget = &chain.budget;
                let attempt = ProviderAttempt { provider, budget, prompt: &prompt, round, runtime, observer };
                attempt.run(delay).await
            }
            Err(too_long) => Err(too_long),
        };
        let failure = match answer {
            Ok(reply) => {
                chain.set_current(index);
                if let Some(warning) = chain.budget.record(&reply.usage).filter(|_| !reply.recorded) {
                    observer.see(&Event::Notice { text: format!("{} {warning}", reply.provider) });
                }
                runtime.recorder.iter().try_for_each(|recorder| recorder.record_reply(round, step, &reply))?;
                return Ok(reply);
            }
            Err(failure) => failure,
        };
        chain.budget.record(&failure.usage);
        let name = chain.provider(index).name.clone();
        runtime.recorder.iter().try_for_each(|recorder| recorder.record_failure(round, step, &name, &failure))?;
        if failure.class == FailureClass::QuotaExhausted {
            chain.disable(index);
        }
        next = schedule.after(index, &failure);
        observer.see(&Event::ProviderFailed {
            provider: name.clone(),
            class: failure.class.name(),
            message: failure.message.clone(),
            next: next.map(|next| chain.provider(next.index).name.clone()),
        });
        failures.push((name, failure));
    }
    Err(no_answer(failures))
}

/// Whether no provider was asked any more because the run has used up its budget.
pub fn is_over_budget(error: &Error) -> bool {
    error.downcast_ref::<ProviderFailure>().is_some_and(|failure| failure.class == FailureClass::OverBudget)
}

/// The error of a chain in which no provider answered.
fn no_answer(mut failures: Vec<(String, ProviderFailure)>) -> Error {
    let names: Vec<_> = failures.iter().map(|(name, failure)| format!("{name} ({})", failure.class.name())).collect();
    let Some((asked, last)) = failures.pop() else {
        return Fault::new(FaultKind::Provider, "no provider is left in the chain")
            .hint("name one with --provider")
            .into();
    };
    let kind = match last.class {
        FailureClass::Interrupted => FaultKind::Interrupted,
        FailureClass::ContextTooLong
            if failures.iter().all(|(_, failure)| failure.class == FailureClass::ContextTooLong) =>
        {
            FaultKind::Usage
        }
        _ => FaultKind::Provider,
    };
    let what = match last.class {
        FailureClass::Interrupted => format!("interrupted while {asked} was asked"),
        _ => format!("no answer from {}", names.join(", then ")),
    };
    let mut fault = Fault::new(kind, what);
    fault.hint = last.hint.clone().or_else(|| last.class.hint().map(str::to_owned));
    if last.is_plain_interruption() {
        return fault.into();
    }
    Error::new(last).context(fault)
}
