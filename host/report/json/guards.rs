//! Who judges.

use serde_json::{Value, json};

use crate::{GuardInfo, GuardRow};

pub fn guard_row(row: &GuardRow) -> Value {
    json!({
        "id": row.id,
        "g": row.mark,
        "version": row.version,
        "source": row.source,
        "digest": row.digest,
        "mode": row.mode,
        "size": row.size,
        "imports": row.imports,
        "grants": row.grants,
        "promise": row.promise,
    })
}

pub fn guard_info(info: &GuardInfo) -> Value {
    let mut value = guard_row(&info.row);
    value["pinned"] = json!(info.pinned);
    value["rights"] = info.rights.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect();
    value["exports"] = json!(info.exports);
    value["toolchain"] = json!(info.toolchain);
    value["stages"] = json!(info.stages);
    value["globs"] = json!(info.globs);
    // A guard's own text: JSON if it keeps the contract.
    value["settings_schema"] = serde_json::from_str(&info.settings_schema).unwrap_or(json!(info.settings_schema));
    json!({ "guard": value })
}
