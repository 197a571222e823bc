//! From a planner's reply to a plan.

use guardhost_core::change::Reply;
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;
use guardhost_engine::check_schema;
use guardhost_patch::repair::json_object;
use serde_json::{Value, json};

use super::super::context::PlanContext;
use super::super::model::Plan;
use super::super::read::plan as read;
use super::left_out::leave_out;

/// What the planner is asked for, as a JSON Schema.
pub const SCHEMA: &str = include_str!("plan.schema.json");

/// Bytes of a reply: a plan of 32 steps with long descriptions is a tenth of it.
const REPLY: usize = 1 << 20;

/// A plan, and what of the reply is not in it.
pub struct ReadReply {
    pub plan: Plan,
    /// Sentences for people.
    pub left_out: Vec<String>,
}

/// The inner error says what is wrong, for the planner and for people.
///
/// # Errors
/// When it was interrupted.
pub fn plan(reply: &Reply, context: &PlanContext, stop: &StopToken) -> Result<Result<ReadReply, String>> {
    if reply.bytes.len() > REPLY {
        return Ok(Err(format!("the reply has {} bytes; {REPLY} are the most", reply.bytes.len())));
    }
    let is_plan = |value: &Value| value.get("tasks").is_some();
    let found = json_object(reply, is_plan, stop).map_err(|stopped| stopped.into_error("reading the plan"))?;
    let Some(mut value) = found else {
        return Ok(Err("the reply holds no JSON object with `tasks`".to_owned()));
    };
    let left_out = leave_out(&mut value, &serde_json::from_str(SCHEMA)?);
    if let Err(what) = check_schema(SCHEMA, &value, "plan") {
        return Ok(Err(what));
    }
    // What the host knows of the task is not for the planner to say.
    value["context"] = json!(context);
    // A planner may find that nothing is to be done: like one whose layers dropped every step, such a plan is empty.
    value["layers"] = json!([]);
    let bytes = serde_json::to_vec(&value)?;
    Ok(read(&bytes, "the plan").map(|plan| ReadReply { plan, left_out }).map_err(|error| format!("{error}")))
}
