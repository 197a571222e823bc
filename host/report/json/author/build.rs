//! The component that was built.

use serde_json::{Value, json};

use crate::BuiltReport;

pub fn built(built: &BuiltReport) -> Value {
    json!({
        "id": built.id,
        "version": built.version,
        "component": built.component.to_string_lossy(),
        "digest": built.digest,
        "size": built.size,
        "imports": built.imports,
        "micros": built.micros,
    })
}
