//! `refusal` of a check, an application or a patch; `setback` of a round.

use serde_json::{Value, json};

use crate::Refusal;

pub fn refusal(refusal: &Refusal) -> Value {
    json!({
        "kind": refusal.kind,
        "code": refusal.code,
        "path": refusal.path,
        "message": refusal.message,
        "at": refusal.at,
    })
}
