//! What the host decides, in the protocol of each agent.

use serde_json::{Value, json};

use super::agent::{Agent, Moment};
use guardhost_report::{HookOutcome, HookReport};

/// What is to happen with what an agent is about to do, or has done.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
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

impl Decision {
    /// The decision against, at this moment.
    pub fn against(moment: Moment, reason: String) -> Self {
        match moment {
            Moment::BeforeTool => Decision::Deny(reason),
            Moment::AfterTool => Decision::Object(reason),
            Moment::Stop => Decision::Continue(reason),
        }
    }

    pub fn report(self, agent: Agent) -> HookReport {
        let answer = match agent {
            Agent::Claude | Agent::Codex => of_claude(agent, &self),
            Agent::Gemini => of_gemini(&self),
            Agent::Cursor => of_cursor(&self),
        };
        match self {
            Decision::Deny(reason) => HookReport {
                answer,
                reason: Some(reason),
                outcome: HookOutcome::DeniedToAgent,
                ..HookReport::default()
            },
            Decision::Allow | Decision::Mend { .. } | Decision::Object(_) | Decision::Continue(_) => {
                HookReport { answer, ..HookReport::default() }
            }
        }
    }
}

/// To say nothing leaves the agent's own permissions in force; only Codex takes no new arguments without an `allow`.
fn of_claude(agent: Agent, decision: &Decision) -> Option<Value> {
    let before = |fields: Value| {
        let mut output = json!({ "hookEventName": agent.event(Moment::BeforeTool) });
        if let (Value::Object(output), Value::Object(fields)) = (&mut output, fields) {
            output.extend(fields);
        }
        Some(json!({ "hookSpecificOutput": output }))
    };
    match decision {
        Decision::Allow => None,
        Decision::Mend { input, note } if agent == Agent::Codex => {
            before(json!({ "permissionDecision": "allow", "updatedInput": input, "additionalContext": note }))
        }
        Decision::Mend { input, note } => before(json!({ "updatedInput": input, "additionalContext": note })),
        Decision::Deny(reason) => before(json!({ "permissionDecision": "deny", "permissionDecisionReason": reason })),
        Decision::Object(reason) | Decision::Continue(reason) => Some(json!({ "decision": "block", "reason": reason })),
    }
}

fn of_gemini(decision: &Decision) -> Option<Value> {
    match decision {
        Decision::Allow => None,
        Decision::Mend { input, note } => {
            let output = json!({ "hookEventName": Agent::Gemini.event(Moment::BeforeTool), "tool_input": input });
            Some(json!({ "systemMessage": note, "hookSpecificOutput": output }))
        }
        Decision::Deny(reason) | Decision::Object(reason) | Decision::Continue(reason) => {
            Some(json!({ "decision": "deny", "reason": reason }))
        }
    }
}

fn of_cursor(decision: &Decision) -> Option<Value> {
    match decision {
        Decision::Allow => None,
        Decision::Mend { input, note } => {
            Some(json!({ "permission": "allow", "updated_input": input, "agent_message": note }))
        }
        Decision::Deny(reason) => {
            Some(json!({ "permission": "deny", "user_message": reason, "agent_message": reason }))
        }
        Decision::Object(reason) => Some(json!({ "additional_context": reason })),
        Decision::Continue(reason) => Some(json!({ "followup_message": reason })),
    }
}
