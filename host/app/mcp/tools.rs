//! The nine tools, and one for pull requests where whoever started the server allows it.

use std::path::PathBuf;
use std::sync::{Arc, mpsc};

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::schemars::JsonSchema;
use rmcp::service::{RequestContext, RoleServer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{OnceCell, oneshot};

use super::arguments::{
    AuditArguments, Check, FixIssues, LogArguments, PlanArguments, PullAction, PullArguments, ReadFile,
    ReviewArguments, SafePatch, WriteFile,
};
use super::progress::ProgressStep;
use super::roots::roots;
use super::tool_result::{failed, tool_result};
use crate::session::{
    CheckedChanges, FixAsk, LineRange, NewFileContent, PullAsk, ReviewAsk, Session, SessionFile, WriteAnswer,
};
use guardhost_core::change::Verdict;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_display::{Appearance, OutputFormat, render};
use guardhost_pipeline::plan::json as write_plan;
use guardhost_report::Report;

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
    reaches_forge: bool,
    roots: OnceCell<Vec<PathBuf>>,
}

const INSTRUCTIONS: &str = "\
These tools edit one git repository, and guards judge every edit before it is written.
- Read a file before you change it. Send its sha256 back as base_content_sha256, unchanged: it is a lock. If the file has changed \
since, nothing is written and you get its latest state; work from that.
- If you have seen several states of a file, the one with the highest version counts.
- Prefer safe_patch. Give at least 3 lines of context around each change, copied exactly from the content that you read, without \
line numbers or omissions. A patch that fits nowhere or in two places is not applied.
- If safe_patch answers INVALID_PATCH_LIMIT_EXCEEDED, read the file again and use write_file with its whole content.
- REJECTED_BY_GUARDS means that nothing was written: read the findings, change the edit, do not work around them.
- ToolCallWork check when you are done: it judges everything that is not committed, as the commit will be judged.";

impl Tools {
    pub fn new(calls: mpsc::Sender<ToolCallWork>, asks_roots: bool, reaches_forge: bool) -> Self {
        Tools { calls, asks_roots, reaches_forge, roots: OnceCell::new() }
    }

    /// Sends the call to the session's thread and waits for the result.
    async fn run<A: DeserializeOwned + Send + 'static>(
        &self,
        request: CallToolRequestParams,
        client: RequestContext<RoleServer>,
        work: impl FnOnce(&mut Session<'_>, A) -> Result<CallToolResult> + Send + 'static,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = serde_json::from_value(Value::Object(request.arguments.unwrap_or_default()));
        let arguments: A = match arguments
            .with_context(|| Fault::new(FaultKind::Usage, "the arguments do not fit the tool's schema"))
        {
            Ok(arguments) => arguments,
            Err(error) => return Ok(failed(&error).into()),
        };
        let ended = || ErrorData::internal_error("the session has ended", None);
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
        let token = client.meta.get_progress_token();
        let (progress, steps) = token.is_some().then(unbounded_channel).unzip();
        self.calls.send(ToolCallWork { roots, progress, work }).map_err(|_| ended())?;
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
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("guardhost", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools(self.reaches_forge)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        client: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "read_file" => {
                self.run(request, client, |session, ReadFile { path, offset, limit }| {
                    let read = session.read_file(&path, LineRange { offset, limit })?;
                    let success = read.is_ok();
                    tool_result(read.map_or_else(Read::Denied, Read::State), success)
                })
                .await
            }
            "safe_patch" => {
                self.run(request, client, |session, SafePatch { path, unified_diff, base_content_sha256 }| {
                    write_result(session.safe_patch(&path, &unified_diff, &base_content_sha256)?)
                })
                .await
            }
            "write_file" => {
                self.run(request, client, |session, WriteFile { path, content, base_content_sha256, encoding }| {
                    write_result(session.write_file(
                        &path,
                        NewFileContent::new(content, encoding),
                        base_content_sha256.as_deref(),
                    )?)
                })
                .await
            }
            "check" => self.run(request, client, |session, arguments| check(session, arguments)).await,
            "audit" => {
                self.run(request, client, |session, AuditArguments { builds, metrics }| {
                    let report = session.audit(builds, &metrics)?;
                    tool_result(as_json(&Report::Audit(report))?, true)
                })
                .await
            }
            "plan" => self.run(request, client, |session, plan: PlanArguments| layered(session, &plan)).await,
            "log" => {
                self.run(request, client, |session, LogArguments { limit }| {
                    let report = session.log(limit.unwrap_or(LISTED).clamp(1, MOST_LISTED))?;
                    tool_result(as_json(&Report::Log(report))?, true)
                })
                .await
            }
            "review" => self.run(request, client, |session, review: ReviewArguments| reviewed(session, review)).await,
            "fix" => self.run(request, client, |session, issues: FixIssues| fixed(session, issues)).await,
            "pr" if self.reaches_forge => {
                self.run(request, client, |session, pull: PullArguments| pulled(session, pull)).await
            }
            unknown => Err(ErrorData::invalid_params(format!("there is no tool `{unknown}`"), None)),
        }
    }
}

/// Runs that `log` lists unless it is told, and at most.
const LISTED: usize = 20;
const MOST_LISTED: usize = 100;

/// The result of `read_file`.
#[derive(Serialize)]
#[serde(untagged)]
enum Read {
    State(SessionFile),
    Denied(WriteAnswer),
}

/// The model knows the content of what it wrote itself, unless the host repaired it.
fn write_result(mut answer: WriteAnswer) -> Result<CallToolResult> {
    let success = answer.success;
    if success && answer.notes.is_empty() {
        answer.latest_file_state.iter_mut().for_each(|state| state.content = None);
    }
    tool_result(answer, success)
}

/// What the report says of a guard that no model can act on.
const MEASURED: [&str; 5] = ["digest", "micros", "fuel", "cached", "metrics"];

/// A rejecting verdict is a successful call, too.
fn check(session: &Session, Check { staged, plan, step }: Check) -> Result<CallToolResult> {
    let task = match (plan, step) {
        (Some(plan), Some(step)) => Some(session.plan_step(&plan, &step)?),
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => {
            return Err(Fault::new(FaultKind::Usage, "a step of a plan is named by both, plan and step").into());
        }
    };
    let report =
        session.check(if staged { CheckedChanges::Staged } else { CheckedChanges::WorkTree }, task.as_ref())?;
    let mut value = as_json(&Report::Check(report))?;
    let guards = value["guards"].as_array_mut().context("the report names no guards")?;
    let count = |word: &str| guards.iter().filter(|guard| guard["verdict"] == word).count();
    let (passed, not_applicable) = (count("pass"), count("not-applicable"));
    // Those that a model has to know of.
    guards.retain(|guard| !matches!(guard["verdict"].as_str(), Some("pass" | "not-applicable")) || has_findings(guard));
    for guard in guards.iter_mut().filter_map(Value::as_object_mut) {
        MEASURED.iter().for_each(|key| drop(guard.shift_remove(*key)));
    }
    value["passed"] = passed.into();
    value["not_applicable"] = not_applicable.into();
    tool_result(value, true)
}

/// What is left of a plan, in the form that `host run --plan` reads.
fn layered(session: &Session, plan: &PlanArguments) -> Result<CallToolResult> {
    let context = json!({ "task": plan.task, "scope": plan.scope });
    let file = json!({ "tasks": plan.tasks, "context": context }).to_string();
    let audit = plan.audit.as_ref().map(|audit| json!(audit).to_string());
    let (plan, layers, absences) = session.plan(file.as_bytes(), audit.as_deref().map(str::as_bytes))?;
    let mut written = write_plan(&plan, &layers);
    if !absences.is_empty() {
        written["notices"] = absences.into();
    }
    tool_result(written, true)
}

/// What models say of what is not committed; advice is a successful call, whatever it says.
fn reviewed(
    session: &Session,
    ReviewArguments { staged, task, critics, voters, author, provider }: ReviewArguments,
) -> Result<CallToolResult> {
    let report = session.review(&ReviewAsk { staged, task, critics, voters, author, provider })?;
    tool_result(as_json(&report)?, true)
}

/// What became of issues; the work tree stays as it is.
fn fixed(session: &Session, arguments: FixIssues) -> Result<CallToolResult> {
    let FixIssues { issues, sarif, resume, reviewers, provider, accept_touched } = arguments;
    let issues = issues.map(serde_json::to_value).transpose()?;
    let report = session.fix(&FixAsk { issues, sarif, resume, reviewers, provider, accept_touched })?;
    tool_result(as_json(&report)?, true)
}

/// What is at the forge now. A change that the guards reject is not pushed, and a successful call, too.
fn pulled(
    session: &Session,
    PullArguments { action, run, title, draft, labels }: PullArguments,
) -> Result<CallToolResult> {
    let open = match action {
        PullAction::Open => true,
        PullAction::Status => false,
    };
    let report = session.pull(&PullAsk { open, run, title, draft, labels })?;
    tool_result(as_json(&report)?, true)
}

fn as_json(report: &Report) -> Result<Value> {
    let look =
        Appearance { color: false, width: None, unicode: true, verbose: false, rules: guardhost_display::NO_RULES };
    serde_json::from_slice(&render(report, OutputFormat::Json, &look)).context("the report is not JSON")
}

fn has_findings(guard: &Value) -> bool {
    guard["findings"].as_array().is_some_and(|findings| !findings.is_empty())
}

fn tools(reaches_forge: bool) -> Vec<Tool> {
    let reads = || ToolAnnotations::new().read_only(true).open_world(false);
    let writes = || ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(false);
    let mut tools = vec![
        tool::<ReadFile>(
            "read_file",
            "Read a file of the repository, with the sha256 of its whole content and a version. Bytes that are not UTF-8 come as base64.",
        )
        .annotate(reads()),
        tool::<SafePatch>(
            "safe_patch",
            "Change a file with a unified diff. It is applied exactly or not at all, judged by the repository's guards, and written atomically.",
        )
        .annotate(writes()),
        tool::<WriteFile>(
            "write_file",
            "Write a whole file, new or existing. For a file that exists prefer safe_patch.",
        )
        .annotate(writes()),
        tool::<Check>("check", "Let the repository's guards judge everything that is not committed.")
            .with_raw_output_schema(verdict_schema())
            .annotate(reads()),
        tool::<AuditArguments>(
            "audit",
            "Measure HEAD by metrics, each point of a score with its reason and with what would earn more. Runs the build and the tests only if asked to.",
        )
        .annotate(reads()),
        tool::<PlanArguments>(
            "plan",
            "Check a plan of small steps before you work on it: steps that name files that do not exist, leave the scope, or were rejected before are dropped, each with the reason.",
        )
        .annotate(reads()),
        tool::<LogArguments>(
            "log",
            "List earlier runs in this repository, newest first: what was tried, how it ended, and which guards rejected it; with an observer those of other machines too.",
        )
        .annotate(reads()),
        tool::<ReviewArguments>(
            "review",
            "Ask models what they think of what is not committed and the guards accept: critics that advise, and independent votes. It may take minutes.",
        )
        .annotate(asks_models(true)),
        tool::<FixIssues>(
            "fix",
            "Have issues fixed by one provider under all guards and reviewed by another, on a branch of its own. The work tree stays as it is. It may take many minutes.",
        )
        .annotate(asks_models(false)),
    ];
    if reaches_forge {
        tools.push(
            tool::<PullArguments>(
                "pr",
                "Open the pull request of what a run of the host committed, or bring the open one up to date, or tell how it stands. It reaches the forge of the repository's remote.",
            )
            .annotate(asks_models(false)),
        );
    }
    tools
}

fn asks_models(read_only: bool) -> ToolAnnotations {
    ToolAnnotations::new().read_only(read_only).destructive(false).open_world(true)
}

fn tool<A: JsonSchema + 'static>(name: &'static str, description: &'static str) -> Tool {
    let mut tool = Tool::new(name, description, JsonObject::new()).with_input_schema::<A>();
    without_formats(Arc::make_mut(&mut tool.input_schema).values_mut());
    tool
}

/// `uint64` and the like are formats of Rust: clients warn of each one that they do not know.
fn without_formats<'v>(values: impl Iterator<Item = &'v mut Value>) {
    for value in values {
        match value {
            Value::Object(fields) => {
                if fields.get("format").is_some_and(Value::is_string) {
                    fields.shift_remove("format");
                }
                without_formats(fields.values_mut());
            }
            Value::Array(items) => without_formats(items.iter_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The keys of `host check`'s JSON that every answer has, with the guards that found something, and how many did not.
fn verdict_schema() -> Arc<JsonObject> {
    let properties = json!({
        "schema_version": { "const": 1 },
        "verdict": { "enum": [Verdict::Pass, Verdict::Reject, Verdict::Error] },
        "guards": { "type": "array", "items": { "type": "object" } },
        "passed": { "type": "integer" },
        "not_applicable": { "type": "integer" },
    });
    let required = json!(["schema_version", "verdict", "guards", "passed", "not_applicable"]);
    let members = [("type", json!("object")), ("properties", properties), ("required", required)];
    Arc::new(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
