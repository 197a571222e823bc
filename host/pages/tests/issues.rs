//! Pages about issues and pull requests, from records and from the same records as events.

use guardhost_core::change::RunOutcome;
use guardhost_core::issue::{IssueEnd, IssueFact};
use guardhost_pages::{Bundle, Mount, Page, PageSettings, document, report};
use serde_json::{Value, json};

use crate::support::bundle;
use crate::support::issues::{ScriptedIssue, batch, ended, five, fix, improve, pull, tried};

const FIX: &str = "01a2063f-0000-7000-8000-0000000000f1";

fn text(bundle: &Bundle, page: &Page) -> String {
    let html = document(bundle, page, &Mount::default(), PageSettings::default()).expect("a page").html;
    html.split("<main").nth(1).expect("the page").split("<footer").next().expect("its end").to_owned()
}

/// The rows of all tables, as words.
fn rows(html: &str) -> Vec<String> {
    let words = |row: &str| {
        let texts = row.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    };
    let bodies = html.split("<tbody>").skip(1).filter_map(|body| body.split("</tbody>").next());
    bodies.flat_map(|body| body.split("<tr").skip(1)).map(|row| words(&format!("<tr{row}"))).collect()
}

#[test]
fn issues_stand_as_their_newest_run_left_them() {
    let state = tempfile::tempdir().unwrap();
    drop(fix(state.path(), FIX, &five(), true));
    // A later run takes up the one that failed.
    let later = "01a2063f-0000-7000-8000-0000000000f2";
    let again = ScriptedIssue {
        id: "issue-2",
        title: "An empty file counts as one line",
        path: Some("src/tally/count.py"),
        facts: vec![tried(1, "1.1"), ended(IssueEnd::Resolved, None, None)],
    };
    drop(fix(state.path(), later, &[again], true));
    let page = text(&bundle(state.path()), &Page::Issues);
    let rows = rows(&page);
    let begin = |start: &str| rows.iter().filter(|row| row.starts_with(start)).count();
    assert_eq!(
        (begin("! touched"), begin("✓ resolved"), begin("– ignored"), begin("– duplicate")),
        (1, 2, 1, 1),
        "{rows:#?}"
    );
    assert_eq!(rows.len(), 5);
    let resolved = rows.iter().find(|row| row.contains("An empty file")).expect("the issue");
    assert!(resolved.contains("src/tally/count.py 1 –"), "one attempt of the later run, without a commit: {resolved}");
    assert!(page.contains(&format!("/runs/{later}")), "{page}");
    assert!(rows.iter().any(|row| row.contains("Empty files says the same as issue-2")), "{rows:#?}");
}

#[test]
fn a_run_of_fixes_shows_its_issues_by_batch_and_links_to_the_runs() {
    let state = tempfile::tempdir().unwrap();
    drop(fix(state.path(), FIX, &five(), true));
    let step = "01a2063f-0000-7000-8000-0000000000f3";
    batch(state.path(), step, FIX, "1.1");
    let bundle = bundle(state.path());
    let page = text(&bundle, &Page::Run(FIX.to_owned()));
    let begin = "scope=\"rowgroup\">";
    let titles: Vec<_> = page.split(begin).skip(1).map(|title| title.split("</th>").next().unwrap()).collect();
    assert_eq!(titles.len(), 4, "{titles:?}");
    assert!(titles[0].starts_with("Batch 1.1 <a href=\"/runs/"), "{titles:?}");
    assert_eq!(titles[1..], ["Batch 1.2", "Batch 2.1", "Not tried"]);
    // The run of the batch is a step, and leads back.
    assert!(page.contains("<h2>Steps</h2>") && page.contains(&format!("/runs/{step}")), "{page}");
    assert!(text(&bundle, &Page::Run(step.to_owned())).contains(&format!("/runs/{FIX}")));
    // One that is at work, and one that was killed.
    let state = tempfile::tempdir().unwrap();
    let told = |facts| [ScriptedIssue { id: "i", title: "An issue", path: None, facts }];
    let records = fix(state.path(), FIX, &told(vec![IssueFact::Claimed { fence: 1 }, tried(1, "1.1")]), false);
    assert!(rows(&text(&crate::support::bundle(state.path()), &Page::Issues))[0].starts_with("◔ in-progress"));
    drop(records);
    assert!(rows(&text(&crate::support::bundle(state.path()), &Page::Issues))[0].starts_with("– open"));
}

#[test]
fn visits_to_the_forge_are_listed() {
    let state = tempfile::tempdir().unwrap();
    let id = |number: u32| format!("01a2063f-0000-7000-8000-00000000000{number}");
    pull(
        state.path(),
        &id(1),
        "pull request of the run 01a2",
        RunOutcome::NoChange,
        "pull request 7: https://forge.example/o/r/pull/7",
    );
    pull(
        state.path(),
        &id(2),
        "pull request of the run 01a3",
        RunOutcome::Rejected,
        "the guards reject the change; nothing was pushed",
    );
    let bundle = bundle(state.path());
    let page = text(&bundle, &Page::Pulls);
    let rows = rows(&page);
    assert_eq!(rows.len(), 2);
    assert!(rows[0].starts_with("✕ rejected pull request of the run 01a3"), "{rows:?}");
    assert!(rows[1].contains("pull request 7: https://forge.example/o/r/pull/7 28c42470ee… 90.0 s"), "{rows:?}");
    // Words of a forge are no link.
    assert!(!page.contains("href=\"https:"), "{page}");
    // The report has the page, and leads to it; one without visits has neither.
    let html = report(&bundle, PageSettings::default()).html;
    assert!(html.contains("href=\"#pulls\"") && html.contains("id=\"pulls\"") && !html.contains("#issues"));
    let nothing = report(&crate::support::small(), PageSettings::default()).html;
    assert!(!nothing.contains("#pulls") && !nothing.contains("#issues"));
    assert!(text(&Bundle::default(), &Page::Pulls).contains("host pr open"));
    assert!(text(&Bundle::default(), &Page::Issues).contains("host fix"));
}

/// As an observer hears of runs that have no trace.
#[test]
fn records_that_come_as_events_make_the_same_pages() {
    let state = tempfile::tempdir().unwrap();
    drop(fix(state.path(), FIX, &five(), true));
    let (forge, better) = ("01a2063f-0000-7000-8000-0000000000b1", "01a2063f-0000-7000-8000-0000000000b2");
    pull(state.path(), forge, "pull request of the run 01a2", RunOutcome::NoChange, "pull request 7");
    improve(state.path(), better);
    let recorded = bundle(state.path());
    let mut heard = Bundle::default();
    for (seq, object) in recorded.objects.values().enumerate() {
        let line = json!({ "ts": object.created_at, "run": object.run(), "round": 0, "seq": seq, "event": "record", "object": object });
        assert!(heard.add_event(&line) && heard.add_event(&line), "heard twice");
        // Of a run, only that run tells.
        let mut other = line.clone();
        other["run"] = json!("another");
        assert!(!heard.add_event(&other));
    }
    for (path, file) in &recorded.runs[better].files {
        let text = &recorded.texts[&file.key].text;
        let line = |path: &str, text: &str| json!({ "ts": "2026-11-23T02:32:46Z", "run": better, "round": 0, "seq": 1u64 << 32, "event": "record-file", "path": path, "text": text });
        assert!(heard.add_event(&line(path, text)));
        assert!(!heard.add_event(&line("1/reply.txt", text)), "no other file comes this way");
        assert!(!heard.add_event(&line(path, &"x".repeat(2 << 20))));
    }
    heard.assume_alive("2026-11-23T02:33:00Z".parse().unwrap(), std::time::Duration::from_secs(600));
    assert!(heard.runs.keys().all(|id| id != "another"));
    for page in [Page::Board, Page::Issues, Page::Pulls, Page::Run(FIX.to_owned()), Page::Audit(better.to_owned())] {
        assert_eq!(text(&heard, &page), text(&recorded, &page), "{page:?}");
    }
    assert!(text(&heard, &Page::Audit(better.to_owned())).contains("74.0 %"));
    // Without its end, a run of which something was heard just now is at work.
    let is_end = |object: &Value| object["object_type"] == "decision";
    let mut open = Bundle::default();
    let objects = recorded.objects.values().filter(|object| object.run() == FIX);
    for (seq, object) in objects.enumerate().filter(|(_, object)| !is_end(&json!(object))) {
        open.add_event(&json!({ "ts": object.created_at, "run": FIX, "round": 0, "seq": seq, "event": "record", "object": object }));
    }
    let soon = jiff::Timestamp::now();
    open.assume_alive(soon, std::time::Duration::from_secs(600));
    assert!(open.runs[FIX].alive);
    open.assume_alive(soon + std::time::Duration::from_secs(3_600), std::time::Duration::from_secs(600));
    assert!(!open.runs[FIX].alive);
}

#[test]
fn redacted_issues_have_no_words() {
    let state = tempfile::tempdir().unwrap();
    drop(fix(state.path(), FIX, &five(), true));
    let redacted = bundle(state.path()).redacted();
    let page = text(&redacted, &Page::Issues);
    for word in ["retried", "src/tally", "nobody has one", "issue-2"] {
        assert!(!page.contains(word), "{word}: {page}");
    }
    assert_eq!(rows(&page).len(), 5);
}
