//! The nine tools, and one for pull requests where whoever started the server allows it.

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ConstString, ErrorData, GetTaskParams,
    GetTaskResult, Implementation, ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesRequestMethod,
    ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, UpdateTaskParams,
};
use rmcp::service::{RequestContext, RoleServer};
use serde::Serialize;
use serde_json::{Value, json};

use super::arguments::{
    AuditArguments, Check, FixIssues, LogArguments, PlanArguments, PullAction, PullArguments, ReadFile,
    ReviewArguments, SafePatch, WriteFile,
};
use super::calls::Tools;
use super::definitions::tools;
use super::tool_result::tool_result;
use crate::session::{
    CheckedChanges, FixAsk, LineRange, NewFileContent, PullAsk, ReviewAsk, Session, SessionFile, WriteAnswer,
};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_display::{Appearance, OutputFormat, render};
use guardhost_pipeline::plan::json as write_plan;
use guardhost_provider::Cancel;
use guardhost_report::Report;

const INSTRUCTIONS: &str = "\
These tools edit one git repository, and guards judge every edit before it is written.
- Read a file before you change it. Send its sha256 back as base_content_sha256, unchanged: it is a lock. If the file has changed \
since, nothing is written and you get its latest state; work from that.
- If you have seen several states of a file, the one with the highest version counts.
- Prefer safe_patch. Give at least 3 lines of context around each change, copied exactly from the content that you read, without \
line numbers or omissions. A patch that fits nowhere or in two places is not applied.
- If safe_patch answers INVALID_PATCH_LIMIT_EXCEEDED, read the file again and use write_file with its whole content.
- REJECTED_BY_GUARDS means that nothing was written: read the findings, change the edit, do not work around them.
- Call check when you are done: it judges everything that is not committed, as the commit will be judged.";

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tasks().build())
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
                    tool_result(read.map_or_else(ReadResult::Denied, ReadResult::State), success)
                })
                .await
            }
            "safe_patch" => {
                self.write(request, client, |session, arguments: SafePatch| {
                    let SafePatch { path, unified_diff, base_content_sha256 } = arguments;
                    session.safe_patch(&path, &unified_diff, &base_content_sha256)
                })
                .await
            }
            "write_file" => {
                self.write(request, client, |session, arguments: WriteFile| {
                    let WriteFile { path, content, base_content_sha256, encoding } = arguments;
                    let content = NewFileContent::new(content, encoding);
                    session.write_file(&path, content, base_content_sha256.as_deref())
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
            "review" => {
                self.run_long(request, client, |session, review: ReviewArguments, cancel| {
                    reviewed(session, review, cancel)
                })
                .await
            }
            "fix" => {
                self.run_long(request, client, |session, issues: FixIssues, cancel| fixed(session, issues, cancel))
                    .await
            }
            "pr" if self.reaches_forge => {
                self.run(request, client, |session, pull: PullArguments| pulled(session, pull)).await
            }
            unknown => Err(ErrorData::invalid_params(format!("there is no tool `{unknown}`"), None)),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        client: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        for_older_clients::<ListPromptsRequestMethod, _>(&client)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        client: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        for_older_clients::<ListResourcesRequestMethod, _>(&client)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        client: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        for_older_clients::<ListResourceTemplatesRequestMethod, _>(&client)
    }

    async fn get_task(&self, task: GetTaskParams, _: RequestContext<RoleServer>) -> Result<GetTaskResult, ErrorData> {
        self.tasks.get_task(&task.task_id).map(GetTaskResult::new)
    }

    /// No task asks for anything while it runs.
    async fn update_task(&self, task: UpdateTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.tasks.update_task(&task.task_id, task.input_responses)
    }

    async fn cancel_task(&self, task: CancelTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&task.task_id)
    }
}

/// What this server does not have. Older clients ask for it all the same, and take an error for a broken server.
fn for_older_clients<M: ConstString, R: Default>(client: &RequestContext<RoleServer>) -> Result<R, ErrorData> {
    match client.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
        true => Err(ErrorData::method_not_found::<M>()),
        false => Ok(R::default()),
    }
}

/// Runs that `log` lists unless it is told, and at most.
const LISTED: usize = 20;
const MOST_LISTED: usize = 100;

/// The result of `read_file`.
#[derive(Serialize)]
#[serde(untagged)]
enum ReadResult {
    State(SessionFile),
    Denied(WriteAnswer),
}

/// The model knows the content of what it wrote itself, unless the host repaired it.
pub(super) fn write_result(mut answer: WriteAnswer) -> Result<CallToolResult> {
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
    cancel: Cancel,
) -> Result<CallToolResult> {
    let report = session.review(&ReviewAsk { staged, task, critics, voters, author, provider, cancel })?;
    tool_result(as_json(&report)?, true)
}

/// What became of issues; the work tree stays as it is.
fn fixed(session: &Session, arguments: FixIssues, cancel: Cancel) -> Result<CallToolResult> {
    let FixIssues { issues, sarif, resume, reviewers, provider, accept_touched } = arguments;
    let issues = issues.map(serde_json::to_value).transpose()?;
    let report = session.fix(&FixAsk { issues, sarif, resume, reviewers, provider, accept_touched, cancel })?;
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
