//! Claude Code, `claude -p`: a stream of events that ends in a `result`.
//!
//! Neither the exit code nor `subtype` is evidence of success: an API error comes as `subtype:"success"` with `is_error:true`, and in
//! some versions with exit code 0.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::json::{objects, text};
use super::output::ProcessOutput;
use super::scratch::AgentTrace;
use super::{CliDialect, OnChange};
use crate::transports::{ProviderResponse, used_tools};
use crate::{AnswerLimits, Environment, FailureClass, ProviderFailure, error_patterns};
use guardhost_core::change::Usage;

pub(crate) const CLAUDE: CliDialect = CliDialect {
    name: "claude",
    keys: &[
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_CUSTOM_HEADERS",
        "ANTHROPIC_FOUNDRY_API_KEY",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_BEARER_TOKEN_BEDROCK",
        "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
    ],
    settings: &[
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_BEDROCK_BASE_URL",
        "ANTHROPIC_BETAS",
        "ANTHROPIC_DEFAULT_FABLE_MODEL",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL",
        "ANTHROPIC_DEFAULT_OPUS_MODEL",
        "ANTHROPIC_DEFAULT_SONNET_MODEL",
        "ANTHROPIC_FOUNDRY_BASE_URL",
        "ANTHROPIC_FOUNDRY_RESOURCE",
        "ANTHROPIC_MODEL",
        "ANTHROPIC_SMALL_FAST_MODEL",
        "ANTHROPIC_VERTEX_BASE_URL",
        "ANTHROPIC_VERTEX_PROJECT_ID",
        "API_TIMEOUT_MS",
        "AWS_CONFIG_FILE",
        "AWS_PROFILE",
        "AWS_REGION",
        "AWS_SHARED_CREDENTIALS_FILE",
        "CLAUDE_CODE_CLIENT_CERT",
        "CLAUDE_CODE_CLIENT_KEY",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
        "CLAUDE_CODE_MAX_RETRIES",
        "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
        "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
        "CLAUDE_CODE_SKIP_VERTEX_AUTH",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_FOUNDRY",
        "CLAUDE_CODE_USE_VERTEX",
        "CLAUDE_CONFIG_DIR",
        "CLOUD_ML_REGION",
        "GOOGLE_APPLICATION_CREDENTIALS",
    ],
    // Without the first it sends the whole prompt once more, for the title of the terminal's window.
    fixed: &[("CLAUDE_CODE_DISABLE_TERMINAL_TITLE", "1"), ("DISABLE_AUTOUPDATER", "1")],
    // Its own ten retries take three minutes. The chain has other providers, and the run asks again later.
    defaults: &[("CLAUDE_CODE_MAX_RETRIES", "3")],
    files: &[],
    inert_tools: &[],
    on_change: OnChange::Report,
    limits: AnswerLimits::new(Some(Duration::from_secs(5 * 60))),
    sign_in: "run `claude` once and sign in, or set ANTHROPIC_API_KEY",
    // No tools, no MCP servers, no settings of a project, no hooks and skills, no transcript: it is only to write text. `--bare` would be
    // shorter, but does not work for users who are signed in by a plan.
    args: |line| {
        let fixed = "-p --output-format stream-json --verbose --strict-mcp-config --setting-sources user \
                     --no-session-persistence --disable-slash-commands --settings {\"disableAllHooks\":true} --tools";
        let mut args = line.arguments(fixed, "--model");
        let tools = 1 + args.iter().position(|word| word == "--tools").unwrap_or_default();
        args.insert(tools, String::new());
        args.extend_from_slice(line.extra);
        args
    },
    encode: <[u8]>::to_vec,
    parse,
    progress,
    hopeless,
    traces,
};

/// Without a transcript there is still a folder for it, with an empty one for memories. Its name is the path of the folder that it started
/// in, with a hyphen for every other character, and so ends with that folder's own name, which no other question has.
fn traces(environment: &Environment, dir: &Path) -> Vec<AgentTrace> {
    let home = || environment.home().map(|home| home.join(".claude"));
    let settings = environment.text("CLAUDE_CONFIG_DIR").map(|dir| Path::new(dir).to_owned()).or_else(home);
    let own = dir.file_name().and_then(|name| name.to_str());
    let (Some(settings), Some(own)) = (settings, own) else { return Vec::new() };
    let folders = std::fs::read_dir(settings.join("projects")).into_iter().flatten().flatten();
    let is_own = |name: &str| name.strip_suffix(own).is_some_and(|parent| parent.ends_with('-'));
    let folders = folders.filter(|folder| folder.file_name().to_str().is_some_and(is_own)).map(|folder| folder.path());
    folders
        .flat_map(|folder| [AgentTrace::EmptyFolder(folder.join("memory")), AgentTrace::EmptyFolder(folder)])
        .collect()
}

fn parse(output: &ProcessOutput, _: &[u8]) -> Result<ProviderResponse, ProviderFailure> {
    let events = objects(&output.stdout);
    // Later results, if any, answer tasks that ran in the background.
    let Some(result) = events.iter().find(|event| event["type"] == "result") else {
        return Err(output.failure(None, "there is no result event"));
    };
    let message = events.iter().rfind(|event| event["type"] == "assistant" && event["parent_tool_use_id"].is_null());
    if let Some(failure) = failure(result, message.unwrap_or(&Value::Null)) {
        return Err(failure);
    }
    let blocks = events.iter().filter(|event| event["type"] == "assistant");
    let blocks = blocks.flat_map(|event| event["message"]["content"].as_array()).flatten();
    if let Some(failure) = used_tools(&blocks.filter_map(tool).collect::<Vec<_>>()) {
        return Err(ProviderFailure { usage: usage(result), ..failure });
    }
    output.check_exit()?;
    let Some(reply) = text(&result["result"]) else {
        return Err(output.failure(Some(FailureClass::Empty), "the result is empty"));
    };
    Ok(ProviderResponse::new(reply, model(result, &events), usage(result)))
}

/// The tool that a block of a message asks for: `tool_use`, `server_tool_use`, `mcp_tool_use`.
fn tool(block: &Value) -> Option<&str> {
    block["type"].as_str().filter(|kind| kind.ends_with("tool_use"))?;
    block["name"].as_str().or(Some("a tool without a name"))
}

/// A key that is not accepted now is not accepted at the next attempt.
fn hopeless(line: &str) -> Option<ProviderFailure> {
    // Most lines are messages, which are long.
    let event: Value = line.contains("\"api_retry\"").then(|| serde_json::from_str(line).ok())??;
    if event["type"] != "system" || event["subtype"] != "api_retry" {
        return None;
    }
    let status = event["error_status"].as_u64();
    let class = event["error"].as_str().and_then(by_error).or_else(|| status.and_then(error_patterns::by_status))?;
    let error = text(&event["error"]).unwrap_or("no reason");
    let status = status.map(|status| format!("HTTP {status}, ")).unwrap_or_default();
    matches!(class, FailureClass::Auth | FailureClass::QuotaExhausted)
        .then(|| ProviderFailure::new(class, format!("the service refused it: {status}{error}")))
}

/// The failure that the result, or the last message of the model, reports.
fn failure(result: &Value, message: &Value) -> Option<ProviderFailure> {
    let stop = [&result["stop_reason"], &message["message"]["stop_reason"]].into_iter().find_map(Value::as_str);
    let synthetic = message["message"]["model"] == "<synthetic>";
    let failed =
        result["is_error"] != Value::Bool(false) || result["subtype"] != "success" || message["error"].is_string();
    let reason = result["terminal_reason"].as_str().and_then(by_terminal_reason);
    let structure = message["error"]
        .as_str()
        .and_then(by_error)
        .or_else(|| result["api_error_status"].as_u64().and_then(error_patterns::by_status))
        .or(reason)
        .or_else(|| result["startup_failure_reason"].is_string().then_some(FailureClass::Config))
        .or_else(|| result["subtype"].as_str().and_then(by_subtype));
    if failed || synthetic || reason.is_some() || result["terminal_reason"] == "api_error" {
        return Some(error_patterns::classify(structure, &error_message(result), FailureClass::ProtocolError));
    }
    if let Some(denied) = result["permission_denials"].as_array().filter(|denied| !denied.is_empty()) {
        let tools: Vec<_> = denied.iter().filter_map(|denial| denial["tool_name"].as_str()).collect();
        return Some(ProviderFailure::new(
            FailureClass::PermissionDenied,
            format!("it was denied the tools {}", tools.join(", ")),
        ));
    }
    match stop {
        Some("max_tokens" | "model_context_window_exceeded") => Some(ProviderFailure::new(
            FailureClass::TruncatedOutput,
            "the answer was cut off at the model's limit of output",
        )),
        Some("refusal") => Some(ProviderFailure::new(FailureClass::Refused, "the model declined to answer")),
        _ => None,
    }
}

/// The result's own words for its failure.
fn error_message(result: &Value) -> String {
    let errors: Vec<_> = result["errors"].as_array().into_iter().flatten().filter_map(text).collect();
    if !errors.is_empty() {
        return errors.join("; ");
    }
    let message =
        ["result", "startup_failure_reason", "terminal_reason", "subtype"].iter().find_map(|key| text(&result[key]));
    message.unwrap_or("it reported an error without a message").to_owned()
}

/// `assistant.error`.
fn by_error(error: &str) -> Option<FailureClass> {
    Some(match error {
        "overloaded" | "server_error" => FailureClass::Overloaded,
        "rate_limit" => FailureClass::RateLimited,
        "billing_error" => FailureClass::QuotaExhausted,
        "authentication_failed"
        | "oauth_org_not_allowed"
        | "account_on_hold"
        | "verification_required"
        | "cloud_credential_error" => FailureClass::Auth,
        "model_not_found" => FailureClass::Config,
        "max_output_tokens" => FailureClass::TruncatedOutput,
        _ => return None,
    })
}

/// Those values of `terminal_reason` that name a failure. (`blocking_limit` is the context limit.)
fn by_terminal_reason(reason: &str) -> Option<FailureClass> {
    Some(match reason {
        "prompt_too_long" | "blocking_limit" => FailureClass::ContextTooLong,
        "budget_exhausted" => FailureClass::QuotaExhausted,
        "max_turns" => FailureClass::TruncatedOutput,
        "aborted_streaming" | "aborted_tools" => FailureClass::Crashed,
        "stop_hook_prevented" | "hook_stopped" | "tool_deferred" => FailureClass::PermissionDenied,
        "turn_setup_failed" => FailureClass::Config,
        "model_error" | "malformed_tool_use_exhausted" | "structured_output_retry_exhausted" => {
            FailureClass::ProtocolError
        }
        _ => return None,
    })
}

fn by_subtype(subtype: &str) -> Option<FailureClass> {
    match subtype {
        "error_max_turns" => Some(FailureClass::TruncatedOutput),
        "error_max_budget_usd" => Some(FailureClass::QuotaExhausted),
        _ => None,
    }
}

/// The model that wrote the answer: the last message names it. Without messages (plain JSON) the model that wrote most.
fn model(result: &Value, events: &[Value]) -> Option<String> {
    let named = events.iter().rev().find_map(|event| event["message"]["model"].as_str());
    let most = || {
        let models = result["modelUsage"].as_object()?;
        models.iter().max_by_key(|(_, used)| used["outputTokens"].as_u64()).map(|(name, _)| name.as_str())
    };
    named.or_else(most).map(str::to_owned)
}

fn usage(result: &Value) -> Usage {
    let used = &result["usage"];
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let input = input.iter().filter_map(|key| used[key].as_u64()).reduce(u64::saturating_add);
    // Old versions call it `cost_usd`.
    let cost = result["total_cost_usd"].as_f64().or_else(|| result["cost_usd"].as_f64());
    Usage { input_tokens: input, output_tokens: used["output_tokens"].as_u64(), cost_usd: Usage::cost(cost) }
}

fn progress(line: &str) -> Option<String> {
    let event: Value = serde_json::from_str(line).ok()?;
    match (event["type"].as_str()?, event["subtype"].as_str()) {
        ("system", Some("init")) => Some(format!("started, model {}", event["model"].as_str()?)),
        ("system", Some("api_retry")) => {
            Some(format!("attempt {} of {}: {}", event["attempt"], event["max_retries"], text(&event["error"])?))
        }
        ("assistant", _) => event["message"]["content"]
            .as_array()?
            .iter()
            .find_map(|part| text(&part["thinking"]).or(text(&part["text"])))
            .map(str::to_owned),
        _ => None,
    }
}
