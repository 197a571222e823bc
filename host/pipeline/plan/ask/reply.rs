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

/// What the planner is asked for, as a JSON Schema.
pub const SCHEMA: &str = include_str!("plan.schema.json");

/// Bytes of a reply: a plan of 32 steps with long descriptions is a tenth of it.
const REPLY: usize = 1 << 20;

/// The inner error says what is wrong, for the planner and for people.
///
/// # Errors
/// When it was interrupted.
pub fn plan(reply: &Reply, context: &PlanContext, stop: &StopToken) -> Result<Result<Plan, String>> {
    if reply.bytes.len() > REPLY {
        return Ok(Err(format!("the reply has {} bytes; {REPLY} are the most", reply.bytes.len())));
    }
    let is_plan = |value: &Value| value.get("tasks").is_some();
    let found = json_object(reply, is_plan, stop).map_err(|stopped| stopped.into_error("reading the plan"))?;
    let Some(mut value) = found else {
        return Ok(Err("the reply holds no JSON object with `tasks`".to_owned()));
    };
    if let Err(what) = check_schema(SCHEMA, &value, "plan") {
        return Ok(Err(what));
    }
    // What the host knows of the task is not for the planner to say.
    value["context"] = json!(context);
    // Every step may turn out to be dropped, but none to begin with is no plan.
    let bytes = serde_json::to_vec(&value)?;
    Ok(read(&bytes, "the plan").map_err(|error| format!("{error}")))
}
