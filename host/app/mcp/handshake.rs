//! Whether a client has introduced itself. The protocol's library answers a request that comes too early with what is missing in it for
//! the newest protocol, which says nothing to a client of an older one.

use serde_json::{Value, json};

/// JSON-RPC's code for a message that is no request that can be answered now.
const INVALID_REQUEST: i32 = -32_600;

/// In `_meta` of a request that needs no introduction: since the protocol of 2026-07-28 each request says its version itself.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// What a client may ask before.
const EARLY: [&str; 2] = ["ping", "server/discover"];

#[derive(Default)]
pub struct Handshake {
    is_begun: bool,
}

impl Handshake {
    /// The answer to a request that comes before `initialize` and needs it; None for a message that the protocol may answer.
    pub fn objection(&mut self, message: &Value) -> Option<Value> {
        let method = message["method"].as_str()?;
        self.is_begun |= method == "initialize";
        let id = Some(&message["id"]).filter(|id| id.is_number() || id.is_string())?;
        if self.is_begun || EARLY.contains(&method) || !message["params"]["_meta"][VERSION].is_null() {
            return None;
        }
        let method: String = method.chars().take(100).collect();
        let why = format!("initialize first: the request `{method}` came before the request `initialize`");
        Some(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": INVALID_REQUEST, "message": why } }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requests_that_come_too_early_are_answered() {
        let request = |method: &str, params: Value| json!({ "id": 1, "method": method, "params": params });
        let mut handshake = Handshake::default();
        for passed in [
            request("ping", Value::Null),
            request("server/discover", json!({})),
            request("tools/list", json!({ "_meta": { (VERSION): "2026-07-28" } })),
            json!({ "method": "notifications/cancelled" }),
            json!({ "id": 1, "result": {} }),
            json!([]),
        ] {
            assert_eq!(handshake.objection(&passed), None, "{passed}");
        }
        let early = request("tools/list", json!({ "_meta": {} }));
        let answer = handshake.objection(&early).expect("an answer");
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(INVALID_REQUEST)));
        assert_eq!(handshake.objection(&request("initialize", json!({}))), None);
        assert_eq!(handshake.objection(&early), None);
    }
}
