//! Codex CLI, `codex exec --json`: events of threads, turns and items.
//!
//! Success is a turn that was completed and none that failed; an `error` event may belong to a retry that succeeded. Before
//! October 2025 events were `{"id":…,"msg":{"type":…}}`.

use std::time::Duration;

use serde_json::Value;

use super::codex_config;
use super::json::{objects, text};
use super::output::ProcessOutput;
use super::{CliDialect, CommandLine, OnChange};
use crate::transports::{ProviderResponse, used_tools};
use crate::{AnswerLimits, FailureClass, ProviderFailure, error_patterns};
use guardhost_core::change::Usage;

pub(crate) const CODEX: CliDialect = CliDialect {
    name: "codex",
    keys: &["CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "OPENAI_API_KEY"],
    settings: &["CODEX_CA_CERTIFICATE", "CODEX_HOME", "OPENAI_ORGANIZATION", "OPENAI_PROJECT"],
    fixed: &[],
    defaults: &[],
    files: &[],
    // What the models of version 0.169 are offered whatever the settings say. `apply_patch` is refused by the read-only sandbox, where
    // nobody can approve it. `exec` runs JavaScript that could call other tools; it and `wait` fail without the host of code mode.
    inert_tools: &["apply_patch", "exec", "wait"],
    on_change: OnChange::Report,
    limits: AnswerLimits::new(Some(Duration::from_secs(5 * 60))),
    sign_in: "run `codex login`, or set CODEX_API_KEY",
    args,
    encode: <[u8]>::to_vec,
    parse,
    progress,
    hopeless,
    traces: |_, _| Vec::new(),
};

/// Everything by which a model could do more than write text, as far as there are settings for it. Settings that a version does not know
/// do not stop it, as options would.
const OFF: [&str; 19] = [
    "features.shell_tool=false",
    "features.unified_exec=false",
    "features.code_mode_host=false",
    "features.multi_agent_v2=false",
    "features.goals=false",
    "features.view_image=false",
    "features.image_generation=false",
    "features.sleep_tool=false",
    "features.apps=false",
    "features.plugins=false",
    "features.hooks=false",
    "features.tool_suggest=false",
    "features.skill_search=false",
    // Without a network it would wait for one for ever.
    "features.unbounded_connection_retries=false",
    "agents.enabled=false",
    "tools.experimental_request_user_input.enabled=false",
    "tools.update_plan.enabled=false",
    "web_search=\"disabled\"",
    // A program of the user's that is run after each answer.
    "notify=[]",
];

fn args(line: &CommandLine<'_>) -> Vec<String> {
    let fixed = "exec --json --color never --sandbox read-only --skip-git-repo-check --ephemeral";
    let mut args = line.arguments(fixed, "--model");
    let set = |setting: String| ["-c".to_owned(), setting];
    args.extend(OFF.iter().flat_map(|setting| set((*setting).to_owned())));
    args.extend(
        codex_config::servers(line.environment)
            .iter()
            .flat_map(|name| set(format!("mcp_servers.{name}.enabled=false"))),
    );
    // It reads the variable no more since it has the setting.
    if let Some(url) = line.environment.text("OPENAI_BASE_URL") {
        args.extend(set(format!("openai_base_url={}", Value::from(url))));
    }
    args.extend_from_slice(line.extra);
    args.push("-".to_owned());
    args
}

/// The state after all events, in either shape.
#[derive(Default)]
struct Turn<'a> {
    /// The last message that was completed.
    message: Option<&'a str>,
    completed: bool,
    failed: Option<&'a str>,
    /// The last `error` event, fatal or not.
    error: Option<&'a str>,
    model: Option<&'a str>,
    usage: Usage,
    /// What it did beside writing, by the types of items and events.
    tools: Vec<&'a str>,
}

fn parse(output: &ProcessOutput, _: &[u8]) -> Result<ProviderResponse, ProviderFailure> {
    let events = objects(&output.stdout);
    let mut turn = Turn::default();
    for event in &events {
        if event["msg"].is_object() { turn.on_legacy_event(&event["msg"]) } else { turn.on_event(event) }
    }
    if let Some(why) = turn.failed {
        return Err(classify(why));
    }
    if !turn.completed {
        return Err(match turn.error {
            Some(why) => classify(why),
            None => output.failure(None, "no turn was completed"),
        });
    }
    if let Some(failure) = used_tools(&turn.tools) {
        return Err(ProviderFailure { usage: turn.usage, ..failure });
    }
    output.check_exit()?;
    let Some(message) = turn.message.filter(|message| !message.trim().is_empty()) else {
        return Err(output.failure(Some(FailureClass::Empty), "there is no message"));
    };
    Ok(ProviderResponse::new(message, turn.model.map(str::to_owned), turn.usage))
}

impl<'a> Turn<'a> {
    fn on_event(&mut self, event: &'a Value) {
        match event["type"].as_str().unwrap_or_default() {
            kind @ ("item.started" | "item.updated" | "item.completed") => match item(&event["item"]) {
                CodexItem::Message if kind == "item.completed" => self.message = event["item"]["text"].as_str(),
                CodexItem::Message | CodexItem::Text => {}
                CodexItem::Tool(name) => self.tools.push(name),
            },
            "turn.completed" => {
                self.completed = true;
                self.usage.input_tokens = event["usage"]["input_tokens"].as_u64();
                self.usage.output_tokens = event["usage"]["output_tokens"].as_u64();
            }
            "turn.failed" => self.failed = Some(text(&event["error"]).unwrap_or("the turn failed without a message")),
            "error" => self.error = text(event),
            _ => {}
        }
    }

    fn on_legacy_event(&mut self, msg: &'a Value) {
        match msg["type"].as_str().unwrap_or_default() {
            "session_configured" => self.model = msg["model"].as_str(),
            "agent_message" => self.message = msg["message"].as_str(),
            "task_complete" => self.completed = true,
            "turn_aborted" => self.failed = Some(msg["reason"].as_str().unwrap_or("the turn was aborted")),
            "token_count" => {
                // The counts moved into `info` when they became running totals.
                let counts = [&msg["info"]["total_token_usage"], msg]
                    .into_iter()
                    .find(|counts| counts["output_tokens"].is_u64());
                self.usage.input_tokens = counts.and_then(|counts| counts["input_tokens"].as_u64());
                self.usage.output_tokens = counts.and_then(|counts| counts["output_tokens"].as_u64());
            }
            "error" | "stream_error" => self.error = text(msg),
            kind @ ("exec_command_begin" | "mcp_tool_call_begin" | "patch_apply_begin" | "web_search_begin") => {
                self.tools.push(kind);
            }
            _ => {}
        }
    }
}

/// What an item is.
enum CodexItem<'a> {
    Message,
    /// Thoughts, plans and warnings.
    Text,
    /// Anything else, types of later versions too.
    Tool(&'a str),
}

/// For some weeks the key was `item_type` and the type of messages `assistant_message`.
fn item(item: &Value) -> CodexItem<'_> {
    match item["type"].as_str().or_else(|| item["item_type"].as_str()) {
        Some("agent_message" | "assistant_message") => CodexItem::Message,
        Some("reasoning" | "todo_list" | "error") => CodexItem::Text,
        other => CodexItem::Tool(other.unwrap_or("an item without a type")),
    }
}

/// The class of a message: it has the status of HTTP in its text, unless the status is 400 or the model is unknown.
fn classify(why: &str) -> ProviderFailure {
    // A variable that a provider of the user's `config.toml` names as `env_key`.
    if let Some((_, name)) = why.split_once("Missing environment variable: ") {
        let name = name.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let hint = format!("set it, and name it in your settings: [providers.codex] secret_env = [\"{name}\"]");
        return ProviderFailure::new(FailureClass::Auth, why).hint(hint);
    }
    // The body of an answer with status 400, as version 0.169 hands it on: without the status, and whatever the body's shape is.
    if let Some(body) = serde_json::from_str::<Value>(why).ok().filter(Value::is_object) {
        let failure = error_patterns::classify(None, why, FailureClass::Config);
        let message = [&body["error"], &body["detail"], &body].into_iter().find_map(text).unwrap_or(why);
        return ProviderFailure { message: message.to_owned(), ..failure };
    }
    let status = why.split_once("unexpected status ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
    // The others of a client's mistakes: a request that the service does not understand, for one.
    let default = match status {
        Some(400..=499) => FailureClass::Config,
        _ => FailureClass::ProtocolError,
    };
    error_patterns::classify(status.and_then(error_patterns::by_status), why, default)
}

/// A key that is not accepted now is not accepted at the next attempt.
fn hopeless(line: &str) -> Option<ProviderFailure> {
    let event: Value = line.contains("\"error\"").then(|| serde_json::from_str(line).ok())??;
    // It falls back to plain HTTP where a server has no WebSockets.
    let why = (event["type"] == "error").then(|| text(&event)).flatten().filter(|why| !why.contains("url: ws"))?;
    Some(classify(why)).filter(|failure| matches!(failure.class, FailureClass::Auth | FailureClass::QuotaExhausted))
}

fn progress(line: &str) -> Option<String> {
    let event: Value = serde_json::from_str(line).ok()?;
    let (item, msg) = (&event["item"], &event["msg"]);
    [&item["text"], &item["command"], &item["message"], &event["message"], &msg["text"], &msg["message"]]
        .into_iter()
        .find_map(text)
        .map(str::to_owned)
}
