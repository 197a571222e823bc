//! Runs that ask no provider themselves: what the observer hears of plans, fixes and audits, and the pages that it makes of that.

use std::fs;

use serde_json::{Value, json};

use super::runs::{GOOD, claude, repo};
use super::served::{Served, text};
use crate::integration::issues::{Place, fix, review};
use crate::support::cli::host_with;
use crate::support::servers::free_port;

#[test]
fn issues_and_their_batches_stand_on_the_pages_of_the_observer() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(&folder.path().join("data"), &[]);
    let place = Place::new(&["api.py", "web.js"]);
    place.agent("author", "", &[("api <b>has", &fix("api.py")), ("web has", &fix("web.js"))]);
    place.agent(
        "judge",
        "",
        &[("", &review(90, &[("I001", "resolved", "api.py", 1), ("I002", "resolved", "web.js", 1)]))],
    );
    let list = place.list(json!([
        { "title": "api <b>has</b> an XXX", "path": "api.py" },
        { "title": "web has an XXX", "path": "web.js" }
    ]));
    let list = list.to_str().expect("UTF-8");
    let fixed = place.fix_with(&["judge"], &["--issues", list, "--iterations", "1", "--observer", &served.url]);
    let report = fixed.json();
    assert_eq!(report["notices"], json!([]), "{fixed:?}");
    let run = report["run"].as_str().expect("a run");
    let page = |path: &str| text(&served.url, path).expect("a page");
    let issues = page("/pages/issues");
    for issue in report["issues"].as_array().expect("issues") {
        let title = issue["title"].as_str().expect("a title").replace('<', "&lt;").replace('>', "&gt;");
        let row = issues.split("<tr id=\"i-").find(|row| row.contains(&title)).unwrap_or_else(|| panic!("{issues}"));
        let status = issue["status"].as_str().expect("a status");
        assert!(row.contains(&format!("</span>{status}</span>")), "{status}: {row}");
    }
    let of_run = page(&format!("/pages/runs/{run}"));
    assert!(of_run.contains("scope=\"rowgroup\">Batch 1.1"), "{of_run}");
    assert!(of_run.contains("<h2>Steps</h2>"), "its batches are runs of their own: {of_run}");
    assert!(page("/pages/").contains("fix 2 issues"));
    // Nothing of a patch is sent.
    assert!(!of_run.contains("api = 1"), "{of_run}");

    // Away, the observer is named, and what it should hear waits.
    let url = format!("http://127.0.0.1:{}", free_port());
    let more = ["--issues", list, "--iterations", "1", "--again", "--observer", &url];
    let again = place.fix_with(&["judge"], &more).json();
    assert!(again["notices"].to_string().contains("the observer: "), "{again}");
    let later = format!("/pages/runs/{}", again["run"].as_str().expect("a run"));
    let (status, _) = super::served::ask(&served.url, "GET", &later, None).unwrap_or((404, Value::Null));
    assert_eq!(status, 404, "it knows nothing of it");
    // The next command that speaks with the observer sends it, once.
    place.fix_with(&["judge"], &["--issues", list, "--iterations", "1", "--again", "--observer", &served.url]);
    assert!(page(&later).contains("Batch 1.1"));
    let outbox = place.repo.path().join(".git/guardhost/outbox");
    let waiting = fs::read_dir(outbox).expect("the outbox").filter(|entry| {
        entry.as_ref().is_ok_and(|entry| entry.path().extension().is_some_and(|ending| ending == "json"))
    });
    assert_eq!(waiting.count(), 0);
}

#[test]
fn a_plan_is_heard_of_with_its_end() {
    let (repo, folder) = (repo(), tempfile::tempdir().expect("a folder"));
    let served = Served::start(&folder.path().join("data"), &[]);
    let plan = json!({ "tasks": [{ "title": "Change x", "subtasks": [
        { "id": "T1-S1", "title": "Let x return 2", "description": "d", "action": "modify", "file_hints": ["x.py"] }] }] });
    fs::write(folder.path().join("plan.json"), plan.to_string()).expect("written");
    let path = claude(folder.path(), GOOD, "");
    let plan = folder.path().join("plan.json");
    let args = ["run", "--plan", plan.to_str().expect("a name"), "--provider", "claude", "--format", "json"];
    let env = [("PATH", path.as_str()), ("GUARDHOST_OBSERVER", served.url.as_str())];
    let report = host_with(repo.path(), &args, b"", &env).expect(0).json();
    assert_eq!(report["notices"], json!([]));
    let page = text(&served.url, &format!("/pages/runs/{}", report["plan"].as_str().expect("a run"))).expect("a page");
    assert!(page.contains("a plan of 1 step") && page.contains("committed"), "{page}");
}
