//! An editor without a screen: a client of the Language Server Protocol on the standard input and output of a program.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};

use serde_json::{Value, json};

pub struct LspClient {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    asked: i64,
    /// Notifications that nobody has waited for yet.
    heard: VecDeque<Value>,
    /// All that was said from either side, in order.
    pub talk: Vec<Value>,
}

/// The address of a file, whose path has no characters to escape.
pub fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl LspClient {
    /// Starts the program, whose input and output are pipes.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().expect("the server starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        LspClient { child, stdin, stdout, asked: 0, heard: VecDeque::new(), talk: Vec::new() }
    }

    /// Introduces itself, and returns the answer.
    pub fn hello(&mut self, capabilities: Value) -> Value {
        let answer =
            self.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        self.tell("initialized", json!({}));
        answer
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The answer to a request, without what came before it.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let mut request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method });
        if !params.is_null() {
            request["params"] = params;
        }
        self.send(request);
        loop {
            let said = self.read();
            match said.get("id") {
                Some(id) if *id == json!(self.asked) => return said,
                _ => self.heard.push_back(said),
            }
        }
    }

    pub fn open(&mut self, path: &Path, text: &str) -> String {
        let uri = address(path);
        let document = json!({ "uri": uri, "languageId": "any", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        uri
    }

    /// The document has another text now.
    pub fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The next diagnostics of a document.
    pub fn diagnostics(&mut self, uri: &str) -> Value {
        loop {
            let said = match self.heard.pop_front() {
                Some(said) => said,
                None => self.read(),
            };
            if said["method"] == "textDocument/publishDiagnostics" && said["params"]["uri"] == uri {
                return said["params"].clone();
            }
        }
    }

    /// Whether something is published about a document before the server answers a question that it knows nothing of.
    pub fn publishes(&mut self, uri: &str) -> bool {
        self.ask("guardhost/unknown", json!({}));
        self.heard.iter().any(|said| said["params"]["uri"] == uri)
    }

    /// Says goodbye as the protocol wants it.
    pub fn end(mut self) -> (ExitStatus, Vec<Value>) {
        self.ask("shutdown", Value::Null);
        self.send(json!({ "jsonrpc": "2.0", "method": "exit" }));
        self.stdin = None;
        (self.child.wait().expect("it ends"), std::mem::take(&mut self.talk))
    }

    /// Closes the connection without a word.
    pub fn leave(mut self) -> ExitStatus {
        self.stdin = None;
        self.child.wait().expect("it ends")
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        self.say(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        self.talk.push(message);
    }

    /// Says bytes, which may be no message.
    pub fn say(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the connection is open");
        stdin.write_all(bytes).expect("it listens");
        stdin.flush().expect("it listens");
    }

    /// What the server says next.
    pub fn read(&mut self) -> Value {
        let mut length = None;
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).expect("a header") > 0, "the server has ended: {:?}", self.talk);
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().ok(),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length.expect("a length")];
        self.stdout.read_exact(&mut bytes).expect("a message");
        let said: Value = serde_json::from_slice(&bytes).expect("JSON");
        self.talk.push(said.clone());
        said
    }
}

impl Drop for LspClient {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
