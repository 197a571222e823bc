//! What the host decides, in the protocol of each agent.

use serde_json::{Value, json};

use super::agent::{HookAgent, HookMoment};
use guardhost_report::{HookOutcome, HookReport};

/// What is to happen with what an agent is about to do, or has done.
#[derive(Debug, Clone, PartialEq)]
pub enum HookDecision {
    /// The agent goes on.
    Allow,
    /// The tool runs with other arguments. The note tells the model what is different.
    Mend { input: Value, note: String },
    /// The tool does not run.
    Deny(String),
    /// The tool has run. The model is told what is wrong with the result.
    Object(String),
    /// The agent does not end its turn yet.
    Continue(String),
}

impl HookDecision {
    /// The decision against, at this moment.
    pub fn against(moment: HookMoment, reason: String) -> Self {
        match moment {
            HookMoment::BeforeTool => HookDecision::Deny(reason),
            HookMoment::AfterTool => HookDecision::Object(reason),
            HookMoment::Stop => HookDecision::Continue(reason),
        }
    }

    pub fn report(self, agent: HookAgent) -> HookReport {
        let answer = match agent {
            HookAgent::Claude | HookAgent::Codex | HookAgent::Qwen => for_claude(agent, &self),
            HookAgent::Gemini => for_gemini(&self),
            HookAgent::Cursor => for_cursor(&self),
            HookAgent::Copilot => for_copilot(&self),
            HookAgent::Opencode => for_opencode(&self),
        };
        match self {
            HookDecision::Deny(reason) => HookReport {
                answer,
                reason: Some(reason),
                outcome: HookOutcome::DeniedToAgent,
                ..HookReport::default()
            },
            HookDecision::Allow | HookDecision::Mend { .. } | HookDecision::Object(_) | HookDecision::Continue(_) => {
                HookReport { answer, ..HookReport::default() }
            }
        }
    }
}

/// To say nothing leaves the agent's own permissions in force; only Codex takes no new arguments without an `allow`. After a tool, Qwen Code
/// reads the context and no `decision`.
fn for_claude(agent: HookAgent, decision: &HookDecision) -> Option<Value> {
    let output = |moment: HookMoment, fields: Value| {
        let mut output = json!({ "hookEventName": agent.event(moment) });
        if let (Value::Object(output), Value::Object(fields)) = (&mut output, fields) {
            output.extend(fields);
        }
        Some(json!({ "hookSpecificOutput": output }))
    };
    let before = |fields: Value| output(HookMoment::BeforeTool, fields);
    match decision {
        HookDecision::Allow => None,
        HookDecision::Mend { input, note } if agent == HookAgent::Codex => {
            before(json!({ "permissionDecision": "allow", "updatedInput": input, "additionalContext": note }))
        }
        HookDecision::Mend { input, note } => before(json!({ "updatedInput": input, "additionalContext": note })),
        HookDecision::Deny(reason) => {
            before(json!({ "permissionDecision": "deny", "permissionDecisionReason": reason }))
        }
        HookDecision::Object(reason) if agent == HookAgent::Qwen => {
            output(HookMoment::AfterTool, json!({ "additionalContext": reason }))
        }
        HookDecision::Object(reason) | HookDecision::Continue(reason) => {
            Some(json!({ "decision": "block", "reason": reason }))
        }
    }
}

fn for_gemini(decision: &HookDecision) -> Option<Value> {
    match decision {
        HookDecision::Allow => None,
        HookDecision::Mend { input, note } => {
            let output =
                json!({ "hookEventName": HookAgent::Gemini.event(HookMoment::BeforeTool), "tool_input": input });
            Some(json!({ "systemMessage": note, "hookSpecificOutput": output }))
        }
        HookDecision::Deny(reason) | HookDecision::Object(reason) | HookDecision::Continue(reason) => {
            Some(json!({ "decision": "deny", "reason": reason }))
        }
    }
}

fn for_cursor(decision: &HookDecision) -> Option<Value> {
    match decision {
        HookDecision::Allow => None,
        HookDecision::Mend { input, note } => {
            Some(json!({ "permission": "allow", "updated_input": input, "agent_message": note }))
        }
        HookDecision::Deny(reason) => {
            Some(json!({ "permission": "deny", "user_message": reason, "agent_message": reason }))
        }
        HookDecision::Object(reason) => Some(json!({ "additional_context": reason })),
        HookDecision::Continue(reason) => Some(json!({ "followup_message": reason })),
    }
}

/// Copilot's command line reads the outer fields, VS Code those inside. After a tool, Copilot takes a `decision` instead of what the tool
/// said, which the model needs.
fn for_copilot(decision: &HookDecision) -> Option<Value> {
    let both = |event: &str, outer: Value, inner: Value| {
        let mut answer = outer;
        answer["hookSpecificOutput"] = inner;
        answer["hookSpecificOutput"]["hookEventName"] = json!(event);
        Some(answer)
    };
    match decision {
        HookDecision::Allow => None,
        HookDecision::Mend { input, note } => both(
            "PreToolUse",
            json!({ "modifiedArgs": input, "additionalContext": note }),
            json!({ "updatedInput": input, "additionalContext": note }),
        ),
        HookDecision::Deny(reason) => {
            let denial = json!({ "permissionDecision": "deny", "permissionDecisionReason": reason });
            both("PreToolUse", denial.clone(), denial)
        }
        HookDecision::Object(reason) => {
            let context = json!({ "additionalContext": reason });
            both("PostToolUse", context.clone(), context)
        }
        HookDecision::Continue(reason) => {
            let block = json!({ "decision": "block", "reason": reason });
            both("Stop", block.clone(), block)
        }
    }
}

/// What our own plugin reads. A denial is an exit code with its reason on standard error.
fn for_opencode(decision: &HookDecision) -> Option<Value> {
    match decision {
        HookDecision::Allow => None,
        HookDecision::Mend { input, note } => Some(json!({ "arguments": input, "note": note })),
        HookDecision::Deny(reason) => Some(json!({ "denied": reason })),
        HookDecision::Object(reason) => Some(json!({ "note": reason })),
        HookDecision::Continue(reason) => Some(json!({ "continue": reason })),
    }
}
