//! What of a planner's reply is left out instead of being asked for again: it would cost a second question and change nothing.

use serde_json::Value;

/// Keys that one notice names, and characters of each.
const NAMED: usize = 5;
const NAME: usize = 40;
/// A task without a priority comes after those with one, as in plans.
const LAST: i64 = crate::plan::file::LAST;

/// Takes out of `plan` the keys that `schema` does not know, and the tasks beyond the most that it allows, those of the largest `priority`
/// first. A notice for each of both that was left out.
pub fn leave_out(plan: &mut Value, schema: &Value) -> Vec<String> {
    let (mut keys, mut notices) = (Vec::new(), Vec::new());
    unknown_keys(plan, schema, "", &mut keys);
    if !keys.is_empty() {
        let named = keys.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if keys.len() > NAMED { format!(" and {} more", keys.len() - NAMED) } else { String::new() };
        notices.push(format!("of the planner's reply, keys that plans do not have were left out: {named}{more}"));
    }
    let most = schema["properties"]["tasks"]["maxItems"].as_u64().and_then(|most| usize::try_from(most).ok());
    if let (Some(most), Some(tasks)) = (most, plan["tasks"].as_array_mut())
        && tasks.len() > most
    {
        tasks.sort_by_key(|task| task["priority"].as_i64().unwrap_or(LAST));
        let all = tasks.len();
        tasks.truncate(most);
        notices.push(format!("{} of the planner's {all} tasks were left out: a plan has at most {most}", all - most));
    }
    notices
}

/// Of a value whose schema allows no others. What is no object or array where the schema wants one is for the check behind this.
fn unknown_keys(value: &mut Value, schema: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let known = &schema["properties"];
            if schema["additionalProperties"] == false {
                fields.retain(|key, _| {
                    let is_known = known.get(key).is_some();
                    if !is_known {
                        found.push(format!("{place}{}", key.escape_debug().take(NAME).collect::<String>()));
                    }
                    is_known
                });
            }
            for (key, field) in fields {
                unknown_keys(field, &known[key.as_str()], &format!("{place}{key}."), found);
            }
        }
        Value::Array(items) => {
            let place = place.trim_end_matches('.');
            for (index, item) in items.iter_mut().enumerate() {
                unknown_keys(item, &schema["items"], &format!("{place}[{index}]."), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
