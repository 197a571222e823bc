//! The JSON that an agent writes to the standard input of its hook.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::agent::{HookAgent, HookMoment};
use super::tool_call::ToolCall;

/// One question of an agent.
#[derive(Debug)]
pub struct HookEvent {
    pub moment: HookMoment,
    /// Where the agent works. None when it does not say so.
    pub cwd: Option<PathBuf>,
    pub call: ToolCall,
    /// The agent goes on only because a hook did not let it stop.
    pub stop_is_repeated: bool,
}

impl HookEvent {
    /// Reads what an agent sent for the event that the command line names.
    ///
    /// # Errors
    /// A sentence that says what is not understood. The caller denies then.
    pub fn read(agent: HookAgent, event: &str, input: &[u8]) -> Result<Self, String> {
        let moment = agent.moment(event).ok_or_else(|| format!("{} has no event `{event}` here", agent.as_str()))?;
        let value: Value =
            serde_json::from_slice(input).map_err(|error| format!("the hook's input is no JSON: {error}"))?;
        let Value::Object(fields) = value else { return Err("the hook's input is no JSON object".to_owned()) };
        let said = fields.get("hook_event_name").and_then(Value::as_str);
        let is_same = |said: &str| said == event || (agent == HookAgent::Copilot && agent.moment(said) == Some(moment));
        if said.is_some_and(|said| !is_same(said)) {
            return Err(format!("the hook was started for {event}, and its input is of {}", said.unwrap_or_default()));
        }
        let call = match moment {
            HookMoment::BeforeTool | HookMoment::AfterTool => call(agent, event, &fields)?,
            HookMoment::Stop => ToolCall::Other,
        };
        Ok(HookEvent { moment, cwd: cwd(&fields), call, stop_is_repeated: stop_is_repeated(&fields) })
    }
}

/// Cursor sends a shell command without a tool around it.
fn call(agent: HookAgent, event: &str, fields: &Map<String, Value>) -> Result<ToolCall, String> {
    if agent == HookAgent::Cursor && event == "beforeShellExecution" {
        return match fields.get("command").and_then(Value::as_str) {
            Some(command) => Ok(ToolCall::Shell { command: command.to_owned(), input: fields.clone() }),
            None => Err("the input names no `command`".to_owned()),
        };
    }
    let field = |snake: &str, camel: &str| fields.get(snake).or_else(|| fields.get(camel));
    let name = field("tool_name", "toolName").and_then(Value::as_str).ok_or("the input names no `tool_name`")?;
    match field("tool_input", "toolArgs") {
        Some(Value::Object(input)) => ToolCall::read(name, input),
        // Copilot hands on what a model sent as plain text, which its `apply_patch` is.
        Some(Value::String(text)) => ToolCall::read_text(name, text),
        _ => Err("the input has no `tool_input`".to_owned()),
    }
}

/// Cursor names the folders that are open instead.
fn cwd(fields: &Map<String, Value>) -> Option<PathBuf> {
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(PathBuf::from);
    let root = || text(fields.get("workspace_roots")?.as_array()?.first()?);
    fields.get("cwd").and_then(text).or_else(root)
}

/// Cursor counts how often a hook made it go on.
fn stop_is_repeated(fields: &Map<String, Value>) -> bool {
    fields.get("stop_hook_active").and_then(Value::as_bool).unwrap_or(false)
        || fields.get("loop_count").and_then(Value::as_u64).is_some_and(|count| count > 0)
}
