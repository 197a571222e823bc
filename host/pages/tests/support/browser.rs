//! A headless Chromium, driven over two pipes: its DevTools protocol is JSON with a NUL between messages, so no crate is needed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

const PROGRAM: &str = "chromium-headless-shell";
/// For one answer; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// A tab of the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tab(String);

pub struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next: u64,
    session: String,
    /// What the page asked for, or complained of.
    pub requests: Vec<String>,
    pub complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// None where no browser is installed, which is shown; a panic where `GUARDHOST_TEST_REQUIRE` asks for it.
    pub fn start() -> Option<Self> {
        let installed = Command::new(PROGRAM).arg("--version").output().is_ok_and(|output| output.status.success());
        if !installed {
            let required = std::env::var("GUARDHOST_TEST_REQUIRE").unwrap_or_default();
            assert!(
                !required.split(',').any(|name| ["all", "chromium"].contains(&name.trim())),
                "{PROGRAM} is required"
            );
            let test = std::thread::current().name().unwrap_or("a test").to_owned();
            // The print macros are captured.
            let _ =
                std::io::stderr().write_all(format!("SKIPPED {test}: chromium: `{PROGRAM}` does not run\n").as_bytes());
            return None;
        }
        let profile = tempfile::tempdir().expect("a folder");
        // The protocol is spoken on 3 and 4; the shell puts its own input and output there.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null", PROGRAM])
            .args(["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .args(["--hide-scrollbars", "--force-color-profile=srgb", "--lang=en-GB", "--window-size=1280,900"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .env("TZ", "Europe/Rome")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a browser");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0) {
                let Ok(message) = message else { return };
                let Ok(message) = serde_json::from_slice(&message) else { return };
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let (requests, complaints) = (Vec::new(), Vec::new());
        let mut browser = Browser {
            child,
            input,
            messages,
            next: 0,
            session: String::new(),
            requests,
            complaints,
            _profile: profile,
        };
        browser.new_tab();
        Some(browser)
    }

    /// Opens another tab and goes to it.
    pub fn new_tab(&mut self) -> Tab {
        self.session.clear();
        let target = self.ask("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = self.ask("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        self.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Network", "Log", "Performance"] {
            self.ask(&format!("{domain}.enable"), json!({}));
        }
        self.tab()
    }

    /// The one that is asked.
    pub fn tab(&self) -> Tab {
        Tab(self.session.clone())
    }

    pub fn use_tab(&mut self, tab: &Tab) {
        self.session.clone_from(&tab.0);
    }

    /// Closes the one that is asked; another must be named then.
    pub fn close_tab(&mut self) {
        self.ask("Page.close", json!({}));
        self.session.clear();
    }

    /// The result of a method.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now()));
            let answer = answer.unwrap_or_else(|error| panic!("{method}: {error}"));
            if answer["id"] == json!(self.next) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                self.requests.push(params["request"]["url"].as_str().unwrap_or("?").to_owned())
            }
            Some("Log.entryAdded") => self.complaints.push(params["entry"]["text"].to_string()),
            Some("Runtime.exceptionThrown") => self.complaints.push(params["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") => self.complaints.push(params["args"].to_string()),
            Some("Page.javascriptDialogOpening") => self.complaints.push(format!("a dialog: {}", params["message"])),
            _ => {}
        }
    }

    /// Goes to an address, and waits until it is loaded.
    pub fn open(&mut self, url: &str) {
        // A fragment alone would load nothing.
        self.ask("Page.navigate", json!({ "url": "about:blank" }));
        self.wait("location.href === 'about:blank'");
        self.requests.clear();
        self.ask("Page.navigate", json!({ "url": url }));
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'");
    }

    pub fn open_file(&mut self, file: &Path, fragment: &str) {
        self.open(&format!("file://{}{fragment}", file.display()));
    }

    /// The value of an expression.
    pub fn value(&mut self, expression: &str) -> Value {
        let answer = self
            .ask("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    pub fn text(&mut self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_else(|| panic!("{expression} is no string")).to_owned()
    }

    /// Until it is true.
    #[track_caller]
    pub fn wait(&mut self, condition: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.value(&format!("Boolean({condition})")) != json!(true) {
            assert!(Instant::now() < deadline, "never: {condition}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let text = if key.len() == 1 && kind == "keyDown" { json!(key) } else { Value::Null };
            let mut params = json!({ "type": kind, "key": key });
            if !text.is_null() {
                params["text"] = text;
            }
            self.ask("Input.dispatchKeyEvent", params);
        }
    }

    pub fn theme(&mut self, theme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.ask("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    pub fn scripts(&mut self, on: bool) {
        self.ask("Emulation.setScriptExecutionDisabled", json!({ "value": !on }));
    }

    /// A picture of the window.
    pub fn picture(&mut self, file: &Path) {
        let data = self.ask("Page.captureScreenshot", json!({ "format": "png" }))["data"].clone();
        let bytes = base64::engine::general_purpose::STANDARD.decode(data.as_str().expect("data")).expect("base64");
        std::fs::write(file, bytes).expect("written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page in a file of its own.
pub fn file(folder: &Path, html: &str) -> PathBuf {
    let file = folder.join("report.html");
    std::fs::write(&file, html).expect("written");
    file
}
