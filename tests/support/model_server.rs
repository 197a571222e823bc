//! A server that speaks as the services of Anthropic, OpenAI and Google do, and says what a test wrote. For agents as they are published.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// One answer of the model.
#[derive(Debug, Clone)]
pub enum Turn {
    Says(&'static str),
    /// A call of a tool with JSON arguments.
    Calls(&'static str, Value),
    /// A call of a tool of OpenAI that takes plain text, in a namespace.
    CallsCustom(Option<&'static str>, &'static str, &'static str),
    /// An error of the service.
    Refuses(u16, Value),
    /// A stream without an end.
    Drones,
}

/// What a model was asked.
#[derive(Debug, Clone)]
pub struct Asked {
    pub body: Value,
}

pub struct ModelServer {
    /// `http://127.0.0.1:PORT`
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl ModelServer {
    /// One turn after another; the last one again and again.
    pub fn start(turns: Vec<Turn>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (seen, turns) = (Arc::clone(&asked), Arc::new(turns));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, turns) = (Arc::clone(&seen), Arc::clone(&turns));
                std::thread::spawn(move || {
                    // An agent that hangs up early is part of the tests.
                    let _ = serve(&stream.expect("a connection"), &seen, &turns);
                });
            }
        });
        ModelServer { url, asked }
    }

    /// The questions to a model; others (is there a network, which models are there) are left out.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The names of all tools that models were offered.
    pub fn offered(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.asked().iter().for_each(|asked| tools(&asked.body, &mut found));
        found.sort();
        found.dedup();
        found
    }
}

fn tools(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for list in ["tools", "functionDeclarations"].iter().filter_map(|key| fields.get(*key)?.as_array()) {
                let named = list.iter().filter(|tool| tool.get("tools").or(tool.get("functionDeclarations")).is_none());
                found.extend(named.map(|tool| tool["name"].as_str().unwrap_or("a tool without a name").to_owned()));
            }
            fields.values().for_each(|value| tools(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| tools(value, found)),
        _ => {}
    }
}

fn serve(stream: &TcpStream, seen: &Mutex<Vec<Asked>>, turns: &[Turn]) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let (mut length, mut upgrade) = (0, false);
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? <= 2 {
            break;
        }
        let header = header.to_ascii_lowercase();
        upgrade |= header.starts_with("upgrade:");
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = line.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default().to_owned();
    let api = match () {
        () if path.ends_with("/messages") => anthropic,
        () if path.ends_with("/responses") => openai,
        () if path.ends_with("enerateContent") => gemini,
        () => return send(stream, 404, "application/json", "{\"error\":{\"message\":\"no such thing\"}}"),
    };
    if upgrade || !line.starts_with("POST") {
        return send(stream, 426, "text/plain", "");
    }
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(Asked { body: serde_json::from_slice(&body).expect("JSON") });
        seen.len() - 1
    };
    let turn = &turns[number.min(turns.len() - 1)];
    match turn {
        Turn::Refuses(status, error) => send(stream, *status, "application/json", &error.to_string()),
        Turn::Drones => {
            let mut stream = stream;
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")?;
            loop {
                stream.write_all(b"event: ping\ndata: {\"type\":\"ping\"}\n\n")?;
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        }
        Turn::Says(_) | Turn::Calls(..) | Turn::CallsCustom(..) => {
            let events: String = api(turn, number)
                .iter()
                .map(|event| match event["type"].as_str() {
                    Some(kind) => format!("event: {kind}\ndata: {event}\n\n"),
                    None => format!("data: {event}\n\n"),
                })
                .collect();
            send(stream, 200, "text/event-stream", &events)
        }
    }
}

fn send(mut stream: &TcpStream, status: u16, kind: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} Played\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

fn anthropic(turn: &Turn, number: usize) -> Vec<Value> {
    let (block, delta, stop) = match turn {
        Turn::Says(text) => {
            (json!({ "type": "text", "text": "" }), json!({ "type": "text_delta", "text": text }), "end_turn")
        }
        Turn::Calls(name, arguments) => (
            json!({ "type": "tool_use", "id": format!("toolu_{number}"), "name": name, "input": {} }),
            json!({ "type": "input_json_delta", "partial_json": arguments.to_string() }),
            "tool_use",
        ),
        other => panic!("{other:?} is not for this API"),
    };
    let usage = json!({ "input_tokens": 10, "output_tokens": 1 });
    vec![
        json!({ "type": "message_start", "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-played", "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": usage
        }}),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": stop, "stop_sequence": null }, "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ]
}

fn openai(turn: &Turn, number: usize) -> Vec<Value> {
    let call = format!("call_{number}");
    let item = match turn {
        Turn::Says(text) => json!({
            "type": "message", "role": "assistant", "id": "msg_1", "content": [{ "type": "output_text", "text": text }]
        }),
        Turn::Calls(name, arguments) => json!({
            "type": "function_call", "id": "fc_1", "call_id": call, "name": name, "arguments": arguments.to_string()
        }),
        Turn::CallsCustom(namespace, name, input) => {
            let mut item =
                json!({ "type": "custom_tool_call", "id": "ct_1", "call_id": call, "name": name, "input": input });
            if let Some(namespace) = namespace {
                item["namespace"] = json!(namespace);
            }
            item
        }
        other => panic!("{other:?} is not for this API"),
    };
    let usage = json!({
        "input_tokens": 10, "input_tokens_details": null, "output_tokens": 5, "output_tokens_details": null, "total_tokens": 15
    });
    vec![
        json!({ "type": "response.created", "response": { "id": "resp_1" } }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": { "id": "resp_1", "usage": usage } }),
    ]
}

fn gemini(turn: &Turn, _: usize) -> Vec<Value> {
    let part = match turn {
        Turn::Says(text) => json!({ "text": text }),
        Turn::Calls(name, arguments) => json!({ "functionCall": { "name": name, "args": arguments } }),
        other => panic!("{other:?} is not for this API"),
    };
    let usage = json!({ "promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15 });
    vec![json!({
        "candidates": [{ "content": { "role": "model", "parts": [part] }, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": usage, "modelVersion": "gemini-played"
    })]
}
