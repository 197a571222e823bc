//! Addresses of the web, asked of a server on loopback. The wires give its names public addresses, and only the last step, from a
//! checked address to a socket, is led here: every rule holds as it does on the internet.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use guardhost_core::change::{GuardVerdict, NullObserver, Severity};
use guardhost_core::stop::StopToken;
use guardhost_engine::link_check::{LinkChecker, Liveness, Network, NoAddress, Timeouts};
use guardhost_engine::{EngineContext, GuardSet, GuardSpec, HostServices, JudgeContext, guard};

use crate::support::candidate::candidate;
use crate::support::cli::host;
use crate::support::judging::machine;
use crate::support::repo::TestRepo;

const PUBLIC: &str = "93.184.216.34";

/// A web of one server, and what it was asked.
#[derive(Clone)]
struct Web {
    server: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    lookups: Arc<Mutex<HashMap<String, usize>>>,
    /// Whether names can be looked up at all.
    works: bool,
}

impl Web {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = listener.local_addr().unwrap();
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let heard = requests.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = heard.clone();
                thread::spawn(move || answer(stream, &heard));
            }
        });
        Web { server, requests, lookups: Arc::default(), works: true }
    }

    fn net(&self) -> LinkChecker {
        self.net_with(Timeouts { each: Duration::from_secs(5), all: Duration::from_secs(20) })
    }

    fn net_with(&self, timeouts: Timeouts) -> LinkChecker {
        LinkChecker::through(Arc::new(self.clone()), timeouts)
    }

    fn heard(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Network for Web {
    fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, NoAddress> {
        let mut lookups = self.lookups.lock().unwrap();
        let times = lookups.entry(name.to_owned()).or_default();
        *times += 1;
        let addresses: &[&str] = match name {
            "nowhere.site" => return Err(NoAddress::NoSuchName),
            "trouble.site" => return Err(NoAddress::Trouble("the server failed".to_owned())),
            "example.com" if !self.works => return Err(NoAddress::NoSuchName),
            "inside.site" => &["192.168.1.1"],
            "mixed.site" => &[PUBLIC, "10.0.0.1"],
            "mapped.site" => &["::ffff:93.184.216.34"],
            "rebinding.site" if *times > 1 => &["127.0.0.1"],
            _ => &[PUBLIC],
        };
        Ok(addresses.iter().map(|address| address.parse().unwrap()).collect())
    }

    fn route(&self, public: IpAddr) -> SocketAddr {
        assert_eq!(public.to_string(), PUBLIC, "only what was checked is connected to");
        self.server
    }
}

fn answer(mut stream: TcpStream, heard: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let request: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let first = request.first().cloned().unwrap_or_default();
    heard.lock().unwrap().push(request.join("\n"));
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let to = |place: &str| format!("302 Found\r\nLocation: {place}");
    let status = match (path, method) {
        ("/ok" | "/rebound", _) | ("/head-lies" | "/get-only" | "/endless", "GET") => "200 OK".to_owned(),
        ("/head-lies", _) => "404 Not Found".to_owned(),
        ("/get-only" | "/endless", _) => "405 Method Not Allowed".to_owned(),
        ("/gone", _) => "410 Gone".to_owned(),
        ("/forbidden", _) => "403 Forbidden".to_owned(),
        ("/busy", _) => "429 Too Many Requests".to_owned(),
        ("/broken", _) => "503 Service Unavailable".to_owned(),
        ("/silent", _) => return thread::sleep(Duration::from_secs(30)),
        ("/moved", _) => to("ok"),
        ("/moved-away", _) => to("http://web.site/missing"),
        ("/rebinds", _) => to("http://rebinding.site/rebound"),
        ("/for-ever", _) => to("/for-ever"),
        ("/to-private", _) => to("http://10.0.0.1/"),
        ("/to-metadata", _) => to("http://169.254.169.254/latest/meta-data/"),
        ("/to-inside", _) => to("http://inside.site/"),
        ("/to-number", _) => to("http://2130706433/"),
        ("/to-file", _) => to("file:///etc/passwd"),
        ("/to-port", _) => to("http://web.site:8080/"),
        ("/to-user", _) => to("http://user:secret@web.site/"),
        _ => "404 Not Found".to_owned(),
    };
    let head = format!("HTTP/1.1 {status}\r\nSet-Cookie: id=1; Path=/\r\nContent-Type: text/plain\r\n");
    if path == "/endless" && method == "GET" {
        let _ = stream.write_all(format!("{head}\r\n").as_bytes());
        while stream.write_all(&[b'x'; 65_536]).is_ok() {}
        return;
    }
    let _ = stream.write_all(format!("{head}Content-Length: 0\r\nConnection: close\r\n\r\n").as_bytes());
}

fn ask(net: &LinkChecker, url: &str) -> Liveness {
    net.probe(&[url.to_owned()], &StopToken::default()).remove(0)
}

#[test]
fn alive_gone_and_unknown_are_kept_apart() {
    let web = Web::new();
    let net = web.net();
    let gone = |why: &str| Liveness::Gone(why.to_owned());
    let unknown = |why: &str| Liveness::Unknown(why.to_owned());
    let cases = [
        ("http://web.site/ok", Liveness::Alive(200)),
        ("HTTP://WEB.SITE/ok#part", Liveness::Alive(200)),
        ("http://web.site/get-only", Liveness::Alive(200)),
        ("http://web.site/head-lies", Liveness::Alive(200)),
        ("http://web.site/endless", Liveness::Alive(200)),
        ("http://web.site/moved", Liveness::Alive(200)),
        ("http://web.site/missing", gone("it answers 404")),
        ("http://web.site/gone", gone("it answers 410")),
        ("http://web.site/moved-away", gone("it leads to http://web.site/missing: it answers 404")),
        ("https://nowhere.site/x", gone("there is no host nowhere.site")),
        ("http://trouble.site/", unknown("trouble.site could not be looked up: the server failed")),
        ("http://web.site/forbidden", unknown("it answers 403")),
        ("http://web.site/busy", unknown("it answers 429")),
        ("http://web.site/broken", unknown("it answers 503")),
        ("http://web.site/for-ever", unknown("it leads on more than 5 times")),
    ];
    let urls = cases.clone().map(|(url, _)| url.to_owned());
    for ((url, expected), answer) in cases.iter().zip(net.probe(&urls, &StopToken::default())) {
        assert_eq!(answer, *expected, "{url}");
    }
    // The server speaks no TLS: that is no answer.
    assert!(matches!(ask(&net, "https://web.site/ok"), Liveness::Unknown(_)));
}

#[test]
fn nothing_private_is_reached() {
    let web = Web::new();
    let net = web.net();
    let direct = [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://0x7f.1/",
        "http://017700000001/",
        "http://2130706433/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1]/",
        "http://100.64.0.1/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://printer.local/",
        "http://router/",
        "http://api.internal/",
        "http://inside.site/",
        "http://mixed.site/",
        "http://mapped.site/",
        "http://web.site:8080/",
        "https://web.site:80/",
        "http://user@web.site/",
        "http://:secret@web.site/",
        "ftp://web.site/",
        "file:///etc/passwd",
        "gopher://web.site/",
        "no address",
    ];
    for url in direct {
        assert!(matches!(ask(&net, url), Liveness::Refused(_)), "{url}: {:?}", ask(&net, url));
    }
    assert_eq!(web.heard(), Vec::<String>::new());
    for place in ["private", "metadata", "inside", "number", "file", "port", "user"] {
        let url = format!("http://web.site/to-{place}");
        assert!(matches!(ask(&net, &url), Liveness::Refused(_)), "{url}: {:?}", ask(&net, &url));
    }
    assert!(web.heard().iter().all(|request| request.contains("/to-")), "{:?}", web.heard());
}

#[test]
fn a_name_is_looked_up_once_and_stays() {
    let web = Web::new();
    let net = web.net();
    for _ in 0..2 {
        assert_eq!(ask(&net, "http://rebinding.site/ok"), Liveness::Alive(200));
        assert_eq!(ask(&net, "http://web.site/rebinds"), Liveness::Alive(200));
        assert_eq!(ask(&net, "http://rebinding.site/ok#again"), Liveness::Alive(200));
    }
    assert_eq!(web.lookups.lock().unwrap()["rebinding.site"], 1);
    let asked = web.heard().iter().filter(|request| request.starts_with("HEAD /ok ")).count();
    assert_eq!(asked, 1, "an address is asked once a run");
}

#[test]
fn nothing_is_sent_along() {
    let web = Web::new();
    let net = web.net();
    for path in ["ok", "moved", "get-only"] {
        ask(&net, &format!("http://web.site/{path}"));
    }
    let heard = web.heard().join("\n").to_lowercase();
    for header in ["cookie:", "authorization:", "referer:", "proxy-", "origin:"] {
        assert!(!heard.contains(header), "{heard}");
    }
    assert!(heard.contains("range: bytes=0-0") && heard.contains("user-agent: guardhost/"), "{heard}");
}

/// Some resolvers say of every name that there is none when there is only no network.
#[test]
fn a_machine_without_names_proves_nothing() {
    let web = Web { works: false, ..Web::new() };
    let expected = "nowhere.site could not be looked up: names cannot be looked up here";
    assert_eq!(ask(&web.net(), "http://nowhere.site/"), Liveness::Unknown(expected.to_owned()));
}

#[test]
fn patience_ends() {
    let web = Web::new();
    let each = web.net_with(Timeouts { each: Duration::from_millis(300), all: Duration::from_secs(20) });
    assert_eq!(ask(&each, "http://web.site/silent"), Liveness::Unknown("no answer within 0.3 seconds".to_owned()));
    let all = web.net_with(Timeouts { each: Duration::from_secs(20), all: Duration::from_millis(300) });
    assert!(matches!(ask(&all, "http://web.site/silent"), Liveness::Unknown(why) if why.starts_with("not asked")));
}

#[test]
fn inside_of_a_runtime() {
    let net = Web::new().net();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(async { ask(&net, "http://web.site/ok") }), Liveness::Alive(200));
}

fn spec() -> GuardSpec {
    GuardSpec { grants: vec!["repo".into(), "net".into()], ..GuardSpec::builtin("links-resolve") }
}

/// The guard, the contract and the wires together: what is gone rejects, what is unknown is told.
#[test]
fn a_guard_asks() {
    let web = Web::new();
    let machine = EngineContext { services: HostServices::only(web.net()), ..machine() };
    let set = GuardSet::new(vec![spec()], &machine).unwrap();
    let judge = |text: String| {
        let change = candidate(&[], &[("a.md", text.as_bytes())]);
        guard(&change, &set, &JudgeContext { task: None, observer: &NullObserver }).evidence.remove(0)
    };
    let found = judge("[a](http://web.site/ok)\n[b](http://web.site/missing)\n<http://web.site/broken>\n".to_owned());
    let GuardVerdict::Reject(findings) = &found.verdict else { panic!("{:?}", found.verdict) };
    let told: Vec<_> = findings.iter().map(|finding| (finding.rule.as_str(), finding.severity, finding.line)).collect();
    assert_eq!(told, [("links-unknown", Severity::Info, None), ("link-gone", Severity::Error, Some(2))]);
    assert_eq!((found.metrics["addresses-asked"], found.metrics["addresses-unknown"]), (3.0, 1.0));

    let many: String = (0..100).map(|n| format!("http://web.site/n{n}\n\n")).collect();
    let found = judge(many);
    let asked = web.heard().iter().filter(|request| request.starts_with("HEAD /n")).count();
    assert_eq!((asked, found.metrics["addresses-unknown"]), (64, 36.0));
}

#[test]
fn offline_is_told() {
    let repo = TestRepo::with(&[(
        "guards.toml",
        "schema = 1\n[[guard]]\nid = \"links-resolve\"\nsource = \"builtin\"\ngrants = [\"repo\", \"net\"]\n",
    )]);
    repo.write("a.md", "See <https://docs.rs/serde>.\n");
    repo.stage_all();
    let said = host(repo.path(), &["check", "--staged", "--offline", "--format", "json"]).expect(0).json();
    let finding = &said["guards"][0]["findings"][0];
    assert_eq!((finding["rule"].as_str(), finding["severity"].as_str()), (Some("links-unknown"), Some("info")));
    assert!(finding["message"].as_str().unwrap().contains("the host is offline"), "{said}");
}
