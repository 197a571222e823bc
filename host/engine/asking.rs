//! Many questions to the network at once, all within one time: what is not answered by then is not known.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use guardhost_core::stop::StopToken;

/// How long requests may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// One question, with all requests that it takes.
    pub each: Duration,
    /// All questions of one call together.
    pub all: Duration,
}

impl Default for Timeouts {
    /// A slow page takes 3 seconds. A change with sixty links to dead hosts is finished after 20.
    fn default() -> Self {
        Timeouts { each: Duration::from_secs(8), all: Duration::from_secs(20) }
    }
}

/// How often a request to stop is looked for.
const POLL: Duration = Duration::from_millis(50);

/// Questions at the same time.
const CONCURRENT: usize = 8;

/// The questions with their answers, in the order in which those came. A question for which there was no time has none. `unknown` makes the
/// answer that there is none, of the reason. Blocks, at most for [`Timeouts::all`], or until it is to stop.
pub fn ask_all<Q, A, F>(
    questions: Vec<Q>,
    timeouts: Timeouts,
    stop: &StopToken,
    ask: impl Fn(Q) -> F + Send,
    unknown: fn(String) -> A,
) -> Vec<(Q, A)>
where
    Q: Clone + Send + 'static,
    A: Clone + Send + 'static,
    F: Future<Output = A> + Send + 'static,
{
    // On another thread, because the caller may run inside an async runtime, where blocking is not allowed.
    let answers = thread::scope(|scope| {
        let asking = thread::Builder::new().spawn_scoped(scope, || wait(questions, timeouts, stop, ask, unknown));
        // Without a thread nothing is known of them.
        asking.map_or_else(|_| Ok(Vec::new()), |asking| asking.join())
    });
    answers.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn wait<Q, A, F>(
    questions: Vec<Q>,
    timeouts: Timeouts,
    stop: &StopToken,
    ask: impl Fn(Q) -> F,
    unknown: fn(String) -> A,
) -> Vec<(Q, A)>
where
    Q: Clone + Send + 'static,
    A: Clone + Send + 'static,
    F: Future<Output = A> + Send + 'static,
{
    let runtime = match guardhost_http::runtime() {
        Ok(runtime) => runtime,
        Err(error) => {
            let answer = unknown(format!("the network could not be used: {error}"));
            return questions.into_iter().map(|question| (question, answer.clone())).collect();
        }
    };
    let answers = runtime.block_on(async {
        let end = Instant::now() + timeouts.all;
        let permits = Arc::new(Semaphore::new(CONCURRENT));
        let mut asked = JoinSet::new();
        for question in questions {
            let (answer, permits) = (ask(question.clone()), permits.clone());
            asked.spawn(async move {
                // The semaphore is never closed, so this cannot fail.
                let _permit = permits.acquire().await;
                let answer = timeout(timeouts.each, answer)
                    .await
                    .unwrap_or_else(|_| unknown(format!("no answer within {} seconds", timeouts.each.as_secs_f32())));
                (question, answer)
            });
        }
        let mut answers = Vec::new();
        loop {
            match timeout_at(end.min(Instant::now() + POLL), asked.join_next()).await {
                Ok(Some(Ok(answer))) => answers.push(answer),
                Ok(None | Some(Err(_))) => break,
                Err(_) if Instant::now() >= end || stop.check().is_err() => break,
                Err(_) => {}
            }
        }
        answers
    });
    // Does not wait for a lookup that still hangs in the system's resolver.
    runtime.shutdown_background();
    answers
}

/// The innermost cause: the outer ones only say that a request failed.
pub fn reason(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
