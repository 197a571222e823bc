//! One guard of a list.

use serde_json::{Value, json};

use crate::GuardRow;

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
