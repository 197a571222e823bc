//! What clients of other observers ask of `host serve`, by the names that they use; and `OCCAM_URL` to an observer that is not ours.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::runs::{GOOD, claude, repo, run};
use super::served::{Served, ask};
use crate::support::cli::host_with;
use crate::support::repo::TestRepo;
use crate::support::server::{Play, Server};

const SOURCE: &str = "import os\nfrom typing import Optional\n\n\ndef get_conn(db=\"app.db\"):\n    return os.path.exists(db)\n\n\n\
    class Store:\n    pass\n\n\ndef _hidden():\n    return Store()\n\n\ndef helper():\n    return get_conn()\n";

#[test]
fn clients_of_other_observers_find_the_names_that_they_know() {
    let repo = TestRepo::with(&[("src.py", SOURCE), ("pyproject.toml", "[tool.poetry]\nname = \"demo\"\n")]);
    let root = repo.path().to_str().expect("a name").to_owned();
    let folder = tempfile::tempdir().expect("a folder");
    // The repository is below the second root alone: an absolute path finds it all the same.
    let other = folder.path().join("other");
    std::fs::create_dir(&other).expect("a folder");
    let served =
        Served::start(&folder.path().join("data"), &["--root", other.to_str().expect("a name"), "--root", &root]);
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let of = |method: &str, path: &str, body: Option<Value>, status: u16| {
        let (found, answer) = ask(&served.url, method, path, body.as_ref()).expect("an answer");
        assert_eq!(found, status, "{method} {path}: {answer}");
        answer
    };
    let file = format!("path={root}/src.py");

    let observed = json!({ "run_id": "r", "agent": "a", "outcome": "skipped", "commit_sha": commit });
    assert_eq!(of("POST", "/observation", Some(observed), 200)["id"], 1);
    assert_eq!(of("GET", "/repo/agent-log", None, 200)[0]["id"], 1);
    assert_eq!(of("GET", &format!("/agent/identity/{commit}"), None, 200)["run_id"], "r");
    of("GET", "/agent/identity/deadbeef", None, 404);
    let blame = of("GET", &format!("/repo/blame/src.py?target={root}"), None, 200);
    assert_eq!((&blame[0]["agent"], &blame[0]["run_id"], &blame[0]["line"]), (&json!("a"), &json!("r"), &json!(1)));
    let context = of("GET", &format!("/repo/context?target={root}"), None, 200);
    assert_eq!(context["stack"], json!(["python/poetry"]));
    let churn = of("GET", &format!("/repo/churn/src.py?target={root}"), None, 200);
    assert_eq!((&churn["modifications"], churn["contributors"].as_array().map(Vec::len)), (&json!(1), Some(1)));

    let imports = of("GET", &format!("/file/imports?{file}"), None, 200);
    let modules: Vec<_> = imports.as_array().expect("a list").iter().map(|each| &each["module"]).collect();
    assert_eq!(modules, ["os", "typing"]);
    assert_eq!(imports[1]["symbol_imported"], "Optional");
    let exports = of("GET", &format!("/file/exports?{file}"), None, 200);
    let shown = |each: &Value| (each["name"].clone(), each["kind"].clone(), each["lineno"].clone());
    let exported: Vec<_> = exports.as_array().expect("a list").iter().map(shown).collect();
    let row = |name: &str, kind: &str, line: u32| (json!(name), json!(kind), json!(line));
    assert_eq!(exported, [row("get_conn", "function", 5), row("Store", "class", 9), row("helper", "function", 17)]);
    assert_eq!(of("GET", &format!("/contract?{file}"), None, 200)["public_api"], exports);
    let symbol = of("GET", &format!("/symbol?{file}&name=get_conn"), None, 200);
    assert_eq!(
        (&symbol["callers"][0]["line"], &symbol["callees"]),
        (&json!(18), &json!([{ "name": "os.path.exists" }]))
    );
    let class = of("GET", &format!("/symbol?{file}&name=Store"), None, 200);
    assert_eq!((&class["kind"], &class["callers"][0]["line"]), (&json!("class"), &json!(14)));
    let print = of("GET", &format!("/file/fingerprint?{file}"), None, 200);
    for hash in ["content_hash", "ast_hash"] {
        assert!(print[hash].as_str().is_some_and(|hash| hash.len() == 71 && hash.starts_with("sha256:")), "{print}");
    }
    of("GET", "/file/imports?path=/etc/hostname", None, 403);
    of("GET", "/repo/context?target=--json", None, 400);

    let claim = |agent: &str| Some(json!({ "path": "/x y", "agent": agent, "ttl_seconds": 60 }));
    let lock = of("POST", "/claim", claim("one"), 200)["lock_id"].as_str().expect("an id").to_owned();
    of("POST", "/claim", claim("two"), 409);
    assert_eq!(of("GET", "/claim?path=/x%20y", None, 200)[0]["agent"], "one");
    of("DELETE", "/claim?path=/x%20y&agent=two", None, 409);
    for _ in 0..2 {
        assert_eq!(of("DELETE", &format!("/claim?lock_id={lock}"), None, 200)["released"], true);
    }
    assert_eq!(of("GET", "/claim?path=/x%20y", None, 200), json!([]));
    // A lock that is over ends nobody's claim.
    of("POST", "/claim", claim("two"), 200);
    of("DELETE", &format!("/claim?lock_id={lock}"), None, 200);
    assert_eq!(of("GET", "/claim?path=/x%20y", None, 200)[0]["agent"], "two");
    of("DELETE", "/claim?path=/x%20y&agent=two", None, 200);

    for path in [
        "/repo/test-map",
        "/repo/failing-tests",
        "/file/frozen-regions",
        "/file/last-safe",
        "/run/1/tests/delta",
        "/scorecard/1",
    ] {
        assert_eq!(of("GET", path, None, 501)["status"], "not_implemented", "{path}");
    }

    repo.write("src.py", SOURCE.replace("return os.path.exists(db)", "return bool(db)"));
    repo.stage_all();
    repo.git(&["commit", "-q", "-m", "Change"]);
    let diff = of("GET", &format!("/diff?target={root}&base={commit}&branch=HEAD"), None, 200);
    let modified = json!([{ "file": "src.py", "name": "get_conn", "kind": "function" }]);
    let delta = &diff["ast_top_level_delta"];
    assert_eq!(
        (&delta["modified"], &delta["added"], &diff["touched_files"]),
        (&modified, &json!([]), &json!(["src.py"]))
    );
}

#[test]
fn an_observer_of_another_kind_is_asked_for_its_contract_and_told_nothing() {
    let other =
        Server::start(vec![Play::new(400, "application/json", "{\"error\":\"missing 'path' query parameter\"}")]);
    let (repo, folder) = (repo(), tempfile::tempdir().expect("a folder"));
    let path = claude(folder.path(), GOOD, "");
    let args = ["run", "--task", "Let x return 2", "--file-hint", "x.py", "--provider", "claude", "--format", "json"];
    let ran =
        host_with(repo.path(), &args, b"", &[("PATH", path.as_str()), ("OCCAM_URL", other.url.as_str())]).expect(0);
    assert!(
        ran.stderr.contains("an observer of another kind") || ran.stdout.contains("an observer of another kind"),
        "{ran:?}"
    );
    let asked: Vec<String> = other.requests().into_iter().map(|request| request.line).collect();
    assert!(asked.iter().all(|line| line == "GET /contract"), "{asked:?}");
    assert!(!repo.path().join(".git/guardhost/outbox").exists(), "no letter waits");
}

/// Whoever answers with a number alone has it, and would keep it again.
#[test]
fn an_observation_that_was_answered_with_a_number_is_not_sent_again() {
    let numbers = Server::start(vec![Play::new(
        200,
        "application/json",
        "{\"id\":7,\"ts\":\"2026-11-23T00:00:00Z\",\"added\":1,\"last_seq\":1}",
    )]);
    let (repo, folder) = (repo(), tempfile::tempdir().expect("a folder"));
    let path = claude(folder.path(), GOOD, "");
    for _ in 0..3 {
        run(repo.path(), &path, &numbers.url);
    }
    let posted: Vec<Value> = numbers
        .requests()
        .iter()
        .filter(|request| request.line == "POST /observation")
        .map(|request| request.body["id"].clone())
        .collect();
    let once: BTreeSet<String> = posted.iter().map(Value::to_string).collect();
    assert!(!once.is_empty() && once.len() == posted.len(), "{posted:?}");
}
