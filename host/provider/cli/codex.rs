//! Codex CLI, `codex exec --json`: events of threads, turns and items.
//!
//! Success is a turn that was completed and none that failed; an `error` event may be a retry that went well. Before
//! October 2025 events were `{"id":…,"msg":{"type":…}}`.

use std::time::Duration;

use serde_json::Value;

use super::Dialect;
use super::heard::Heard;
use super::json::{objects, text};
use crate::answer::Answer;
use crate::{FailureClass, Limits, ProviderFailure, signs};
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
    write: <[u8]>::to_vec,
    read,
    progress,
};

/// What the events come to, in either shape.
#[derive(Default)]
struct Turn<'a> {
    /// The last message that was completed.
    message: Option<&'a str>,
    completed: bool,
    failed: Option<&'a str>,
    /// The last complaint, fatal or not.
    complaint: Option<&'a str>,
    model: Option<&'a str>,
    usage: Usage,
}

fn read(heard: &Heard, _: &[u8]) -> Result<Answer, ProviderFailure> {
    let events = objects(&heard.stdout);
    let mut turn = Turn::default();
    for event in &events {
        if event["msg"].is_object() { turn.hear_old(&event["msg"]) } else { turn.hear(event) }
    }
    if let Some(why) = turn.failed {
        return Err(signs::failure(None, why, FailureClass::ProtocolError));
    }
    if !turn.completed {
        return Err(match turn.complaint {
            Some(why) => signs::failure(None, why, FailureClass::ProtocolError),
            None => heard.failure(None, "no turn was completed"),
        });
    }
    heard.exited_well()?;
    let Some(message) = turn.message.filter(|message| !message.trim().is_empty()) else {
        return Err(heard.failure(Some(FailureClass::Empty), "there is no message"));
    };
    Ok(Answer::new(message, turn.model.map(str::to_owned), turn.usage))
}

impl<'a> Turn<'a> {
    fn hear(&mut self, event: &'a Value) {
        match event["type"].as_str().unwrap_or_default() {
            "item.completed" if is_message(&event["item"]) => self.message = event["item"]["text"].as_str(),
            "turn.completed" => {
                self.completed = true;
                self.usage.input_tokens = event["usage"]["input_tokens"].as_u64();
                self.usage.output_tokens = event["usage"]["output_tokens"].as_u64();
            }
            "turn.failed" => self.failed = Some(text(&event["error"]).unwrap_or("the turn failed without a word")),
            "error" => self.complaint = text(event),
            _ => {}
        }
    }

    fn hear_old(&mut self, msg: &'a Value) {
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
            "error" | "stream_error" => self.complaint = text(msg),
            _ => {}
        }
    }
}

/// For some weeks the item's type was `item_type`, and messages were the assistant's.
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
