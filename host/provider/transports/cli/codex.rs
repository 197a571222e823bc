//! Codex CLI, `codex exec --json`: events of threads, turns and items.
//!
//! Success is a turn that was completed and none that failed; an `error` event may belong to a retry that succeeded. Before
//! October 2025 events were `{"id":…,"msg":{"type":…}}`.

use std::time::Duration;

use serde_json::Value;

use super::Dialect;
use super::json::{objects, text};
use super::output::ProcessOutput;
use crate::transports::ProviderResponse;
use crate::{FailureClass, Limits, ProviderFailure, error_patterns};
use guardhost_core::change::Usage;

pub(crate) const CODEX: Dialect = Dialect {
    name: "codex",
    keys: &["CODEX_API_KEY", "OPENAI_API_KEY"],
    settings: &["CODEX_HOME", "OPENAI_BASE_URL"],
    fixed: &[],
    limits: Limits::new(Some(Duration::from_secs(5 * 60))),
    sign_in: "run `codex login`, or set CODEX_API_KEY",
    args: |model, more| {
        let fixed = "exec --json --color never --sandbox read-only --skip-git-repo-check";
        let mut args: Vec<String> = fixed.split(' ').map(str::to_owned).collect();
        args.extend(model.into_iter().flat_map(|model| ["--model".to_owned(), model.to_owned()]));
        args.extend_from_slice(more);
        args.push("-".to_owned());
        args
    },
    encode: <[u8]>::to_vec,
    parse,
    progress,
};

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
}

fn parse(output: &ProcessOutput, _: &[u8]) -> Result<ProviderResponse, ProviderFailure> {
    let events = objects(&output.stdout);
    let mut turn = Turn::default();
    for event in &events {
        if event["msg"].is_object() { turn.on_legacy_event(&event["msg"]) } else { turn.on_event(event) }
    }
    if let Some(why) = turn.failed {
        return Err(error_patterns::classify(None, why, FailureClass::ProtocolError));
    }
    if !turn.completed {
        return Err(match turn.error {
            Some(why) => error_patterns::classify(None, why, FailureClass::ProtocolError),
            None => output.failure(None, "no turn was completed"),
        });
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
            "item.completed" if is_message(&event["item"]) => self.message = event["item"]["text"].as_str(),
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
            _ => {}
        }
    }
}

/// For some weeks the key was `item_type` and the type of messages `assistant_message`.
fn is_message(item: &Value) -> bool {
    let kind = item["type"].as_str().or_else(|| item["item_type"].as_str());
    matches!(kind, Some("agent_message" | "assistant_message"))
}

fn progress(line: &str) -> Option<String> {
    let event: Value = serde_json::from_str(line).ok()?;
    let (item, msg) = (&event["item"], &event["msg"]);
    [&item["text"], &item["command"], &item["message"], &event["message"], &msg["text"], &msg["message"]]
        .into_iter()
        .find_map(text)
        .map(str::to_owned)
}
