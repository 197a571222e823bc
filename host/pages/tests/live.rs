//! Pages of a server that is stopped and started again while a run goes on: nothing is lost, nothing stands there twice.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use guardhost_pages::{Bundle, Mount, Page, PageSettings, document};
use serde_json::{Value, json};

use crate::support::browser::Browser;

/// What outlives the server.
#[derive(Default)]
struct Store {
    bundle: Bundle,
    /// The id of an event is its place, from 1.
    events: Vec<Value>,
}

impl Store {
    fn add(&mut self, event: &str, data: Value) {
        let mut line = json!({ "ts": "2026-11-23T02:32:46.332383Z", "run": "01a2", "round": 1, "seq": self.events.len(), "event": event });
        line.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
        assert!(self.bundle.add_event(&line));
        self.bundle.runs.get_mut("01a2").unwrap().alive = true;
        self.events.push(line);
    }
}

/// The least of a server: pages, and events with resume.
struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    fn start(address: &str, store: &Arc<Mutex<Store>>) -> Self {
        let deadline = Instant::now() + Duration::from_secs(60);
        let listener = loop {
            match TcpListener::bind(address) {
                Ok(listener) => break listener,
                Err(error) => assert!(Instant::now() < deadline, "{error}"),
            }
            sleep(Duration::from_millis(20));
        };
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (store, ending) = (Arc::clone(store), Arc::clone(&stop));
        let accept = std::thread::spawn(move || {
            while !ending.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => {
                        stream.set_nonblocking(false).unwrap();
                        let (store, ending) = (Arc::clone(&store), Arc::clone(&ending));
                        // Ends with its connection, or with the server.
                        std::thread::spawn(move || drop(answer(stream, &store, &ending)));
                    }
                    Err(_) => sleep(Duration::from_millis(5)),
                }
            }
        });
        Server { address, stop, threads: vec![accept] }
    }

    /// At once, as a kill does: connections break off.
    fn kill(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.into_iter().for_each(|thread| thread.join().unwrap());
        sleep(Duration::from_millis(50));
    }
}

fn answer(mut stream: TcpStream, store: &Mutex<Store>, stop: &AtomicBool) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let path = request.split(' ').nth(1).unwrap_or("/").to_owned();
    let mut last = 0;
    for line in lines {
        let line = line?;
        if line.is_empty() {
            break;
        }
        if let Some(id) = line.to_ascii_lowercase().strip_prefix("last-event-id: ") {
            last = id.trim().parse().unwrap_or(0);
        }
    }
    if path == "/events" {
        write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\nretry: 100\n\n"
        )?;
        while !stop.load(Ordering::Relaxed) {
            let fresh: Vec<Value> = store.lock().unwrap().events.iter().skip(last).cloned().collect();
            for event in fresh {
                last += 1;
                write!(stream, "id: {last}\nevent: {}\ndata: {event}\n\n", event["event"].as_str().unwrap())?;
            }
            sleep(Duration::from_millis(10));
        }
        return Ok(());
    }
    let mount = Mount { prefix: String::new(), events: Some("/events".to_owned()), has_fleet: false };
    let bundle = store.lock().unwrap().bundle.clone();
    let page = Page::from_path(&path).and_then(|page| document(&bundle, &page, &mount, PageSettings::default()));
    let (status, policy, body) = match page {
        Some(document) => ("200 OK", document.policy, document.html),
        None => ("404 Not Found", "default-src 'none'".to_owned(), String::new()),
    };
    assert!(status != "200 OK" || policy.ends_with("frame-ancestors 'none'"), "{policy}");
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-security-policy: {policy}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn verdict(id: &str) -> Value {
    json!({ "id": id, "verdict": "pass", "micros": 7, "fuel": 8, "findings": [] })
}

#[test]
fn verdicts_appear_and_a_restart_loses_and_doubles_nothing() {
    let Some(mut browser) = Browser::start() else { return };
    let store = Arc::new(Mutex::new(Store::default()));
    let add = |event: &str, data: Value| store.lock().unwrap().add(event, data);
    add("run-started", json!({ "task": "A live task", "provider": "claude", "rounds": 2 }));
    add("placed", json!({}));
    let mut server = Server::start("127.0.0.1:0", &store);
    let address = server.address.to_string();
    browser.open(&format!("http://{address}/runs/01a2"));
    browser.wait("document.getElementById('live').textContent === 'live'");

    let began = Instant::now();
    add("judged", verdict("first"));
    browser.wait("document.getElementById('v-01a2-1-first')");
    println!("a verdict stands on the page {} ms after its event", began.elapsed().as_millis());

    // What a reader opened stays open, and what is equal is left as it is.
    browser.value("(() => { document.getElementById('v-01a2-1-first').dataset.mine = 'yes'; return 0; })()");
    let (mut expected, mut slowest) = (vec!["first".to_owned()], Duration::ZERO);
    for number in 0..30 {
        if number % 10 == 5 {
            server.kill();
            // Events go on while the server is away.
            for late in 0..3 {
                let id = format!("away-{number}-{late}");
                add("judged", verdict(&id));
                expected.push(id);
            }
            server = Server::start(&address, &store);
        }
        let id = format!("guard-{number}");
        let began = Instant::now();
        add("judged", verdict(&id));
        browser.wait(&format!("document.getElementById('v-01a2-1-{id}')"));
        if number % 10 != 5 {
            slowest = slowest.max(began.elapsed());
        }
        expected.push(id);
    }
    // One stage of the round is shown, however often it has grown.
    assert_eq!(browser.value("document.querySelectorAll('details.stage:not([hidden])').length"), json!(1));
    println!("the slowest of 27 verdicts stood there after {} ms", slowest.as_millis());
    let shown = browser.value(
        "[...document.querySelectorAll('tr[id^=v-01a2-1-]')].map(row => row.id.slice('v-01a2-1-'.length)).sort()",
    );
    expected.sort();
    assert_eq!(shown, json!(expected));
    assert_eq!(
        browser.text("document.getElementById('v-01a2-1-first').dataset.mine || 'replaced'"),
        "replaced",
        "an attribute that the server does not send goes"
    );

    add("committed", json!({}));
    add("run-ended", json!({ "outcome": "committed", "commit": "28c42470", "micros": 53980 }));
    browser.wait("document.querySelector('.head .chip').textContent.includes('committed')");
    assert_eq!(browser.value("document.querySelectorAll('article.round').length"), json!(1));
    let complaints: Vec<_> = browser.complaints.iter().filter(|text| !text.contains("ERR_")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    server.kill();
}
