//! The pages of a server, in a browser.

#[path = "../../pages/tests/support/browser.rs"]
#[allow(dead_code)]
mod browser;
mod support;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use browser::Browser;
use guardhost_observer::wire::{EventBatch, EventSource, RunEvent};
use guardhost_pages::{FleetAlarm, FleetDead, FleetLane, FleetReport, FleetWorker};
use guardhost_service::http::{FleetState, pages};
use guardhost_service::serve::ServerSettings;
use serde_json::{Value, json};
use support::{Served, ask};

fn served() -> Served {
    Served::with(|settings| ServerSettings {
        pages: Some(pages(Arc::clone(&settings.storage), None, None)),
        ..settings
    })
}

/// Sends the next event of a run, as `host run` does.
struct Sender {
    address: String,
    next: u64,
}

impl Sender {
    fn send(&mut self, name: &str, data: Value) {
        let mut line = json!({ "ts": jiff::Timestamp::now().to_string(), "run": "01a2", "round": 1, "seq": self.next, "event": name });
        line.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
        let body = json!({ "repo": "r", "run": "01a2", "events": [{ "n": self.next, "name": name, "data": line }] });
        let (status, answer) = ask(&self.address, "POST", "/events", &[], &body.to_string());
        assert_eq!(status, 200, "{answer}");
        self.next += 1;
    }
}

#[test]
fn pages_are_made_of_events_and_closed_to_everything_else() {
    let served = served();
    let mut sender = Sender { address: served.address().to_owned(), next: 0 };
    sender.send("run-started", json!({ "task": "A <b>live</b> task", "provider": "claude", "rounds": 2 }));
    sender.send("asking", json!({ "provider": "claude" }));
    for path in ["/pages", "/pages/", "/pages/runs/01a2", "/pages/guards", "/pages/files", "/pages/statistics"] {
        let (status, page) = served.get(path);
        let page = page.as_str().expect("a page");
        assert_eq!(status, 200, "{path}");
        assert!(page.starts_with("<!DOCTYPE html>") && !page.contains("<b>live"), "{path}: {page}");
    }
    assert!(
        served.get("/pages/").1.as_str().expect("a page").contains("Waiting for an answer <span class=\"quiet\">1")
    );
    for path in ["/pages/runs/none", "/pages/nothing", "/pages/guards/none"] {
        assert_eq!(served.get(path).0, 404, "{path}");
    }
    // The endpoints are where they were.
    assert_eq!(served.get("/healthz").0, 200);
    assert_eq!(ask(served.address(), "GET", "/pages/", &[("host", "evil.example")], "").0, 403);
    let closed = Served::with(|settings| ServerSettings {
        pages: Some(pages(Arc::clone(&settings.storage), None, None)),
        tokens: true,
        ..settings
    });
    assert_eq!(closed.get("/pages/").0, 401);
}

/// Runs of several repositories, people and machines, as their hosts send them.
fn many(served: &Served, runs: u64) {
    let storage = Arc::clone(&served.storage);
    let batch = |number: u64| {
        let ts = jiff::Timestamp::now() - jiff::SignedDuration::from_mins(i64::try_from(number).unwrap());
        let task = format!("Task number {number}");
        let rejected = number.is_multiple_of(4);
        let outcome = if rejected { "rejected" } else { "committed" };
        let verdict = if rejected { "reject" } else { "pass" };
        let events = [
            ("run-started", json!({ "task": task, "provider": (["claude", "codex"][number as usize % 2]) })),
            ("judged", json!({ "id": "docs-kept", "verdict": verdict, "mode": "enforce" })),
            ("run-ended", json!({ "outcome": outcome, "micros": 7_000_000 + number })),
        ];
        let event = |(n, (name, data)): (usize, (&str, Value))| {
            let mut line = json!({ "ts": ts.to_string(), "round": 1 });
            line.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
            RunEvent { n: n as u64, name: name.to_owned(), data: line }
        };
        EventBatch {
            repo: format!("repo-{}", number % 3),
            run: format!("run-{number:05}"),
            events: events.into_iter().enumerate().map(event).collect(),
            from: EventSource {
                repository: format!("forge.example/team/{}", number % 3),
                person: ["Rose & Co", "Tom"][number as usize % 2].to_owned(),
                machine: format!("m{}", number % 5),
                agent: String::new(),
            },
        }
    };
    served.wait(async {
        for part in (0..runs).collect::<Vec<_>>().chunks(250) {
            let mut writing = tokio::task::JoinSet::new();
            for number in part {
                let (storage, batch) = (Arc::clone(&storage), batch(*number));
                writing.spawn(async move { storage.append(batch).await.unwrap() });
            }
            writing.join_all().await;
        }
    });
}

/// Figures are printed; no time is asserted. What a question costs is held where its plan is: `run_list.rs`.
#[test]
fn ten_thousand_runs_are_found_without_a_script() {
    let served = served();
    many(&served, 10_000);
    let ask = |path: &str| {
        let began = Instant::now();
        let (status, page) = served.get(path);
        println!("{path}: {} ms", began.elapsed().as_millis());
        assert_eq!(status, 200, "{path}");
        page.as_str().expect("a page").to_owned()
    };
    let rows = |page: &str| page.matches("<li class=\"run\"").count();
    let first = ask("/pages/");
    assert!(rows(&first) == 100 && first.contains("10\u{2009}000 runs, 7\u{2009}500 accepted"), "{first:.4000}");
    for word in ["forge.example/team/1", "Rose &amp; Co", "m4", "form-action 'self'", "Task number 0<"] {
        assert!(first.contains(word), "{word}");
    }
    let link = |page: &str, rel: &str| {
        let link = page.split(&format!("rel=\"{rel}\" href=\"")).nth(1)?.split('"').next()?;
        Some(link.replace("&amp;", "&"))
    };
    let second = ask(&link(&first, "next").expect("an older page"));
    assert!(second.contains("Task number 100<") && !second.contains("Task number 99<"));
    let back = ask(&link(&second, "prev").expect("a newer page"));
    assert!(back.contains("Task number 0<") && back.contains("Task number 99<") && link(&back, "prev").is_none());
    // Conditions combine, and each is taken away by a link.
    let found =
        ask("/pages/?q=number+99&state=rejected&person=Rose+%26+Co&machine=m2&repository=forge.example%2Fteam%2F1");
    let expected = (0..10_000).filter(|n: &u32| format!("{n:05}").contains("99") && n % 20 == 12 && n % 3 == 1).count();
    assert_eq!(rows(&found), expected);
    let without = "href=\"/pages/?q=number%2099&amp;state=rejected&amp;repository=forge.example%2Fteam%2F1&amp;person=Rose%20%26%20Co\"";
    assert!(found.contains(without), "without the machine: {found:.6000}");
    assert!(ask("/pages/?guard=docs-kept&sort=longest").contains("Task number 9996<"));
    assert_eq!(rows(&ask("/pages/?q=nothing+has+these+words")), 0);
    // A run that is too old for the figures has a page still.
    let old = ask("/pages/runs/run-09999");
    assert!(old.contains("Task number 9999"));
}

#[test]
fn steps_stand_below_their_plan() {
    let served = served();
    let record = |run: &str, n: u64, object: Value| {
        let line =
            json!({ "ts": jiff::Timestamp::now().to_string(), "run": run, "round": 0, "seq": n, "object": object });
        let body = json!({ "repo": "r", "run": run, "events": [{ "n": n, "name": "record", "data": line }] });
        assert_eq!(ask(served.address(), "POST", "/events", &[], &body.to_string()).0, 200);
    };
    record("p1", 0, json!({ "object_type": "run", "command": "plan", "task": "The whole plan" }));
    record(
        "s1",
        0,
        json!({ "object_type": "run", "command": "run", "task": "First step", "plan": "p1", "step": "one" }),
    );
    record("s2", 0, json!({ "object_type": "run", "command": "run", "task": "Second step", "part_of": "p1" }));
    record(
        "s2",
        1,
        json!({ "object_type": "decision", "outcome": "rejected", "micros": 5, "spent": { "input_tokens": 7, "output_tokens": 1, "cost_usd": null } }),
    );
    let page = served.get("/pages/?group=plan").1.as_str().expect("a page").to_owned();
    let places = ["The whole plan", "First step", "Second step"].map(|title| page.rfind(title).expect(title));
    assert!(places.is_sorted() && page.matches("class=\"run step\"").count() == 2, "{page}");
    assert!(page.contains("rejected") && page.contains("8 tokens"), "{page}");
}

/// Whoever may write to one repository writes nothing on the page of another one's run, whose id stands in its commits.
#[test]
fn a_run_belongs_to_the_repository_that_began_it() {
    let served = served();
    let send = |repo: &str, n: u64, task: &str| {
        let line = json!({ "ts": jiff::Timestamp::now().to_string(), "round": 1, "task": task, "provider": "claude", "rounds": 1 });
        let events = [json!({ "n": n, "name": "run-started", "data": line })];
        let body = json!({ "repo": repo, "run": "01b3", "events": events });
        assert_eq!(ask(served.address(), "POST", "/events", &[], &body.to_string()).0, 200);
    };
    send("mine", 0, "the TRUE task");
    let ask_all = || {
        ["/pages/", "/pages/runs/01b3", "/pages/guards", "/pages/statistics"].map(|path| served.get(path).1.to_string())
    };
    for n in [0, 1, 2] {
        send("other", n, "a FORGED task");
        for page in ask_all() {
            assert!(!page.contains("FORGED"), "{page}");
        }
    }
    assert!(ask_all()[1].contains("TRUE"));
}

/// The work of a page is done for this site and for people who follow a link.
#[test]
fn pages_of_other_sites_cause_no_work() {
    let served = served();
    let asked = |headers: &[(&str, &str)]| ask(served.address(), "GET", "/pages/", headers, "").0;
    for (site, mode, dest, user, status) in [
        ("cross-site", "no-cors", "image", "", 403),
        ("cross-site", "cors", "empty", "", 403),
        ("cross-site", "navigate", "iframe", "?1", 403),
        ("cross-site", "navigate", "document", "", 403),
        ("cross-site", "navigate", "document", "?1", 200),
        ("same-origin", "navigate", "document", "", 200),
        ("none", "navigate", "document", "?1", 200),
    ] {
        let headers =
            [("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest), ("sec-fetch-user", user)];
        assert_eq!(asked(&headers), status, "{headers:?}");
    }
    assert_eq!(asked(&[]), 200, "programs say nothing of it");
    assert_eq!(ask(served.address(), "GET", "/", &[], "").0, 307, "the address alone leads to the pages");
}

#[test]
fn a_verdict_appears_while_the_run_goes_on() {
    let Some(mut browser) = Browser::start() else { return };
    let served = served();
    let mut sender = Sender { address: served.address().to_owned(), next: 0 };
    sender.send("run-started", json!({ "task": "A live task", "provider": "claude", "rounds": 2 }));
    sender.send("placed", json!({}));
    browser.open(&format!("{}/pages/runs/01a2", served.url));
    browser.wait("document.getElementById('live').textContent === 'live'");
    let mut slowest = Duration::ZERO;
    for number in 0..50 {
        let began = Instant::now();
        sender.send(
            "judged",
            json!({ "id": format!("guard-{number}"), "verdict": "pass", "micros": 7, "fuel": 8, "findings": [] }),
        );
        browser.wait(&format!("document.getElementById('v-01a2-1-guard-{number}')"));
        slowest = slowest.max(began.elapsed());
    }
    println!("the slowest of 50 verdicts stood on the page {} ms after its event", slowest.as_millis());
    assert_eq!(browser.value("document.querySelectorAll('tr[id^=v-01a2-1-]').length"), json!(50));
    sender.send("committed", json!({}));
    sender.send("run-ended", json!({ "outcome": "committed", "commit": "28c42470", "micros": 53980 }));
    browser.wait("document.querySelector('.head .chip').textContent.includes('committed')");
    let complaints: Vec<_> = browser.complaints.iter().filter(|text| !text.contains("favicon")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// A queue whose texts are those of strangers.
struct Queue(Mutex<Result<FleetReport, String>>);

#[async_trait]
impl FleetState for Queue {
    async fn fleet(&self) -> Result<FleetReport, String> {
        self.0.lock().unwrap().clone()
    }
}

const HOSTILE: &str = "</td></table><script>window.hit=1</script><img src=x onerror=window.hit=1>\u{202e}\x1b[2J\"'";

fn fleet(judged: u64) -> FleetReport {
    FleetReport {
        lanes: vec![
            FleetLane { lane: "fast", waiting: 7, leased: 2, oldest_millis: 61_000 },
            FleetLane { lane: "heavy", waiting: 0, leased: 0, oldest_millis: 0 },
        ],
        workers: vec![FleetWorker {
            name: HOSTILE.into(),
            key: HOSTILE.into(),
            version: HOSTILE.into(),
            slots: 2,
            busy: 1,
            judged,
            last_minute: judged,
            is_draining: false,
            stopped: None,
            own_failures: 0,
            left_to_others: 0,
            last_heard_millis: 900,
            is_unbelieved: false,
        }],
        dead: 3,
        object_bytes: 0,
        most_object_bytes: 256 << 20,
        newest_dead: vec![FleetDead {
            job: HOSTILE.into(),
            cause: "job",
            reason: HOSTILE.repeat(200),
            attempts: 5,
            at: HOSTILE.into(),
        }],
        alarms: vec![FleetAlarm {
            kind: "nondeterminism",
            job: HOSTILE.into(),
            workers: vec![HOSTILE.into(), "w1".into()],
            detail: HOSTILE.repeat(200),
            at: HOSTILE.into(),
        }],
    }
}

fn with_fleet(queue: &Arc<Queue>, tokens: bool) -> Served {
    let state: Arc<dyn FleetState> = queue.clone();
    Served::with(|settings| ServerSettings {
        pages: Some(pages(Arc::clone(&settings.storage), Some(state), None)),
        tokens,
        ..settings
    })
}

#[test]
fn the_page_of_a_fleet_is_there_where_a_fleet_is() {
    let queue = Arc::new(Queue(Mutex::new(Ok(fleet(5)))));
    let with = with_fleet(&queue, false);
    let page = with.get("/pages/fleet").1.as_str().expect("a page").to_owned();
    assert!(
        page.contains("href=\"/pages/fleet\"") && page.contains("nondeterminism") && page.contains("61.0 s"),
        "{page}"
    );
    assert!(with.get("/pages/").1.as_str().expect("a page").contains("href=\"/pages/fleet\""));
    *queue.0.lock().unwrap() = Err(format!("the queue cannot be reached: {HOSTILE}"));
    let (status, page) = with.get("/pages/fleet");
    let page = page.as_str().expect("a page").to_owned();
    assert!(status == 200 && page.contains("The queue does not answer") && !page.contains("<img"), "{page}");
    let without = served();
    assert_eq!(without.get("/pages/fleet").0, 404);
    assert!(!without.get("/pages/").1.as_str().expect("a page").contains("/pages/fleet"));
    assert_eq!(with_fleet(&queue, true).get("/pages/fleet").0, 401);
}

#[test]
fn the_page_of_a_fleet_follows_the_queue_and_runs_no_text() {
    let Some(mut browser) = Browser::start() else { return };
    let queue = Arc::new(Queue(Mutex::new(Ok(fleet(5)))));
    let served = with_fleet(&queue, false);
    browser.open(&format!("{}/pages/fleet", served.url));
    browser.wait("document.getElementById('rate').textContent === '5'");
    browser.wait("document.getElementById('lane-fast').textContent.includes('late')");
    // Nobody loads the page again.
    *queue.0.lock().unwrap() = Ok(fleet(1234));
    browser.wait("document.getElementById('rate').textContent === '1234'");
    assert_eq!(browser.value("window.hit === undefined && document.querySelectorAll('img').length === 0"), json!(true));
    assert_eq!(browser.value("document.querySelectorAll('table').length"), json!(4), "no text closes a table");
    assert_eq!(browser.value("document.documentElement.scrollWidth <= window.innerWidth"), json!(true));
    let complaints: Vec<_> = browser.complaints.iter().filter(|text| !text.contains("favicon")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}
