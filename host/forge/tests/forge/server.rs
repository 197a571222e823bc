//! HTTP/1.1 with one request a connection, and `git http-backend` behind it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Face, Shared, TOKEN, api, git};

pub struct Request {
    pub method: String,
    /// Without the query; for the API, after its address.
    pub path: String,
    pub query: String,
    /// Names in lower case.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(String::as_str).unwrap_or_default()
    }

    pub fn query(&self, name: &str) -> Option<String> {
        self.query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| decoded(value))
    }
}

pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// A value of a query.
pub fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.bytes());
    while let Some(byte) = rest.next() {
        let hex = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16)).expect("a hexadecimal digit");
        bytes.push(if byte == b'%' { (hex(rest.next()) * 16 + hex(rest.next())) as u8 } else { byte });
    }
    String::from_utf8(bytes).expect("UTF-8")
}

pub fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.state().is_over {
            return;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        std::thread::spawn(move || {
            let Some(request) = read(&stream) else { return };
            if let Some(response) = answer(request, &shared) {
                write(&stream, &response);
            }
        });
    }
}

/// None: the connection is closed without an answer.
fn answer(mut request: Request, shared: &Shared) -> Option<Response> {
    for face in Face::ALL {
        if let Some(path) = request.path.strip_prefix(face.path()) {
            request.path = path.to_owned();
            return api::answer(face, &request, shared);
        }
    }
    if let Some(job) = request.path.strip_prefix("/logs/") {
        return Some(log(&request, job, shared));
    }
    Some(serve_git(&request, shared))
}

/// The storage of logs, which is another service: it must not see the token.
fn log(request: &Request, job: &str, shared: &Shared) -> Response {
    let mut state = shared.state();
    if !request.header("authorization").is_empty() {
        state.violations.push("the storage of logs was sent the token".to_owned());
    }
    let jobs = state.runs.iter().flat_map(|run| &run.jobs);
    let text = jobs.into_iter().find(|found| found.id.to_string() == job).map(|job| job.log.clone());
    Response { status: 200, headers: Vec::new(), body: text.unwrap_or_default().into_bytes() }
}

fn serve_git(request: &Request, shared: &Shared) -> Response {
    // While the processes of the push wait for the answer.
    let seen = command_lines();
    shared.state().command_lines.extend(seen);
    // A forge keeps the head of each pull request under a ref of its own.
    git::keep_heads(&shared.repository(), &shared.state().pulls);
    let wanted = format!("Basic {}", STANDARD.encode(format!("x-access-token:{TOKEN}")));
    if request.header("authorization") != wanted {
        let headers = vec![("www-authenticate".to_owned(), "Basic realm=\"forge\"".to_owned())];
        return Response { status: 401, headers, body: b"sign in".to_vec() };
    }
    let mut child = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", &shared.root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REMOTE_USER", "robot")
        .env("PATH_INFO", &request.path)
        .env("QUERY_STRING", &request.query)
        .env("REQUEST_METHOD", &request.method)
        .env("CONTENT_TYPE", request.header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding"))
        .env("GIT_PROTOCOL", request.header("git-protocol"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git http-backend");
    let mut stdin = child.stdin.take().expect("stdin");
    let body = request.body.clone();
    let writer = std::thread::spawn(move || stdin.write_all(&body));
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("written").expect("written");
    let mut lines = BufReader::new(output.stdout.as_slice());
    let mut response = Response { status: 200, headers: Vec::new(), body: Vec::new() };
    loop {
        let mut line = String::new();
        lines.read_line(&mut line).expect("a header");
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        if name == "Status" {
            response.status = value[..3].parse().expect("a status");
        } else {
            response.headers.push((name.to_owned(), value.to_owned()));
        }
    }
    lines.read_to_end(&mut response.body).expect("a body");
    response
}

/// The words of every process of this machine.
fn command_lines() -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let words = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    words.map(|words| String::from_utf8_lossy(&words).replace('\0', " ")).collect()
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (path, query) = target.split_once('?').map_or((target.as_str(), ""), |(path, query)| (path, query));
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let mut request = Request { method, path: path.to_owned(), query: query.to_owned(), headers, body: Vec::new() };
    if request.header("expect").eq_ignore_ascii_case("100-continue") {
        (&mut &*stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
    }
    if request.header("transfer-encoding") == "chunked" {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).ok()?;
            request.body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                break;
            }
        }
    } else {
        let length = request.header("content-length").parse().unwrap_or(0);
        request.body = vec![0; length];
        reader.read_exact(&mut request.body).ok()?;
    }
    Some(request)
}

fn write(mut stream: &TcpStream, response: &Response) {
    let mut head = format!("HTTP/1.1 {} -\r\nconnection: close\r\n", response.status);
    if response.status != 304 {
        head.push_str(&format!("content-length: {}\r\n", response.body.len()));
    }
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // The client may have gone.
    let _ = stream.write_all(format!("{head}\r\n").as_bytes()).and_then(|()| stream.write_all(&response.body));
}
