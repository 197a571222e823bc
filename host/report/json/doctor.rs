//! Whether all checks passed, then the checks.

use serde_json::{Value, json};

use crate::DoctorRow;

pub fn doctor(rows: &[DoctorRow]) -> Value {
    json!({
        "ok": !rows.iter().any(|row| row.ok.is_failure()),
        "checks": rows.iter().map(check).collect::<Vec<_>>(),
    })
}

fn check(row: &DoctorRow) -> Value {
    json!({ "name": row.name, "ok": row.ok.word(), "detail": row.detail, "hint": row.hint })
}
