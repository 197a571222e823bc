//! The fields of the list, then the rest of a guard's description.

use serde_json::{Value, json};

use super::guards::guard_row;
use crate::{GuardInfo, GuardRight};

pub fn guard_info(info: &GuardInfo) -> Value {
    let mut value = guard_row(&info.row);
    value["pinned"] = json!(info.pinned);
    value["rights"] = info.rights.iter().map(right).collect();
    value["exports"] = json!(info.exports);
    value["toolchain"] = json!(info.toolchain);
    value["stages"] = json!(info.stages);
    value["globs"] = json!(info.globs);
    // Text of the guard: JSON only if the guard keeps the contract.
    value["settings_schema"] = serde_json::from_str(&info.settings_schema).unwrap_or(json!(info.settings_schema));
    json!({ "guard": value })
}

fn right(GuardRight { name, why, granted: _ }: &GuardRight) -> Value {
    json!({ "name": name, "why": why })
}
