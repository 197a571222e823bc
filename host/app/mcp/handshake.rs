//! Whether a client has introduced itself. The protocol's library answers a request that comes too early with what is missing in it for
//! the newest protocol, which says nothing to a client of an older one.

use serde_json::Value;

use crate::json_rpc::{INVALID_REQUEST, error};

/// In `_meta` of a request that needs no introduction: since the protocol of 2026-07-28 each request says its version itself.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// What a client may ask before.
const EARLY: [&str; 2] = ["ping", "server/discover"];

/// What becomes of a message of the client's.
#[derive(Debug, PartialEq)]
pub enum Passage {
    HandedOn,
    /// The client waits for this.
    Answered(Value),
    /// Nobody waits for an answer. The protocol's library would end the connection.
    Dropped,
}

#[derive(Default)]
pub struct Handshake {
    is_begun: bool,
}

impl Handshake {
    /// Before `initialize`, requests that need it are answered, and notifications and responses are dropped. What is none of them is
    /// handed on: the protocol answers it.
    pub fn passage(&mut self, message: &Value) -> Passage {
        let method = message["method"].as_str();
        let is_versioned = !message["params"]["_meta"][VERSION].is_null();
        self.is_begun |= method == Some("initialize") || is_versioned;
        if self.is_begun {
            return Passage::HandedOn;
        }
        let id = Some(&message["id"]).filter(|id| id.is_number() || id.is_string());
        match (method, id) {
            (Some(method), Some(_)) if EARLY.contains(&method) => Passage::HandedOn,
            (Some(method), Some(id)) => {
                let method: String = method.chars().take(100).collect();
                let why = format!("initialize first: the request `{method}` came before the request `initialize`");
                Passage::Answered(error(id, INVALID_REQUEST, &why))
            }
            (Some(_), None) if message.get("id").is_none() => Passage::Dropped,
            (None, _) if message.get("result").or(message.get("error")).is_some() => Passage::Dropped,
            _ => Passage::HandedOn,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn before_the_introduction_only_what_needs_none_is_handed_on() {
        let request = |method: &str, params: Value| json!({ "id": 1, "method": method, "params": params });
        let mut handshake = Handshake::default();
        for passed in
            [request("ping", Value::Null), request("server/discover", json!({})), json!([]), json!({ "id": 1 })]
        {
            assert_eq!(handshake.passage(&passed), Passage::HandedOn, "{passed}");
        }
        for dropped in [json!({ "method": "notifications/cancelled" }), json!({ "id": 1, "result": {} })] {
            assert_eq!(handshake.passage(&dropped), Passage::Dropped, "{dropped}");
        }
        let early = request("tools/list", json!({ "_meta": {} }));
        let Passage::Answered(answer) = handshake.passage(&early) else { panic!("{early}") };
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(INVALID_REQUEST)));
        for introduction in
            [request("initialize", json!({})), request("tools/list", json!({ "_meta": { (VERSION): "2026-07-28" } }))]
        {
            let mut handshake = Handshake::default();
            for message in [&introduction, &early, &json!({ "method": "notifications/cancelled" })] {
                assert_eq!(handshake.passage(message), Passage::HandedOn, "{message}");
            }
        }
    }
}
