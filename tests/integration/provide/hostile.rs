//! A server that speaks Anthropic's protocol and means ill: every question ends, with a class, and the key goes nowhere else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use guardhost_core::change::Usage;

use super::http::{ask, provider};
use crate::support::agents::{ProviderHarness, failure};

const KEY: &str = "sk-ant-a-key-like-no-other";

/// Sends bytes until the client hangs up.
type Send = fn(&mut TcpStream) -> std::io::Result<()>;

/// The address, and how often it was asked.
fn serve(
    send: impl Fn(&mut TcpStream) -> std::io::Result<()> + std::marker::Send + 'static,
) -> (String, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (url, asked) = (format!("http://{}", listener.local_addr().unwrap()), Arc::new(AtomicU32::new(0)));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            count.fetch_add(1, Ordering::SeqCst);
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) <= 2 {
                    break;
                }
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
            }
            let _ = reader.read_exact(&mut vec![0; length]);
            let _ = send(&mut stream);
        }
    });
    (url, asked)
}

const STREAM: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const START: &str = "data: {\"type\":\"message_start\",\"message\":{\"model\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n";
const DELTA: &str = "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"more and more\"}}\n\n";

fn forever(stream: &mut TcpStream, bytes: &[u8], pause: Duration) -> std::io::Result<()> {
    loop {
        stream.write_all(bytes)?;
        std::thread::sleep(pause);
    }
}

fn whole(stream: &mut TcpStream, head: &str, body: &str) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 {head}\r\nconnection: close\r\n\r\n{body}")
}

/// A message that ends with this reason, after this block.
fn message(block: &str, stop: &str) -> String {
    format!(
        "{{\"type\":\"message\",\"model\":\"m\",\"content\":[{block}],\"stop_reason\":\"{stop}\",\"usage\":{{\"input_tokens\":1,\"output_tokens\":1}}}}"
    )
}

const CASES: [(&str, &str, Send); 19] = [
    ("deltas without an end", "too-much-output", |stream| {
        stream.write_all(STREAM)?;
        forever(stream, DELTA.repeat(500).as_bytes(), Duration::ZERO)
    }),
    ("comments without an end", "too-much-output", |stream| {
        stream.write_all(STREAM)?;
        forever(stream, ": nothing\n".repeat(5_000).as_bytes(), Duration::ZERO)
    }),
    ("a line without an end", "too-much-output", |stream| {
        stream.write_all(STREAM)?;
        stream.write_all(b"data: ")?;
        forever(stream, &[b'x'; 65_536], Duration::ZERO)
    }),
    ("a byte now and then", "timeout", |stream| {
        stream.write_all(STREAM)?;
        forever(stream, b":", Duration::from_millis(50))
    }),
    ("pings without an end", "timeout", |stream| {
        stream.write_all(STREAM)?;
        forever(stream, b"event: ping\ndata: {\"type\":\"ping\"}\n\n", Duration::from_millis(20))
    }),
    ("headers without an end", "overloaded", |stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
        forever(stream, &b"x-more: and more\r\n".repeat(100), Duration::ZERO)
    }),
    ("continue without an end", "timeout", |stream| {
        forever(stream, b"HTTP/1.1 100 Continue\r\n\r\n", Duration::from_millis(5))
    }),
    ("continue without an end and without a pause", "timeout", |stream| {
        forever(stream, &b"HTTP/1.1 100 Continue\r\n\r\n".repeat(5_000), Duration::ZERO)
    }),
    ("nothing", "timeout", |stream| stream.read_to_end(&mut Vec::new()).map(drop)),
    ("a stream that breaks off", "protocol-error", |stream| {
        stream.write_all(STREAM)?;
        stream.write_all([START, DELTA].concat().as_bytes())
    }),
    ("a length that is too long", "overloaded", |stream| {
        let body = message("{\"type\":\"text\",\"text\":\"x\"}", "end_turn");
        whole(stream, "200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000", &body)
    }),
    ("a length that is too short", "protocol-error", |stream| {
        let body = message("{\"type\":\"text\",\"text\":\"x\"}", "end_turn");
        whole(stream, "200 OK\r\ncontent-type: application/json\r\ncontent-length: 40", &body)
    }),
    ("a body in a coding that was not asked for", "protocol-error", |stream| {
        whole(
            stream,
            "200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 4",
            "\u{1f}x\u{8}x",
        )
    }),
    ("a call of a tool", "protocol-error", |stream| {
        let block = "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"id\"}}";
        whole(stream, "200 OK\r\ncontent-type: application/json", &message(block, "tool_use"))
    }),
    ("a call of a tool that claims to be all", "used-tools", |stream| {
        let block = "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"id\"}}";
        whole(stream, "200 OK\r\ncontent-type: application/json", &message(block, "end_turn"))
    }),
    ("a patch after a tool of the server", "used-tools", |stream| {
        let tool = "{\"type\":\"server_tool_use\",\"id\":\"t\",\"name\":\"web_search\",\"input\":{}}";
        let blocks = format!("{tool},{{\"type\":\"text\",\"text\":\"x\"}}");
        whole(stream, "200 OK\r\ncontent-type: application/json", &message(&blocks, "end_turn"))
    }),
    ("deep JSON", "protocol-error", |stream| {
        whole(stream, "200 OK\r\ncontent-type: application/json", &"[".repeat(1_000_000))
    }),
    ("the key in an error", "auth", |stream| {
        let body =
            format!("{{\"type\":\"error\",\"error\":{{\"type\":\"authentication_error\",\"message\":\"no: {KEY}\"}}}}");
        whole(stream, "401 Unauthorized\r\ncontent-type: application/json", &body)
    }),
    ("the key in an error of no form", "overloaded", |stream| {
        whole(stream, "503 Busy\r\ncontent-type: text/html", &format!("<html>x-api-key: {KEY}</html>"))
    }),
];

fn stage() -> ProviderHarness {
    let mut stage = ProviderHarness::new();
    stage.vars = vec![("THE_KEY".into(), KEY.into())];
    stage
}

/// Most questions end by themselves, and long before their time.
const LONG: u32 = 300;

fn settings(url: &str, seconds: u32) -> String {
    format!("base_url = \"{url}/v1\"\napi = \"anthropic\"\nmodel = \"m\"\nkey_env = \"THE_KEY\"\ntimeout = {seconds}")
}

#[test]
fn every_question_to_a_hostile_server_ends() {
    let mut wrong = Vec::new();
    std::thread::scope(|scope| {
        let asked = CASES.map(|(name, class, send)| {
            let asking = scope.spawn(move || {
                let (url, _) = serve(send);
                let seconds = if class == "timeout" { 3 } else { LONG };
                let stage = stage();
                let failure = failure(ask(&stage, provider(&stage, &settings(&url, seconds))));
                let said = format!("{failure:?} {:?}", stage.events.all());
                (failure.class.name(), said)
            });
            (name, class, asking)
        });
        for (name, class, asking) in asked {
            let (found, said) = asking.join().unwrap_or_else(|_| panic!("{name}"));
            if found != class || said.contains(KEY) {
                wrong.push(format!("{name}: {found}, not {class}: {said}"));
            }
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_redirect_takes_the_key_nowhere() {
    let (elsewhere, asked) = serve(|stream| whole(stream, "200 OK", ""));
    for status in ["301 Moved", "307 Temporary", "308 Permanent"] {
        let to = format!("{status}\r\nlocation: {elsewhere}/v1/messages");
        let (url, _) = serve(move |stream| whole(stream, &to, ""));
        let stage = stage();
        failure(ask(&stage, provider(&stage, &settings(&url, LONG))));
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[test]
fn counts_that_are_no_counts_are_not_counted() {
    for (count, counted) in [
        ("-5", None),
        ("1.5", None),
        ("\"12\"", None),
        ("null", None),
        ("[1]", None),
        ("18446744073709551615", Some(u64::MAX)),
        ("18446744073709551616", None),
    ] {
        let body = format!(
            "{{\"type\":\"message\",\"model\":\"m\",\"content\":[{{\"type\":\"text\",\"text\":\"x\"}}],\"stop_reason\":\"end_turn\",\
             \"usage\":{{\"input_tokens\":{count},\"output_tokens\":{count},\"cache_read_input_tokens\":{count}}}}}"
        );
        let (url, _) = serve(move |stream| whole(stream, "200 OK\r\ncontent-type: application/json", &body));
        let stage = stage();
        let reply = ask(&stage, provider(&stage, &settings(&url, LONG))).unwrap();
        let wanted = Usage { input_tokens: counted, output_tokens: counted, cost_usd: None };
        assert_eq!(reply.usage, wanted, "{count}");
    }
}
