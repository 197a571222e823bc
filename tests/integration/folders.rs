//! Rules for a folder: a guard that is pinned once more, below a folder, judges there in place of the others.

use serde_json::{Value, json};

use crate::support::cli::host;
use crate::support::repo::TestRepo;

/// Documents may shrink to a third; those of the API must stay nearly whole.
const RULES: &str = "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\n\n[[guard]]\nid = \"docs-kept-api\"\nguard = \"docs-kept\"\n\
                     folder = \"services/api\"\nsettings = { shrink_floor = 0.9 }\n";

/// Of about 1,200 characters.
fn document() -> String {
    (0..20).map(|line| format!("Sentence {line} says what the program does and why it does so.\n\n")).collect()
}

/// Its first half.
fn half() -> String {
    document().lines().take(20).map(|line| format!("{line}\n")).collect()
}

fn with_rules(rules: &str) -> TestRepo {
    let document = document();
    TestRepo::with(&[
        ("guards.toml", rules),
        ("README.md", &document),
        ("services/api/README.md", &document),
        ("services/web/README.md", &document),
    ])
}

/// What `host check --staged` says of these files, cut to half.
fn check(repo: &TestRepo, paths: &[&str], more: &[&str], code: i32) -> Value {
    paths.iter().for_each(|path| repo.write(path, half()));
    repo.stage_all();
    let said = host(repo.path(), &[&["check", "--staged", "--format", "json"], more].concat()).expect(code).json();
    repo.git(&["reset", "-q", "--hard"]);
    said
}

/// Each guard that looked, and the paths that it found something in.
fn found(said: &Value) -> Vec<(&str, Vec<&str>)> {
    let guards = said["guards"].as_array().unwrap().iter().filter(|guard| guard["verdict"] != "not-applicable");
    let paths = |guard: &'_ Value| {
        let all = guard["findings"].as_array().cloned().unwrap_or_default();
        all.len()
    };
    guards
        .map(|guard| {
            let count = paths(guard);
            let of = (0..count).filter_map(|at| guard["findings"][at]["path"].as_str());
            (guard["id"].as_str().unwrap(), of.collect())
        })
        .collect()
}

#[test]
fn the_innermost_folder_judges() {
    let repo = with_rules(RULES);
    assert_eq!(found(&check(&repo, &["README.md", "services/web/README.md"], &[], 0)), [("docs-kept", vec![])]);
    let both = check(&repo, &["README.md", "services/api/README.md"], &[], 1);
    assert_eq!(found(&both), [("docs-kept", vec![]), ("docs-kept-api", vec!["services/api/README.md"])]);
    // A folder in a folder, and a guard that judges nowhere else.
    let inner = "\n[[guard]]\nid = \"docs-kept-inner\"\nguard = \"docs-kept\"\nfolder = \"services/api/v1\"\n\n\
                 [[guard]]\nid = \"syntax-holds\"\nfolder = \"services/web\"\n";
    let repo = with_rules(&format!("{RULES}{inner}"));
    repo.write("services/api/v1/README.md", document());
    repo.commit("a version");
    let said = check(&repo, &["services/api/v1/README.md"], &[], 0);
    assert_eq!(found(&said), [("docs-kept-inner", vec![])], "{said}");
    repo.write("a.json", "{");
    repo.write("services/web/a.json", "{");
    let said = check(&repo, &[], &[], 1);
    assert_eq!(found(&said), [("syntax-holds", vec!["services/web/a.json"])], "{said}");
}

/// A name on the command line, in a comment or in a baseline means all pins of the guard; the id of a pin means that one.
#[test]
fn a_guard_is_named_as_before() {
    let repo = with_rules(RULES);
    let api = ["services/api/README.md"];
    assert_eq!(found(&check(&repo, &api, &["--guard", "docs-kept"], 1)).len(), 1);
    assert_eq!(found(&check(&repo, &api, &["--guard", "docs-kept-api"], 1)).len(), 1);
    assert_eq!(check(&repo, &api, &["--skip", "docs-kept"], 0)["guards"], json!([]));
    // What is left out does not come back as the rules around it.
    assert!(found(&check(&repo, &api, &["--skip", "docs-kept-api"], 0)).is_empty());
    let repo = with_rules("schema = 1\n[[guard]]\nid = \"docs-kept\"\nsettings = { shrink_floor = 0.9 }\n");
    api.iter().for_each(|path| repo.write(path, half()));
    repo.stage_all();
    host(repo.path(), &["check", "--staged", "--write-baseline", "guards.baseline.json"]).expect(0);
    repo.git(&["reset", "-q", "--hard"]);
    repo.write("guards.toml", RULES);
    repo.commit("rules of a folder");
    let said = check(&repo, &api, &["--baseline", "guards.baseline.json"], 0);
    assert_eq!(said["guards"][1]["allowed"].as_array().map(Vec::len), Some(1), "{said}");
}

#[test]
fn the_lock_and_the_lists_have_the_pin() {
    let repo = with_rules(RULES);
    host(repo.path(), &["guard", "lock"]).expect(0);
    let lock = String::from_utf8(repo.read("guards.lock")).unwrap();
    assert!(lock.contains("id = \"docs-kept-api\"\nguard = \"docs-kept\"\nsource = \"builtin\"\n"), "{lock}");
    repo.commit("locked");
    check(&repo, &["services/api/README.md"], &["--locked"], 1);
    let listed = host(repo.path(), &["guard", "list", "--format", "json"]).expect(0).json();
    let second = &listed["guards"][1];
    assert_eq!((&second["id"], &second["guard"]), (&json!("docs-kept-api"), &json!("docs-kept")));
    assert_eq!(second["folder"], "services/api");
    assert!(listed["guards"][0].get("folder").is_none() && listed["guards"][0].get("guard").is_none(), "{listed}");
    assert!(host(repo.path(), &["guard", "list"]).expect(0).stdout.contains("docs-kept below services/api"));
    for command in [&["explain", "docs-kept-api"][..], &["guard", "info", "docs-kept-api"], &["guard", "verify"]] {
        let said = host(repo.path(), &[command, &["--format", "json"]].concat()).expect(0);
        assert!(said.stdout.contains("docs-kept-api"), "{command:?}: {said:?}");
    }
    let found = check(&repo, &["services/api/README.md"], &[], 1);
    let rule = found["guards"][1]["findings"][0]["rule"].as_str().unwrap();
    host(repo.path(), &["explain", &format!("docs-kept-api/{rule}")]).expect(0);
    // Another guard under the same id is not what was locked.
    repo.write("guards.toml", RULES.replace("guard = \"docs-kept\"", "guard = \"syntax-holds\""));
    repo.commit("another guard");
    let said = host(repo.path(), &["guard", "list", "--format", "json"]).expect(3).json();
    assert_eq!(said["error"]["code"], "lock-mismatch", "{said}");
}

/// A pin for a folder unsets nothing outside of it.
#[test]
fn the_default_set_judges_the_rest() {
    let rules = "schema = 1\n[[guard]]\nid = \"docs-kept-api\"\nguard = \"docs-kept\"\nfolder = \"services/api\"\n";
    let repo = with_rules(rules);
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("locked");
    let ids = |repo: &TestRepo| -> Vec<String> {
        let listed = host(repo.path(), &["guard", "list", "--format", "json"]).expect(0).json();
        listed["guards"].as_array().unwrap().iter().map(|guard| guard["id"].as_str().unwrap().to_owned()).collect()
    };
    let all = ids(&repo);
    assert!(all.iter().any(|id| id == "docs-kept") && all.last().is_some_and(|id| id == "docs-kept-api"), "{all:?}");
    repo.write("guards.toml", rules.replace("schema = 1", "schema = 1\nguards = []"));
    repo.commit("nothing outside of it");
    assert_eq!(ids(&repo), ["docs-kept-api"]);
    // The last pin for the whole repository does not bring the default set back.
    repo.write("guards.toml", RULES);
    host(repo.path(), &["guard", "lock"]).expect(0);
    host(repo.path(), &["guard", "remove", "docs-kept"]).expect(0);
    repo.commit("removed");
    assert_eq!(ids(&repo), ["docs-kept-api"]);
}

#[test]
fn what_cannot_be_meant_is_said_with_its_place() {
    for (rules, words, line) in [
        (RULES.replace("services/api", "../api"), "no path of a folder", 9),
        (RULES.replace("folder = \"services/api\"\n", ""), "give one of them a `folder`", 6),
        (RULES.replace("guard = \"docs-kept\"", "guard = \"docs-kpet\""), "not among the embedded guards", 8),
    ] {
        let repo = with_rules(&rules);
        let said = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(3).json();
        let error = said["error"].to_string();
        assert!(error.contains(words) && error.contains("guards.toml at "), "{error}");
        assert!(error.contains(&format!(":{line}:")), "line {line}: {error}");
    }
}
