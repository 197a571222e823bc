//! An HTTP server that sends prepared answers, byte for byte; a test sets how slow and how broken they are.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

/// What one request is answered with.
#[derive(Debug, Clone, Default)]
pub struct Play {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// Sent as one chunk each.
    pub chunks: Vec<Vec<u8>>,
    /// Before every chunk.
    pub pause: Duration,
    /// The connection ends without the chunk that says so.
    pub cut: bool,
    /// After the last chunk the connection stays open until the client closes it.
    pub hang: bool,
}

impl Play {
    pub fn new(status: u16, kind: &str, body: &str) -> Play {
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        Play { status, headers, chunks: vec![body.as_bytes().to_vec()], ..Play::default() }
    }

    /// An answer as a stream, in chunks that respect neither lines nor letters.
    pub fn stream(body: &str) -> Play {
        let chunks = body.as_bytes().chunks(7).map(<[u8]>::to_vec).collect();
        Play { chunks, ..Play::new(200, "text/event-stream; charset=utf-8", "") }
    }
}

#[derive(Debug, Clone)]
pub struct Request {
    /// `POST /v1/chat/completions`
    pub line: String,
    /// Lower-case names.
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

pub struct Server {
    /// `http://127.0.0.1:PORT`
    pub url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// A connection, encrypted or not.
pub trait Talk: Read + Write {}

impl<T: Read + Write> Talk for T {}

impl Server {
    /// Sends one answer after another; the last one again and again.
    pub fn start(plays: Vec<Play>) -> Server {
        Self::wrapped(plays, |stream| Box::new(stream))
    }

    /// The same over what `wrap` makes of each connection.
    pub fn wrapped(plays: Vec<Play>, wrap: impl Fn(TcpStream) -> Box<dyn Talk> + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = wrap(stream.expect("a connection"));
                // Nothing was asked when the other side broke off the handshake.
                let Ok(request) = read(&mut stream) else { continue };
                let number = {
                    let mut seen = seen.lock().unwrap();
                    seen.push(request);
                    seen.len() - 1
                };
                // Whoever hangs up early is part of the tests.
                let _ = play(&mut stream, &plays[number.min(plays.len() - 1)]);
            }
        });
        Server { url, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn read(stream: &mut dyn Talk) -> std::io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).map(|_| line.trim_end().to_owned())
    };
    let first = line()?;
    let mut headers = Vec::new();
    loop {
        let header = line()?;
        let Some((name, value)) = header.split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, length)| length.parse().expect("a number"));
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Request {
        line: first.trim_end_matches(" HTTP/1.1").to_owned(),
        headers,
        body: if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).expect("JSON") },
    })
}

fn play(stream: &mut dyn Talk, play: &Play) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 {} Played\r\ntransfer-encoding: chunked\r\nconnection: close\r\n", play.status)?;
    for (name, value) in &play.headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    stream.write_all(b"\r\n")?;
    for chunk in play.chunks.iter().filter(|chunk| !chunk.is_empty()) {
        std::thread::sleep(play.pause);
        write!(stream, "{:x}\r\n", chunk.len())?;
        stream.write_all(chunk)?;
        stream.write_all(b"\r\n")?;
        stream.flush()?;
    }
    if play.hang {
        stream.read_to_end(&mut Vec::new())?;
    }
    if !play.cut {
        stream.write_all(b"0\r\n\r\n")?;
    }
    Ok(())
}
