//! The pages as text: links, sizes, and what stands on each.

use std::collections::BTreeSet;

use guardhost_core::change::{Evidence, Finding, GuardVerdict, Mode, Severity};
use guardhost_pages::{Bundle, Mount, Page, PageSettings, document, report};

use crate::support::{Round, bundle, evidence, finding, record, small, two_rounds};

fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    html.split(&start).skip(1).map(|rest| rest.split('"').next().expect("an end")).collect()
}

#[test]
fn every_link_of_the_file_leads_to_a_part_of_it() {
    let html = report(&small(), PageSettings::default()).html;
    let ids: BTreeSet<String> = attributes(&html, "id").iter().map(|id| id.replace("&amp;", "&")).collect();
    let links = attributes(&html, "href");
    assert!(links.len() > 30, "{links:?}");
    for link in links {
        let target = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leaves the file")).replace("&amp;", "&");
        assert!(ids.contains(&target), "{link} leads nowhere");
    }
    assert_eq!(attributes(&html, "id").len(), ids.len(), "two parts have the same id");
}

#[test]
fn every_link_of_a_server_is_a_page_of_it() {
    let bundle = small();
    let mount = Mount { prefix: "/pages".to_owned(), events: Some("/events".to_owned()), has_fleet: false };
    let (mut seen, mut left) = (BTreeSet::new(), vec!["/pages/".to_owned()]);
    while let Some(path) = left.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let page = Page::from_path(path.strip_prefix("/pages").expect("the prefix"))
            .unwrap_or_else(|| panic!("{path} is no page"));
        assert_eq!(Page::from_path(&page.path()).as_ref(), Some(&page));
        let document =
            document(&bundle, &page, &mount, PageSettings::default()).unwrap_or_else(|| panic!("{path} has no page"));
        let links = attributes(&document.html, "href").into_iter().filter(|link| !link.starts_with('#'));
        left.extend(links.map(|link| link.split('#').next().expect("a path").to_owned()));
    }
    assert!(seen.len() > 8, "{seen:?}");
}

#[test]
fn unknown_pages_are_none() {
    let mount = Mount::default();
    for page in [Page::Run("no-such".to_owned()), Page::Guard("no-such".to_owned()), Page::Audit("no-such".to_owned())]
    {
        assert!(document(&small(), &page, &mount, PageSettings::default()).is_none(), "{page:?}");
    }
    for path in ["/runs/a/b", "/x", "/runs/a/rounds/x", "/runs/%zz", "/runs/%ff"] {
        assert_eq!(Page::from_path(path), None, "{path}");
    }
    assert_eq!(Page::from_path("/runs/a%2Fb"), Some(Page::Run("a/b".to_owned())));
}

#[test]
fn the_file_without_data_is_small() {
    let size = report(&Bundle::default(), PageSettings::default()).html.len();
    println!("a report without runs: {size} bytes");
    assert!(size <= 150_000, "{size} bytes");
}

#[test]
fn what_is_left_out_is_said() {
    let state = tempfile::tempdir().unwrap();
    for number in 0..4 {
        record(state.path(), &format!("01a2063f-{number}"), &format!("Task {number}"), &two_rounds(), true);
    }
    let limits = PageSettings { rounds: 200, runs: 2, text: 20, lines: 1, files: 0, findings: 0, syntax: None };
    let html = report(&bundle(state.path()), limits).html;
    for word in
        ["the pages of the 2 oldest runs", "more are not shown", "1 file is not shown", "1 finding is not shown"]
    {
        assert!(html.contains(word), "{word}");
    }
    let lines = report(&bundle(state.path()), PageSettings { lines: 1, ..PageSettings::default() }).html;
    assert!(lines.contains("3 lines of this file are not shown"));
}

/// From the events alone, as a server has them before the records arrive.
#[test]
fn a_run_of_events_alone_is_shown_where_it_stands() {
    let mut bundle = Bundle::default();
    let mut seq = 0;
    let mut add = |bundle: &mut Bundle, event: &str, data: serde_json::Value| {
        let mut line = serde_json::json!({ "ts": "2026-11-23T02:32:46.332383Z", "run": "01a2", "round": 1, "seq": seq, "event": event });
        line.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
        seq += 1;
        assert!(bundle.add_event(&line));
        assert!(bundle.add_event(&line), "heard twice");
    };
    let none = || serde_json::json!({});
    add(&mut bundle, "run-started", serde_json::json!({ "task": "A live task", "provider": "claude", "rounds": 2 }));
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let quiet = std::time::Duration::from_secs(600);
    bundle.assume_alive(at("2026-11-23T04:00:00Z"), quiet);
    assert!(!bundle.runs["01a2"].alive, "it was last heard of long ago");
    bundle.assume_alive(at("2026-11-23T02:33:00Z"), quiet);
    let lane = |bundle: &Bundle| {
        let html = document(bundle, &Page::Board, &Mount::default(), PageSettings::default()).unwrap().html;
        let before = html.split("class=\"card\"").next().unwrap().to_owned();
        before.rsplit("aria-label=\"").next().unwrap().split('"').next().unwrap().to_owned()
    };
    add(&mut bundle, "round-started", none());
    assert_eq!(lane(&bundle), "Waiting for an answer");
    add(&mut bundle, "replied", serde_json::json!({ "provider": "claude", "model": "m", "micros": 5 }));
    add(&mut bundle, "mended", none());
    assert_eq!(lane(&bundle), "Reading the patch");
    add(&mut bundle, "placed", none());
    assert_eq!(lane(&bundle), "Guards are judging");
    add(
        &mut bundle,
        "judged",
        serde_json::json!({ "id": "docs-kept", "verdict": "pass", "micros": 7, "fuel": 8, "findings": [] }),
    );
    let run =
        document(&bundle, &Page::Run("01a2".to_owned()), &Mount::default(), PageSettings::default()).unwrap().html;
    assert_eq!(run.matches("id=\"v-01a2-1-docs-kept\"").count(), 1, "{run}");
    add(&mut bundle, "committed", none());
    add(&mut bundle, "run-ended", serde_json::json!({ "outcome": "committed", "commit": "28c42470", "micros": 53980 }));
    bundle.assume_alive(at("2026-11-23T02:33:00Z"), quiet);
    assert!(!bundle.runs["01a2"].alive);
    let board = document(&bundle, &Page::Board, &Mount::default(), PageSettings::default()).unwrap().html;
    assert!(board.contains("1 accepted") && !board.contains("at work"), "{board}");
}

#[test]
fn a_round_that_needs_no_change_is_no_failure() {
    let mut bundle = Bundle::default();
    let events = [("asking", None), ("replied", None), ("run-ended", Some("no-change"))];
    for (seq, (event, outcome)) in events.into_iter().enumerate() {
        let line = serde_json::json!({ "ts": "2026-11-23T02:32:46Z", "run": "01a2", "round": 1, "seq": seq, "event": event, "outcome": outcome });
        assert!(bundle.add_event(&line));
    }
    let run =
        document(&bundle, &Page::Run("01a2".to_owned()), &Mount::default(), PageSettings::default()).unwrap().html;
    assert!(run.contains("no change needed") && !run.contains("ended early"), "{run}");
}

#[test]
fn the_border_of_a_finding_shows_its_severity() {
    let at = |severity, line| Finding { severity, ..finding("a-rule", "README.md", line, "said") };
    let findings = vec![at(Severity::Error, 1), at(Severity::Warning, 2), at(Severity::Info, 3)];
    let [mut round, _] = two_rounds();
    round.evidence = vec![
        evidence("rejects", GuardVerdict::Reject(findings.clone())),
        Evidence { mode: Mode::Monitor, ..evidence("advises", GuardVerdict::Reject(findings)) },
    ];
    let state = tempfile::tempdir().unwrap();
    record(state.path(), "01a2063f-0", "A task", &[round], true);
    let html = report(&bundle(state.path()), PageSettings::default()).html;
    let border = |guard: &str, line: u32| {
        let said = [format!("{guard}/a-rule"), format!(" line {line}</span>")];
        let mut parts = html.split("<div class=\"finding ").skip(1);
        let part = parts.find(|part| said.iter().all(|words| part.contains(words))).expect("the finding");
        part.split('"').next().unwrap()
    };
    assert_eq!([1, 2, 3].map(|line| border("rejects", line)), ["bad", "fault", "none"]);
    assert_eq!([1, 2, 3].map(|line| border("advises", line)), ["fault", "fault", "none"]);
    let style = include_str!("../assets/style.css");
    for class in ["bad", "none"] {
        assert!(style.contains(&format!(".finding.{class} {{ border-left-color: var(--{class}); }}")), "{class}");
    }
}

#[test]
fn statistics_say_which_finding_the_next_round_mended() {
    let html = document(&small(), &Page::Statistics, &Mount::default(), PageSettings::default()).unwrap().html;
    let row = html.split("/code-loss").nth(1).expect("the rule").split("</tr>").next().unwrap();
    let numbers: Vec<&str> = row
        .split("class=\"num\">")
        .skip(1)
        .map(|cell| cell.rsplit_once("</svg>").map_or(cell, |(_, rest)| rest))
        .map(|cell| cell.split('<').next().unwrap())
        .collect();
    assert_eq!(numbers, ["1", "1", "0", "0", "0", "2.3 s", "1\u{2009}540", "$0.012"], "{row}");
}

#[test]
fn each_line_of_a_reply_has_what_it_was_read_as() {
    let state = tempfile::tempdir().expect("a folder");
    let round = Round {
        reply: "first\n<b>edit</b>\nlast\n".to_owned(),
        account: Some(
            r#"[{"from":1,"to":1,"part":"prose","edit":null},{"from":2,"to":2,"part":"edit","edit":3},
                {"from":3,"to":3,"part":"rest","edit":null},{"from":9,"to":12,"part":"prose","edit":null}]"#
                .to_owned(),
        ),
        ..Round::default()
    };
    record(state.path(), "01a2063f-account", "a task", &[round], true);
    let bundle = bundle(state.path());
    let html = report(&bundle, PageSettings::default()).html;
    let part = |label: &str, line: usize, text: &str| {
        format!("<strong>{label}</strong> <span class=\"quiet\">line {line}</span></p><pre>{text}\n</pre>")
    };
    for expected in [part("prose", 1, "first"), part("edit 3", 2, "&lt;b&gt;edit&lt;/b&gt;"), part("rest", 3, "last")] {
        assert!(html.contains(&expected), "{expected}");
    }
    assert!(!html.contains("lines 9 to 12"), "a reply has no lines behind its end");
    let public = report(&bundle.redacted(), PageSettings::default()).html;
    assert!(!public.contains("first\n") && !public.contains("edit 3"));
}
