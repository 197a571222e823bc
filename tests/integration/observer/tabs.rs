//! The whole way to a reader: a run, its observer, and the pages in ten tabs of a browser.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::browser::Browser;
use super::runs::{BAD, GOOD, claude, repo};
use super::served::Served;
use crate::support::cli::command;

/// A provider that answers first with what is rejected, then with what is not, each when a file lets it.
fn two_answers(folder: &Path) -> String {
    claude(&folder.join("bad"), BAD, "");
    let wait = format!(
        "while [ ! -e '{0}/go-1' ]; do sleep 0.05; done\nif [ ! -e '{0}/asked' ]; then touch '{0}/asked'; cat '{0}/bad/bin/reply'; exit 0; fi\nwhile [ ! -e '{0}/go-2' ]; do sleep 0.05; done",
        folder.display()
    );
    claude(folder, GOOD, &wait)
}

#[test]
fn ten_tabs_show_a_run_as_it_goes_on_and_all_the_same() {
    const TABS: usize = 10;
    let Some(mut browser) = Browser::start() else { return };
    let (repo, folder) = (repo(), tempfile::tempdir().expect("a folder"));
    let served = Served::start(&folder.path().join("data"), &[]);
    let path = two_answers(folder.path());
    let args = ["run", "--task", "Let x return 2", "--file-hint", "x.py", "--provider", "claude", "--rounds", "2"];
    let env = [("PATH", path.as_str()), ("GUARDHOST_OBSERVER", served.url.as_str())];
    let mut run = command(repo.path(), &[&args[..], &["--format", "json"]].concat(), &env).spawn().expect("host run");
    drop(run.stdin.take());

    // The board hears of the run by itself.
    browser.open(&format!("{}/pages/", served.url));
    browser.wait("document.querySelector('.card, .runs a')");
    let link = browser.text("document.querySelector('.runs a.title').href");
    let mut tabs = vec![browser.tab()];
    for number in 2..=TABS {
        tabs.push(browser.new_tab());
        let began = Instant::now();
        browser.open(&link);
        println!("tab {number} was loaded after {} ms", began.elapsed().as_millis());
        browser.wait("document.getElementById('live').textContent === 'live'");
    }
    // Of all tabs one has a connection for events: a page of the same server still loads.
    let streams = |served: &Served| -> u64 {
        let metrics = super::served::text(&served.url, "/metrics").expect("metrics");
        let line = metrics.lines().find(|line| line.starts_with("guardhost_event_streams ")).expect("the gauge");
        line.rsplit(' ').next().expect("a number").parse().expect("a number")
    };
    assert_eq!(streams(&served), 1);

    fs::write(folder.path().join("go-1"), "").expect("written");
    let verdict = |round: u32, word: &str| {
        format!(
            "[...document.querySelectorAll('tr[id*=\"-{round}-syntax-holds\"]')].some(row => row.textContent.includes('{word}'))"
        )
    };
    for tab in &tabs[1..] {
        browser.use_tab(tab);
        browser.wait(&verdict(1, "reject"));
    }
    // The tab that listens goes; another takes its place, and nothing is lost in between.
    browser.use_tab(&tabs[0]);
    browser.close_tab();
    fs::write(folder.path().join("go-2"), "").expect("written");
    let output = run.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), &report["notices"]), (Some(0), &json!([])), "{report}");

    let mut shown = Vec::new();
    for tab in &tabs[1..] {
        browser.use_tab(tab);
        browser.wait("document.querySelector('.head .chip').textContent.includes('committed')");
        browser.wait(&verdict(2, "pass"));
        // The last that the run sends: what its records say.
        browser.wait("document.querySelector('.facts').textContent.includes('Branch')");
        let rows = "[...document.querySelectorAll('tr[id^=\"v-\"]')].map(row => row.id)";
        let rounds = "document.querySelectorAll('article.round').length";
        let text = "document.getElementById('page').textContent.replace(/\\s+/g, ' ')";
        shown.push(browser.value(&format!("({{ rows: {rows}, rounds: {rounds}, text: {text} }})")));
    }
    assert!(shown.iter().all(|tab| *tab == shown[0]), "{shown:#?}");
    assert_eq!(shown[0]["rounds"], 2);
    // Each verdict of the trace stands there once.
    let trace = fs::read_to_string(report["trace"].as_str().expect("a trace")).expect("the trace");
    let lines = trace.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let run = report["run"].as_str().expect("a run");
    let mut judged: Vec<String> = lines
        .filter(|line| line["event"] == "judged")
        .map(|line| format!("v-{run}-{}-{}", line["round"], line["id"].as_str().expect("an id")))
        .collect();
    let mut rows: Vec<String> = serde_json::from_value(shown[0]["rows"].clone()).expect("ids");
    judged.sort();
    rows.sort();
    assert!(!judged.is_empty());
    assert_eq!(rows, judged);
    let complaints: Vec<_> = browser.complaints.iter().filter(|text| !text.contains("favicon")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    // The server has let go of tabs that are gone.
    drop(browser);
    while streams(&served) > 0 {
        std::thread::sleep(Duration::from_millis(50));
    }
}
