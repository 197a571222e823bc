//! How fast the observer is, over HTTP on this machine: `cargo bench -p guardhost-service`.
//!
//! Prints figures, and ends with 1 when one is over its bar: at least 2,000 observations a second acknowledged with 50 clients, p99 of 25 ms
//! at most; the newest 200 observations within 10 ms (p99) of a million rows; of 1,000 racing claims one wins, and fences rise. All of it on
//! SQLite and on every PostgreSQL that is installed. `GUARDHOST_BARS_HOST=FILE` names a `guardhost-server` in release, whose start (30 ms at
//! most) and memory at rest (25 MB at most) are measured; `GUARDHOST_BARS=program,sqlite,postgres` picks some.

#[path = "../../../../tests/support/servers.rs"]
mod servers;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use guardhost_observer::wire::NewObservation;
use guardhost_service::answers::Roots;
use guardhost_service::http::ServerLimits;
use guardhost_service::serve::{Server, ServerSettings};
use guardhost_service::storage::Storage;
use guardhost_service::storage::postgres::PostgresStore;
use guardhost_service::storage::retention::Retention;
use guardhost_service::storage::sqlite::{FILE, Sqlite};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use uuid::Uuid;

const CLIENTS: usize = 50;
const EACH: usize = 400;
const ROWS: usize = 1_000_000;
const LOGS: usize = 500;
const STARTS: usize = 20;

/// A connection that stays open.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("set");
        Connection(BufReader::new(stream))
    }

    /// Status and length of the body.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> (u16, Vec<u8>) {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.get_mut().write_all(head.as_bytes()).expect("sent");
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            self.0.read_line(&mut line).expect("a line");
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(code) = line.strip_prefix("http/1.1 ") {
                status = code[..3].parse().expect("a status");
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().expect("a length");
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).expect("a body");
        (status, body)
    }
}

fn observation(number: usize) -> NewObservation {
    let json = json!({ "id": Uuid::now_v7(), "repo": format!("{:032x}", number % 20), "run_id": format!("run-{}", number / 7),
        "agent": "guardhost", "outcome": "fail", "subtask_id": "T1-S1", "tree": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "touched_files": ["src/a.py", "src/b.py"], "failure_modes": ["syntax-holds", "no-test-regressions"], "model": "claude-opus-4-5" });
    serde_json::from_value(json).expect("an observation")
}

fn percentile(times: &mut [Duration], part: f64) -> Duration {
    times.sort();
    let at = ((times.len() - 1) as f64 * part).round() as usize;
    times[at]
}

struct Bars {
    failed: bool,
}

impl Bars {
    fn show(&mut self, what: &str, figure: String, holds: bool) {
        self.failed |= !holds;
        println!("{} {what}: {figure}", if holds { "ok  " } else { "OVER" });
    }
}

fn observe(address: &str, bars: &mut Bars) {
    let begun = Instant::now();
    let threads: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let address = address.to_owned();
            std::thread::spawn(move || {
                let mut connection = Connection::open(&address);
                let mut times = Vec::new();
                for number in 0..EACH {
                    let body = serde_json::to_string(&observation(client * EACH + number)).expect("JSON");
                    let begun = Instant::now();
                    let (status, _) = connection.ask("POST", "/observation", &body);
                    times.push(begun.elapsed());
                    assert_eq!(status, 200);
                }
                times
            })
        })
        .collect();
    let mut times: Vec<Duration> = threads.into_iter().flat_map(|thread| thread.join().expect("a client")).collect();
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    let (middle, late) = (percentile(&mut times, 0.5), percentile(&mut times, 0.99));
    bars.show("observations a second, 50 clients", format!("{rate:.0}"), rate >= 2_000.0);
    bars.show("  acknowledged, p50 and p99", format!("{middle:?}, {late:?}"), late <= Duration::from_millis(25));
}

fn log(address: &str, bars: &mut Bars) {
    let mut connection = Connection::open(address);
    for (what, path) in [
        ("of a repository", format!("/repo/agent-log?limit=200&since=7d&repo={:032x}", 7)),
        ("of all", "/repo/agent-log?limit=200".to_owned()),
    ] {
        let mut times = Vec::new();
        for _ in 0..LOGS {
            let begun = Instant::now();
            let (status, body) = connection.ask("GET", &path, "");
            times.push(begun.elapsed());
            assert!(status == 200 && body.len() > 10_000);
        }
        let (middle, late) = (percentile(&mut times, 0.5), percentile(&mut times, 0.99));
        bars.show(
            &format!("200 observations {what}, p50 and p99"),
            format!("{middle:?}, {late:?}"),
            late <= Duration::from_millis(10),
        );
    }
}

fn race(address: &str, bars: &mut Bars) {
    let (mut last, mut winners) = (0, 0);
    for round in 0..20 {
        let threads: Vec<_> = (0..50)
            .map(|holder| {
                let address = address.to_owned();
                let body = json!({ "key": "issue:1", "holder": format!("{round}-{holder}") }).to_string();
                std::thread::spawn(move || Connection::open(&address).ask("POST", "/claim", &body))
            })
            .collect();
        let answers: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("a holder")).collect();
        let won: Vec<Value> = answers
            .iter()
            .filter(|(status, _)| *status == 200)
            .map(|(_, body)| serde_json::from_slice(body).expect("JSON"))
            .collect();
        let fence = won.first().and_then(|claim| claim["fence"].as_u64()).unwrap_or_default();
        winners += usize::from(won.len() == 1 && fence > last);
        last = fence;
        let holder = won.first().and_then(|claim| claim["holder"].as_str()).unwrap_or_default();
        Connection::open(address).ask("DELETE", &format!("/claim?key=issue:1&holder={holder}&fence={fence}"), "");
    }
    bars.show(
        "races of 50 for a claim, 1,000 requests, with one winner and a higher fence",
        format!("{winners} of 20"),
        winners == 20,
    );
}

/// What is kept where. The folder, and a server of a database, end with it.
struct Kept {
    name: String,
    storage: Arc<dyn Storage>,
    folder: tempfile::TempDir,
    /// Of a server of databases.
    address: Option<String>,
    _server: Option<servers::Running>,
}

impl Kept {
    fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let storage = Arc::new(Sqlite::open(folder.path()).expect("a database"));
        Kept { name: "SQLite".to_owned(), storage, folder, address: None, _server: None }
    }

    /// With synchronised writes, as a team would run it.
    fn postgres(installed: &servers::Postgres, runtime: &Runtime) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = installed.start(folder.path(), true);
        let address = format!("postgresql://test@127.0.0.1:{}/postgres", server.port);
        let storage = Arc::new(runtime.block_on(PostgresStore::connect(&address)).expect("a database"));
        Kept { name: installed.version.clone(), storage, folder, address: Some(address), _server: Some(server) }
    }

    /// Mebibytes of its files.
    fn size(&self) -> u64 {
        fn in_folder(path: &Path) -> u64 {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            entries
                .map(|entry| match entry.metadata() {
                    Ok(data) if data.is_dir() => in_folder(&entry.path()),
                    Ok(data) => data.len(),
                    Err(_) => 0,
                })
                .sum()
        }
        in_folder(self.folder.path()) >> 20
    }

    /// Past the server, which would need minutes: what is measured is reading.
    fn fill(&self, runtime: &Runtime) {
        let begun = Instant::now();
        match &self.address {
            Some(address) => runtime.block_on(fill_postgres(address)),
            None => fill_sqlite(&self.folder.path().join(FILE)),
        }
        println!("     filled with {ROWS} rows ({} MiB) in {:?}", self.size(), begun.elapsed());
    }
}

/// Microseconds since 1970, an hour ago.
fn past() -> i64 {
    jiff::Timestamp::now().as_microsecond() - 3_600_000_000
}

fn fill_sqlite(file: &Path) {
    let mut database = rusqlite::Connection::open(file).expect("the database");
    database.busy_timeout(Duration::from_secs(60)).expect("set");
    let transaction = database.transaction().expect("a transaction");
    {
        let sql = "insert into observation (id, repo, ts, run_id, agent, commit_sha, body) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let mut insert = transaction.prepare(sql).expect("a statement");
        for (number, ts) in (0..ROWS).zip(past()..) {
            let new = observation(number);
            let body = serde_json::to_string(&new).expect("JSON");
            let id = new.id.expect("an id").to_string();
            let row = rusqlite::params![id, new.repo, ts, new.run_id, new.agent, new.commit_sha, body];
            insert.execute(row).expect("a row");
        }
    }
    transaction.commit().expect("kept");
}

async fn fill_postgres(address: &str) {
    let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await.expect("a connection");
    tokio::spawn(connection);
    let new = observation(7);
    let (id, repo) = (new.id.expect("an id").to_string(), new.repo.clone());
    let body = serde_json::to_string(&new).expect("JSON").replace(&id, "@id").replace(&repo, "@repo");
    let sql = format!(
        "insert into observation (id, repo, ts, run_id, agent, body)
         select id, repo, {} + n, 'run-' || n / 7, 'guardhost', replace(replace('{body}', '@id', id::text), '@repo', repo)
         from (select n, gen_random_uuid() as id, lpad(to_hex(n % 20), 32, '0') as repo from generate_series(1, {ROWS}) n) rows;
         analyze observation",
        past()
    );
    client.batch_execute(&sql).await.expect("rows");
}

fn bars_of(kept: &Kept, runtime: &Runtime, bars: &mut Bars) {
    println!("{}", kept.name);
    let settings = ServerSettings {
        address: ([127, 0, 0, 1], 0).into(),
        tokens: false,
        storage: Arc::clone(&kept.storage),
        answers: None,
        roots: Roots::default(),
        limits: ServerLimits::default(),
        tls: None,
        retention: Retention::default(),
        pages: None,
        traces: None,
    };
    let server = runtime.block_on(Server::start(settings)).expect("a server");
    let address = server.address().to_string();
    observe(&address, bars);
    kept.fill(runtime);
    log(&address, bars);
    race(&address, bars);
    observe(&address, bars);
    runtime.block_on(server.stop());
}

/// The program itself: how soon it answers on an empty and on a known folder, and what it takes up at rest.
fn program(host: &Path, bars: &mut Bars) {
    println!("{}", host.display());
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (mut starts, mut rests) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let port = servers::free_port();
        let begun = Instant::now();
        let mut child = Command::new(host)
            .args(["serve", "--quiet", "--listen", &format!("127.0.0.1:{port}"), "--data"])
            .arg(&data)
            .current_dir(folder.path())
            .stderr(Stdio::null())
            .spawn()
            .expect("host serve");
        let address = format!("127.0.0.1:{port}");
        while TcpStream::connect(&address).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "it does not listen");
            std::thread::sleep(Duration::from_micros(200));
        }
        let (status, _) = Connection::open(&address).ask("GET", "/readyz", "");
        starts.push(begun.elapsed());
        assert_eq!(status, 200);
        std::thread::sleep(Duration::from_millis(300));
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("its status");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
        rests.push(line.split_whitespace().nth(1).expect("a number").parse::<u64>().expect("kilobytes"));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    println!("     the first start, with a new database: {:?}", starts[0]);
    let (middle, rest) = (percentile(&mut starts, 0.5), rests.iter().max().expect("a figure") / 1_000);
    bars.show("started and ready, p50", format!("{middle:?}"), middle <= Duration::from_millis(30));
    bars.show("megabytes at rest", format!("{rest}"), rest <= 25);
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    let mut bars = Bars { failed: false };
    let wanted = std::env::var("GUARDHOST_BARS").unwrap_or_default();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.split(',').any(|word| word == name);
    if let Some(host) = std::env::var_os("GUARDHOST_BARS_HOST").filter(|_| is_wanted("program")) {
        program(Path::new(&host), &mut bars);
    }
    if is_wanted("sqlite") {
        bars_of(&Kept::sqlite(), &runtime, &mut bars);
    }
    for installed in servers::postgres().iter().filter(|_| is_wanted("postgres")) {
        bars_of(&Kept::postgres(installed, &runtime), &runtime, &mut bars);
    }
    std::process::exit(i32::from(bars.failed));
}
