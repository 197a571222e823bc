//! A server that runs, and HTTP to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use serde_json::Value;

use crate::support::cli::command;

/// `host serve` on a free port; ended by SIGKILL with the value.
pub struct Served {
    child: Child,
    pub url: String,
}

impl Served {
    pub fn start(data: &Path, more: &[&str]) -> Served {
        Self::start_with(data, more, &[])
    }

    pub fn start_with(data: &Path, more: &[&str], env: &[(&str, &str)]) -> Served {
        let data_text = data.to_str().expect("a name");
        let args = [&["serve", "--listen", "127.0.0.1:0", "--data", data_text], more].concat();
        let mut child = command(data.parent().expect("a folder"), &args, env).spawn().expect("host serve");
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        let mut said = String::new();
        let address = |said: &str| said.find("http://").or_else(|| said.find("https://"));
        while address(&said).is_none() {
            let read = stderr.read_line(&mut said).expect("its words");
            assert!(read > 0, "host serve ended: {said}");
        }
        let url = said[address(&said).expect("an address")..].split_whitespace().next().expect("one").to_owned();
        // What it says later must find a reader.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Served { child, url }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as `kill -9` does.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ended");
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        ask(&self.url, "GET", path, None).expect("an answer")
    }

    /// All observations, newest first, page by page.
    pub fn log(&self) -> Vec<Value> {
        let (status, rows) = self.get("/repo/agent-log?limit=1000");
        assert_eq!(status, 200, "{rows}");
        rows.as_array().expect("a list").clone()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status and body; an error when the server is gone before it answered in full.
pub fn ask(url: &str, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<(u16, Value)> {
    let (status, text) = exchange(url, method, path, &body.map(Value::to_string).unwrap_or_default())?;
    Ok((status, serde_json::from_str(&text).map_err(|_| cut())?))
}

/// The text of a success.
pub fn text(url: &str, path: &str) -> std::io::Result<String> {
    exchange(url, "GET", path, "").map(|(_, text)| text)
}

fn cut() -> std::io::Error {
    std::io::ErrorKind::UnexpectedEof.into()
}

fn exchange(url: &str, method: &str, path: &str, body: &str) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(url.trim_start_matches("http://"))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let length = body.len();
    write!(stream, "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n")?;
    write!(stream, "content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(cut)?;
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or_else(cut)?;
    Ok((status, body.to_owned()))
}
