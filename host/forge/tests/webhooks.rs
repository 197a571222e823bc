//! Recorded payloads of GitHub's webhooks: signed ones are read once, and no others.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use guardhost_core::stop::{StopToken, Stopped};
use guardhost_forge::Pause as _;
use guardhost_forge::watch::{Delivery, News, PullNews, Receiver, RefusedDelivery, Webhook};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const SECRET: &str = "a secret of the webhook";

/// What each payload says, taken from it by hand.
const EXPECTED: &[&str] = &[
    "check_run created: builds of Codertocat/Hello-World at ec26c3e57ca3a959ca5aad62de7213c562f8c821",
    "check_run completed: builds of Codertocat/Hello-World at ec26c3e57ca3a959ca5aad62de7213c562f8c821",
    "check_run requested_action: builds of electron/electron at 5bd5f196a46b8222fb7484f05faba41a73cf34bd",
    "check_run rerequested: builds of github/hello-world at d6fde92930d4715a2b49857d24b940956b26d2d3",
    "check_suite completed: builds of Codertocat/Hello-World at ec26c3e57ca3a959ca5aad62de7213c562f8c821",
    "check_suite requested: builds of Codertocat/Hello-World at f95f852bd8fca8fcc58a9a2d6c842781e32a215e",
    "check_suite rerequested: builds of Codertocat/Hello-World at ec26c3e57ca3a959ca5aad62de7213c562f8c821",
    "issue_comment created: nothing",
    "ping : nothing",
    "pull_request opened: Codertocat/Hello-World #2 at ec26c3e57ca3a959ca5aad62de7213c562f8c821",
    "pull_request closed: Codertocat/Hello-World #2 at ec26c3e57ca3a959ca5aad62de7213c562f8c821",
    "pull_request labeled: nothing",
    "pull_request reopened: Codertocat/Hello-World #2 at ec26c3e57ca3a959ca5aad62de7213c562f8c821",
    "pull_request synchronize: Codertocat/Hello-World #2 at ec26c3e57ca3a959ca5aad62de7213c562f8c821",
    "push : nothing",
    "status : builds of Codertocat/Hello-World at 6113728f27ae82c7b1a177c8d03f9e96e0adf246",
    "workflow_job in_progress: builds of octo-org/example-workflow at e3103f8eb03e1ad7f2331c5446b23c070fc54055",
    "workflow_job completed: builds of Codertocat/Hello-World at 3484a3fb816e0859fd6e1cea078d76385ff50625",
    "workflow_job queued: builds of Codertocat/Hello-World at 3484a3fb816e0859fd6e1cea078d76385ff50625",
    "workflow_job waiting: builds of lineville/elastic-machines-testing at 16c5286e8d9a0629956a28938386b36608707a71",
    "workflow_run completed: builds of Codertocat/Hello-World at 5779607b49aab1200488439f02372c57b4f75444",
    "workflow_run requested: builds of octo-org/octo-repo at 3484a3fb816e0859fd6e1cea078d76385ff50625",
];

fn recorded() -> Vec<(String, Value)> {
    let all: Vec<Value> = serde_json::from_str(include_str!("webhooks/github.json")).unwrap();
    all.into_iter().map(|entry| (entry["event"].as_str().unwrap().to_owned(), entry["payload"].clone())).collect()
}

/// As a forge signs, written a second time: the secret is shorter than a block.
fn signed(secret: &str, body: &[u8]) -> String {
    let pad =
        |with: u8| -> Vec<u8> { secret.bytes().chain(std::iter::repeat(0)).take(64).map(|byte| byte ^ with).collect() };
    let inner = Sha256::digest([pad(0x36).as_slice(), body].concat());
    let outer = Sha256::digest([pad(0x5c).as_slice(), &inner].concat());
    format!("sha256={}", outer.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

fn shown(news: &News) -> String {
    match news {
        News::Builds { repository, sha } => format!("builds of {repository} at {sha}"),
        News::Pull(pull) => {
            assert_eq!(pull.base, "master");
            assert_eq!(pull.clone_url, format!("https://github.com/{}.git", pull.repository));
            format!("{} #{} at {}", pull.repository, pull.number, pull.sha)
        }
        News::Branch { repository, branch } => format!("{branch} of {repository}"),
        News::Nothing => "nothing".to_owned(),
        News::Again => "again".to_owned(),
    }
}

#[test]
fn recorded_payloads_are_read_once() {
    let mut webhook = Webhook::new(SECRET).unwrap();
    let mut found = Vec::new();
    for (at, (event, payload)) in recorded().into_iter().enumerate() {
        let body = payload.to_string().into_bytes();
        let (id, signature) = (format!("delivery-{at}"), signed(SECRET, &body));
        let delivery = Delivery { event: &event, id: &id, signature: &signature, body: &body };
        let news = webhook.read(delivery).unwrap();
        if let News::Pull(pull) = &news {
            assert_eq!(pull.is_open, payload["action"] != "closed");
        }
        found.push(format!("{event} {}: {}", payload["action"].as_str().unwrap_or_default(), shown(&news)));
        // What could not be kept may come again.
        assert_eq!(webhook.read(delivery).as_ref(), Ok(&news), "{event}");
        webhook.remember(delivery).unwrap();
        assert_eq!(webhook.read(delivery), Ok(News::Again), "{event}");
        assert_eq!(
            webhook.read(Delivery { id: "another", ..delivery }),
            Ok(News::Again),
            "{event}: the id is not signed"
        );
    }
    assert_eq!(found, EXPECTED);
}

/// Each payload, again in each way, in the same process and in later ones: none of them is read twice, and what is new is.
#[test]
fn what_was_read_is_known_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deliveries");
    let open = || Webhook::new(SECRET).unwrap().remembering(&file).unwrap();
    let mut deliveries = 0;
    for (at, (event, payload)) in recorded().into_iter().enumerate() {
        let body = payload.to_string().into_bytes();
        let other = json!({ "zen": "another body", "at": at, "payload": payload }).to_string().into_bytes();
        let (id, signature, of_other) = (format!("delivery-{at}"), signed(SECRET, &body), signed(SECRET, &other));
        let first = Delivery { event: &event, id: &id, signature: &signature, body: &body };
        let mut webhook = open();
        assert_ne!(webhook.read(first), Ok(News::Again), "{event}");
        webhook.remember(first).unwrap();
        for restarts in 0..3 {
            for (again, name) in [
                (first, "redelivered"),
                (Delivery { id: "another", ..first }, "under another id"),
                (Delivery { signature: &of_other, body: &other, ..first }, "its id with another body"),
                (Delivery { event: "ping", ..first }, "as another event"),
            ] {
                deliveries += 1;
                assert_eq!(webhook.read(again), Ok(News::Again), "{event}, {name}, after {restarts} restarts");
            }
            let new = Delivery { id: "new", signature: &of_other, body: &other, event: "ping" };
            deliveries += 1;
            assert_eq!(webhook.read(new), Ok(News::Nothing), "{event}, after {restarts} restarts");
            webhook = open();
        }
        // A process that was killed while it wrote leaves half a line.
        let mut torn = std::fs::OpenOptions::new().append(true).open(&file).unwrap();
        torn.write_all(&b"0123456789abcdef ".repeat(at % 4 + 1)).unwrap();
    }
    // docs/security.md names this number.
    assert!(deliveries >= 100, "{deliveries}");
    // It does not grow for ever.
    let mut webhook = open();
    for number in 0..9_000 {
        let body = format!("{{\"number\":{number}}}").into_bytes();
        let (id, signature) = (format!("many-{number}"), signed(SECRET, &body));
        if number % 3_000 == 0 {
            webhook.remember(Delivery { event: "ping", id: &id, signature: &signature, body: &body }).unwrap();
        }
    }
    assert!(std::fs::metadata(&file).unwrap().len() < 2 << 20);
}

/// Connections that say nothing take no place from a forge, however many they are.
#[test]
fn silent_connections_close_no_door() {
    let webhook = Webhook::new(SECRET).expect("a secret");
    let receiver = Receiver::start("127.0.0.1:0".parse().unwrap(), webhook, StopToken::default()).expect("it listens");
    let mut silent = Vec::new();
    for number in 0..10 {
        silent.extend((0..30).map(|_| TcpStream::connect(receiver.address).expect("a connection")));
        // Half a head is as silent as none.
        silent.iter_mut().for_each(|stream| drop(stream.write_all(b"P")));
        let body = format!("{{\"number\":{number}}}").into_bytes();
        let status = delivered(receiver.address, "POST", &format!("{number}"), &signed(SECRET, &body), &body);
        assert!(matches!(status, 200 | 202 | 400), "{status}");
    }
}

/// Nor do those that begin a delivery and do not end it; without a signature they are answered at once.
#[test]
fn deliveries_that_do_not_end_close_no_door() {
    let webhook = Webhook::new(SECRET).expect("a secret");
    let receiver = Receiver::start("127.0.0.1:0".parse().unwrap(), webhook, StopToken::default()).expect("it listens");
    let head = |signature: &str| format!("POST / HTTP/1.1\r\nHost: h\r\n{signature}Content-Length: 1000000\r\n\r\nx");
    let mut unsigned = TcpStream::connect(receiver.address).expect("a connection");
    unsigned.write_all(head("").as_bytes()).expect("it is sent");
    let mut answer = [0; 12];
    unsigned.read_exact(&mut answer).expect("an answer before the body");
    assert_eq!(&answer, b"HTTP/1.1 401");

    let forged = head(&format!("X-Hub-Signature-256: sha256={}\r\n", "0".repeat(64)));
    let slow: Vec<TcpStream> = (0..64)
        .map(|_| {
            let mut stream = TcpStream::connect(receiver.address).expect("a connection");
            stream.write_all(forged.as_bytes()).expect("it is sent");
            stream
        })
        .collect();
    let body = br#"{"number":1}"#;
    let begun = std::time::Instant::now();
    let arrived =
        || std::panic::catch_unwind(|| delivered(receiver.address, "POST", "one", &signed(SECRET, body), body));
    // One of these connections gives way after two seconds, and all of them would stay for ten.
    while !matches!(arrived(), Ok(200 | 202 | 400)) {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "no delivery arrives");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    drop(slow);
}

/// The verdict of what is fetched from one repository is written at no other, and a head is a commit.
#[test]
fn a_delivery_is_about_one_repository() {
    let webhook = Webhook::new(SECRET).unwrap();
    let read = |full_name: &str, clone_url: &str, sha: &str| {
        let body = json!({
            "action": "opened", "number": 1,
            "pull_request": { "head": { "sha": sha }, "base": { "ref": "main" } },
            "repository": { "full_name": full_name, "clone_url": clone_url },
        });
        let body = body.to_string().into_bytes();
        webhook.read(Delivery { event: "pull_request", id: "one", signature: &signed(SECRET, &body), body: &body })
    };
    let sha = "a".repeat(40);
    for (name, url) in [
        ("team/tally", "https://example.org/team/tally.git"),
        ("team/tally", "https://example.org/forge/Team/Tally"),
        ("group/team/tally", "https://example.org/group/team/tally.git/"),
    ] {
        assert!(matches!(read(name, url, &sha), Ok(News::Pull(_))), "{name} {url}");
    }
    for (name, url, sha) in [
        ("other/victim", "https://example.org/team/tally.git", sha.as_str()),
        ("tally", "https://example.org/team/other-tally.git", &sha),
        ("", "https://example.org/team/tally.git", &sha),
        ("team/tally", "https://example.org/team/tally.git", "--upload-pack=x"),
        ("team/tally", "https://example.org/team/tally.git", "abc"),
    ] {
        assert!(matches!(read(name, url, sha), Err(RefusedDelivery::Form(_))), "{name} {url} {sha}");
    }
}

#[test]
fn what_is_not_signed_with_the_secret_is_not_read() {
    assert!(Webhook::new("").is_none());
    let webhook = Webhook::new(SECRET).unwrap();
    let (event, payload) = recorded().swap_remove(0);
    let body = payload.to_string().into_bytes();
    let good = signed(SECRET, &body);
    let read = |webhook: &Webhook, signature: &str, body: &[u8]| {
        webhook.read(Delivery { event: &event, id: "one", signature, body })
    };
    let flipped: String = good.chars().rev().collect::<String>().replacen(['0', '1'], "7", 1).chars().rev().collect();
    let wrong = [
        "",
        "sha256=",
        &good["sha256=".len()..],
        &good[..good.len() - 1],
        &good.replace("sha256", "sha1"),
        &signed("another secret", &body),
        &flipped,
        &format!("sha256={}", "é".repeat(32)),
    ]
    .map(str::to_owned);
    for signature in &wrong {
        assert_eq!(read(&webhook, signature, &body), Err(RefusedDelivery::Signature), "{signature}");
    }
    assert_eq!(read(&webhook, &good, &body[1..]), Err(RefusedDelivery::Signature));
    assert_eq!(
        webhook.read(Delivery { event: &event, id: "", signature: &good, body: &body }),
        Err(RefusedDelivery::NoId)
    );
    // None of them is remembered.
    assert!(matches!(read(&webhook, &good, &body), Ok(News::Builds { .. })));
}

#[test]
fn a_signed_delivery_of_another_form_is_an_error_and_is_not_remembered() {
    let webhook = Webhook::new(SECRET).unwrap();
    for body in ["", "[]", "{}", r#"{"check_run":{"head_sha":7},"repository":{"full_name":"o/r"}}"#] {
        let signature = signed(SECRET, body.as_bytes());
        let delivery = Delivery { event: "check_run", id: "one", signature: &signature, body: body.as_bytes() };
        for _ in 0..2 {
            assert!(matches!(webhook.read(delivery), Err(RefusedDelivery::Form(_))), "{body}");
        }
    }
}

#[test]
fn news_concern_a_commit_or_a_pull_request() {
    let builds = News::Builds { repository: "Team/Tally".into(), sha: "a".into() };
    assert!(builds.concerns("team/tally", 1, "a"));
    assert!(!builds.concerns("team/tally", 1, "b") && !builds.concerns("team/other", 1, "a"));
    let pull = News::Pull(PullNews {
        repository: "team/tally".into(),
        number: 1,
        sha: "b".into(),
        base: "main".into(),
        clone_url: "https://example.org/team/tally.git".into(),
        is_open: true,
    });
    assert!(pull.concerns("team/tally", 1, "a") && !pull.concerns("team/tally", 2, "b"));
    assert!(!News::Nothing.concerns("team/tally", 1, "a") && !News::Again.concerns("team/tally", 1, "a"));
}

/// The status of the answer to a delivery.
fn delivered(address: SocketAddr, method: &str, id: &str, signature: &str, body: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let head = format!(
        "{method} / HTTP/1.1\r\nhost: here\r\nx-github-event: status\r\nx-github-delivery: {id}\r\nx-hub-signature-256: {signature}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn a_signed_delivery_is_news_once_and_an_unsigned_one_never() {
    let webhook = Webhook::new(SECRET).expect("a secret");
    let receiver = Receiver::start("127.0.0.1:0".parse().unwrap(), webhook, StopToken::default()).expect("it listens");
    let (_, payload) = recorded().into_iter().find(|(event, _)| event == "status").expect("a payload");
    let body = payload.to_string().into_bytes();
    let none = |receiver: &Receiver| receiver.next(Duration::from_millis(300)).unwrap();

    for (method, signature, status) in
        [("POST", signed("another", &body), 401), ("POST", String::new(), 401), ("GET", signed(SECRET, &body), 405)]
    {
        assert_eq!(delivered(receiver.address, method, "1", &signature, &body), status);
    }
    assert_eq!(none(&receiver), None);
    assert_eq!(delivered(receiver.address, "POST", "", &signed(SECRET, &body), &body), 400);
    assert_eq!(delivered(receiver.address, "POST", "1", &signed(SECRET, &body), &body), 202);
    let news = receiver.next(Duration::from_secs(60)).unwrap().expect("news");
    assert_eq!(shown(&news), "builds of Codertocat/Hello-World at 6113728f27ae82c7b1a177c8d03f9e96e0adf246");
    // Again under the same id and under another.
    for id in ["1", "2"] {
        assert_eq!(delivered(receiver.address, "POST", id, &signed(SECRET, &body), &body), 200);
    }
    assert_eq!(none(&receiver), None);
    let address = receiver.address;
    drop(receiver);
    // The thread ends soon after.
    while TcpStream::connect(address).is_ok() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_wait_ends_with_news_or_when_the_command_is_stopped() {
    let stop = StopToken::default();
    let webhook = Webhook::new(SECRET).expect("a secret");
    let receiver = Receiver::start("127.0.0.1:0".parse().unwrap(), webhook, stop.clone()).expect("it listens");
    let (_, payload) = recorded().into_iter().find(|(event, _)| event == "status").expect("a payload");
    let body = payload.to_string().into_bytes();
    assert_eq!(delivered(receiver.address, "POST", "1", &signed(SECRET, &body), &body), 202);
    // An hour, if the news did not end it.
    receiver.pause(Duration::from_secs(3600), "for the builds").unwrap();
    stop.interrupt();
    assert_eq!(receiver.pause(Duration::from_secs(3600), "for the builds"), Err(Stopped::Interrupted));
}
