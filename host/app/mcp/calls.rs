//! How a call comes from the protocol's thread to the session's and back: at once, as a task that the client polls, or after a person decided.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, mpsc};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CreateTaskResult, ErrorData, ProgressNotificationParam,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskExit, TaskManager, TaskOptions};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OnceCell, oneshot};

use super::decision::{Decisions, QuestionState, RuleDecision};
use super::progress::ProgressStep;
use super::roots::roots;
use super::tool_result::failed;
use super::tools::write_result;
use crate::session::{Session, WriteAnswer};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_core::stop::StopToken;
use guardhost_provider::Cancel;

/// Work for the thread that owns the session.
pub(super) struct ToolCallWork {
    /// The client's folders, if the session is not open.
    pub roots: Vec<PathBuf>,
    /// None if the client did not ask for progress.
    pub progress: Option<UnboundedSender<ProgressStep>>,
    pub work: Work,
}

/// Gets the session, or why there is none.
pub(super) type Work = Box<dyn FnOnce(Result<&mut Session<'_>, &Error>) + Send>;

pub(super) struct Tools {
    calls: mpsc::Sender<ToolCallWork>,
    /// The server was started outside of every repository.
    asks_roots: bool,
    pub reaches_forge: bool,
    roots: OnceCell<Vec<PathBuf>>,
    pub tasks: TaskManager,
    /// Ends all calls.
    stop: StopToken,
    decisions: Decisions,
}

/// A call that the session's thread has, or one that never comes there.
enum BegunCall {
    Answered(CallToolResult),
    Waiting(oneshot::Receiver<CallToolResult>, Option<UnboundedReceiver<ProgressStep>>),
}

/// Where a task stands.
const WAITS: u8 = 0;
const BEGUN: u8 = 1;
const CANCELLED: u8 = 2;

/// Milliseconds between two looks at a task, which takes minutes.
const POLL: u64 = 2_000;

impl Tools {
    /// `stop` ends all calls.
    pub fn new(calls: mpsc::Sender<ToolCallWork>, asks_roots: bool, reaches_forge: bool, stop: StopToken) -> Self {
        let (roots, tasks, decisions) = (OnceCell::new(), TaskManager::new(), Decisions::default());
        Tools { calls, asks_roots, reaches_forge, roots, tasks, stop, decisions }
    }

    /// Sends the call to the session's thread and waits for the result.
    pub async fn run<A: DeserializeOwned + Send + 'static>(
        &self,
        request: CallToolRequestParams,
        client: RequestContext<RoleServer>,
        work: impl FnOnce(&mut Session<'_>, A) -> Result<CallToolResult> + Send + 'static,
    ) -> Result<CallToolResponse, ErrorData> {
        let token = client.meta.get_progress_token();
        let (answered, steps) = match self.begin(request, &client, token.is_some(), work).await? {
            BegunCall::Answered(result) => return Ok(result.into()),
            BegunCall::Waiting(answered, steps) => (answered, steps),
        };
        if let (Some(token), Some(mut steps)) = (token, steps) {
            // Ends when the call does, which drops the sender.
            while let Some(ProgressStep { done, total, message }) = steps.recv().await {
                let step = ProgressNotificationParam::new(token.clone(), done.into());
                // A client that cannot be told still gets the answer.
                let _ = client.peer.notify_progress(step.with_total(total.into()).with_message(message)).await;
            }
        }
        Ok(answered.await.map_err(|_| ended())?.into())
    }

    /// The same for what takes minutes: a client that knows tasks gets one at once, and polls it. A task that is cancelled before its turn comes
    /// is not begun; one that has begun is ended, with the agents that it started.
    pub async fn run_long<A: DeserializeOwned + Send + 'static>(
        &self,
        request: CallToolRequestParams,
        client: RequestContext<RoleServer>,
        work: impl FnOnce(&mut Session<'_>, A, Cancel) -> Result<CallToolResult> + Send + 'static,
    ) -> Result<CallToolResponse, ErrorData> {
        let cancel = Cancel::with(self.stop.part());
        let of_work = cancel.clone();
        let work = move |session: &mut Session<'_>, arguments| work(session, arguments, of_work);
        if !client.client_capabilities().is_some_and(|client| client.supports_tasks()) {
            return self.run(request, client, work).await;
        }
        let state = Arc::new(AtomicU8::new(WAITS));
        let turn = Arc::clone(&state);
        let unless_cancelled = move |session: &mut Session<'_>, arguments| match step(&turn, BEGUN) {
            true => work(session, arguments),
            false => Err(Fault::new(FaultKind::Interrupted, "the task was cancelled before it began").into()),
        };
        let (answered, steps) = match self.begin(request, &client, true, unless_cancelled).await? {
            BegunCall::Answered(result) => return Ok(result.into()),
            BegunCall::Waiting(answered, steps) => (answered, steps),
        };
        let options = TaskOptions::new().with_ttl_ms(None).with_poll_interval_ms(POLL);
        let task = self.tasks.spawn(options, |task| {
            Box::pin(async move {
                let done = async {
                    if let Some(mut steps) = steps {
                        while let Some(step) = steps.recv().await {
                            task.set_status_message(step.message);
                        }
                    }
                    answered.await
                };
                tokio::pin!(done);
                tokio::select! {
                    result = &mut done => return result.map_err(|_| ended().into()),
                    () = task.cancelled() => {}
                }
                // The session's thread is free again when what has begun has ended, and no sooner is the task said to be cancelled.
                if !step(&state, CANCELLED) {
                    cancel.cancel();
                    let _ = done.await;
                }
                Err(TaskExit::Cancelled)
            })
        });
        Ok(CreateTaskResult::new(task).into())
    }

    /// Runs a call that writes. If only a person may decide, and the client can show a question, that person decides.
    pub async fn write<A: DeserializeOwned + Send + 'static>(
        &self,
        request: CallToolRequestParams,
        client: RequestContext<RoleServer>,
        work: impl Fn(&mut Session<'_>, A) -> Result<WriteAnswer> + Clone + Send + 'static,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut decision = self.decisions.find(&request);
        loop {
            let (tell, mut noted) = oneshot::channel();
            let work = work.clone();
            let made = self.run(request.clone(), client.clone(), move |session, arguments| {
                let mut answer = session.decided(decision.rule_changes(), |session| work(session, arguments))?;
                if let Some(diff) = answer.rule_change.take() {
                    decision.explain(&mut answer);
                    // Whoever waits for it is gone with the client.
                    let _ = tell.send(diff);
                }
                write_result(answer)
            });
            let made = made.await?;
            let diff = match (decision, noted.try_recv()) {
                (RuleDecision::Open, Ok(diff)) => diff,
                _ => return Ok(made),
            };
            decision = match self.decisions.ask(&request, &client, &diff).await {
                QuestionState::Now(decision) => decision,
                QuestionState::Later(question) => return Ok(question.into()),
                QuestionState::Nobody => return Ok(made),
            };
        }
    }

    async fn begin<A: DeserializeOwned + Send + 'static>(
        &self,
        request: CallToolRequestParams,
        client: &RequestContext<RoleServer>,
        tells_steps: bool,
        work: impl FnOnce(&mut Session<'_>, A) -> Result<CallToolResult> + Send + 'static,
    ) -> Result<BegunCall, ErrorData> {
        let arguments = serde_json::from_value(Value::Object(request.arguments.unwrap_or_default()));
        let arguments: A = match arguments
            .with_context(|| Fault::new(FaultKind::Usage, "the arguments do not fit the tool's schema"))
        {
            Ok(arguments) => arguments,
            Err(error) => return Ok(BegunCall::Answered(failed(&error))),
        };
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |session| {
            let result = match session {
                Ok(session) => work(session, arguments).unwrap_or_else(|error| failed(&error)),
                Err(error) => failed(error),
            };
            // The client may have left meanwhile: then no receiver is left, and the work is done all the same.
            let _ = answer.send(result);
        });
        let roots = match self.asks_roots {
            true => self.roots.get_or_init(|| roots(&client.peer)).await.clone(),
            false => Vec::new(),
        };
        let (progress, steps) = tells_steps.then(unbounded_channel).unzip();
        self.calls.send(ToolCallWork { roots, progress, work }).map_err(|_| ended())?;
        Ok(BegunCall::Waiting(answered, steps))
    }
}

/// From waiting to `next`; false where the task has left that state already.
fn step(state: &AtomicU8, next: u8) -> bool {
    state.compare_exchange(WAITS, next, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

fn ended() -> ErrorData {
    ErrorData::internal_error("the session has ended", None)
}
