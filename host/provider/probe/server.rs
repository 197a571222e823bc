//! A server on this machine that keeps the bodies of all requests and refuses them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// Bytes of one request; an agent's first one has under a megabyte.
const MOST: u64 = 16 << 20;

/// How long a connection may say nothing.
const SILENCE: Duration = Duration::from_secs(10);

/// What no agent tries again.
const REFUSAL: &str = r#"{"type":"error","error":{"type":"invalid_request_error","message":"this server only looks","code":400,"status":"INVALID_ARGUMENT"}}"#;

pub(super) struct RefusingServer {
    url: String,
    port: u16,
    bodies: Arc<Mutex<Vec<Value>>>,
    stopped: Arc<AtomicBool>,
}

impl RefusingServer {
    pub(super) fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let bodies: Arc<Mutex<Vec<Value>>> = Arc::default();
        let stopped: Arc<AtomicBool> = Arc::default();
        let (kept, stop) = (Arc::clone(&bodies), Arc::clone(&stopped));
        thread::Builder::new().spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Acquire) {
                    break;
                }
                let kept = Arc::clone(&kept);
                // A client that is not served tries again, or gives up.
                let _ = thread::Builder::new().spawn(move || {
                    let body = stream.and_then(|stream| refuse(&stream));
                    if let Ok(Some(body)) = body {
                        kept.lock().unwrap_or_else(PoisonError::into_inner).push(body);
                    }
                });
            }
        })?;
        Ok(RefusingServer { url: format!("http://127.0.0.1:{port}"), port, bodies, stopped })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn requests(&self) -> Vec<Value> {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for RefusingServer {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Release);
        // The listener waits for one more connection.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

/// Answers one request; its body, if it is JSON.
fn refuse(stream: &TcpStream) -> io::Result<Option<Value>> {
    stream.set_read_timeout(Some(SILENCE))?;
    let mut reader = BufReader::new(stream.take(MOST));
    let (mut length, mut chunked, mut upgrade) = (0, false, false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        let line = line.to_ascii_lowercase();
        match line.split_once(':').map(|(name, value)| (name, value.trim())) {
            Some(("content-length", value)) => length = value.parse().unwrap_or(0),
            Some(("transfer-encoding", value)) => chunked = value.contains("chunked"),
            Some(("upgrade", _)) => upgrade = true,
            _ => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        while read_chunk(&mut reader, &mut body)? {}
    } else {
        (&mut reader).take(length).read_to_end(&mut body)?;
    }
    // 426 has codex fall back to plain HTTP at once.
    let status = if upgrade { "426 Upgrade Required" } else { "400 Bad Request" };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{REFUSAL}",
        REFUSAL.len()
    )?;
    Ok(serde_json::from_slice(&body).ok())
}

/// False after the last chunk.
fn read_chunk(reader: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<bool> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let size = u64::from_str_radix(line.trim().split(';').next().unwrap_or_default(), 16);
    let size = size.map_err(|_| io::ErrorKind::InvalidData)?;
    reader.take(size).read_to_end(body)?;
    reader.read_line(&mut String::new())?;
    Ok(size > 0)
}
