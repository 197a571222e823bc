//! Former ids of guards: whoever wrote one before the rename is understood, and reads what to write now.

use guardhost_policy::config::{GuardsToml, nothing_shared};
use serde_json::Value;

use crate::support::cli::{Ran, host, host_with};
use crate::support::repo::TestRepo;

const RULES: &str = "schema = 1\n[[guard]]\nid = \"docs-kept\"\n[[guard]]\nid = \"secrets-out\"\n";
const NOTICE: &str = "the guard `secrets-out` is called `no-secrets` now";

/// A line that `no-secrets` rejects, with something before it.
fn leak(above: &str) -> String {
    format!("{above}KEY = \"{}{}\"\n", "AKIA", "Z7VRSQ5TJN2XMPLQ")
}

fn json(repo: &TestRepo, arguments: &[&str], env: &[(&str, &str)], code: i32) -> Value {
    host_with(repo.path(), &[arguments, &["--format", "json"]].concat(), b"", env).expect(code).json()
}

fn ids(report: &Value) -> Vec<&str> {
    report["guards"].as_array().expect("guards").iter().map(|guard| guard["id"].as_str().expect("an id")).collect()
}

fn says(report: &Value, origin: &str) {
    let found = report["notices"].as_array().expect("notices").iter().filter_map(Value::as_str);
    assert_eq!(found.filter(|text| text.starts_with(origin) && text.contains(NOTICE)).count(), 1, "{report:#}");
}

/// What a command that has no list of notices says while it works.
fn notes(ran: Ran) {
    assert!(ran.stderr.contains(NOTICE), "{ran:?}");
}

fn leaking(rules: &str, above: &str) -> TestRepo {
    let repo = TestRepo::with(&[("guards.toml", rules), ("a.txt", "x\n")]);
    repo.write("b.py", leak(above));
    repo.stage_all();
    repo
}

#[test]
fn rules_and_lock_are_read() {
    let repo = TestRepo::with(&[("guards.toml", RULES), ("a.txt", "x\n")]);
    notes(host(repo.path(), &["guard", "lock"]).expect(0));
    let lock = std::fs::read_to_string(repo.path().join("guards.lock")).expect("a lock");
    assert!(lock.contains("\"no-secrets\"") && !lock.contains("secrets-out"), "{lock}");
    // A lock that an earlier host wrote: the ids are sorted as they were then.
    for written in [lock.clone(), lock.replace("\"no-secrets\"", "\"secrets-out\"")] {
        repo.write("guards.lock", written);
        repo.commit("rules");
        repo.write("b.py", leak(""));
        repo.stage_all();
        let report = json(&repo, &["check", "--staged"], &[], 1);
        assert_eq!(ids(&report), ["docs-kept", "no-secrets"]);
        says(&report, "guards.toml at ");
        repo.git(&["rm", "-q", "-f", "b.py"]);
    }
}

#[test]
fn a_mistake_is_shown_at_the_pin_with_the_former_id() {
    let repo = leaking("schema = 1\n[[guard]]\nid = \"secrets-out\"\ngrants = [\"neet\"]\n", "");
    let report = json(&repo, &["check", "--staged"], &[], 3);
    assert!(report["error"]["message"].as_str().is_some_and(|text| text.contains(":4:11: ")), "{report:#}");
    let twice = GuardsToml::parse(format!("{RULES}[[guard]]\nid = \"no-secrets\"\n").as_bytes(), "x", &nothing_shared)
        .unwrap_err();
    assert!(twice.to_string().contains("`no-secrets` is pinned twice"), "{twice}");
}

#[test]
fn a_component_of_a_users_own_has_its_id() {
    let own = b"schema = 1\n[[guard]]\nid = \"secrets-out\"\nsource = \"path:own.wasm\"\n";
    let rules = GuardsToml::parse(own, "x", &nothing_shared).expect("rules");
    assert_eq!((rules.guards[0].id.as_str(), rules.notices("x")), ("secrets-out", Vec::new()));
}

#[test]
fn options_choose_by_it() {
    for rules in ["schema = 1\n[[guard]]\nid = \"docs-kept\"\n[[guard]]\nid = \"no-secrets\"\n", RULES] {
        let repo = leaking(rules, "");
        let only = json(&repo, &["check", "--staged", "--guard", "secrets-out"], &[], 1);
        assert_eq!(ids(&only), ["no-secrets"]);
        says(&only, "the command line");
        for (arguments, env) in
            [(&["--skip", "secrets-out"][..], None), (&[][..], Some(("GUARDHOST_SKIP", "secrets-out")))]
        {
            let without = json(&repo, &[&["check", "--staged"], arguments].concat(), env.as_slice(), 0);
            assert_eq!(ids(&without), ["docs-kept"]);
            says(&without, "the command line");
        }
    }
    // A guard that judges only if it is named, without a guards.toml.
    let repo = TestRepo::with(&[("a.txt", "x\n")]);
    repo.write("a.txt", "y\n");
    repo.stage_all();
    let report = json(&repo, &["check", "--staged", "--guard", "tests-hold"], &[], 0);
    assert_eq!(ids(&report), ["no-test-regressions"]);
    let gone = host(repo.path(), &["check", "--staged", "--skip", "go-parses"]).expect(2);
    assert!(gone.stderr.contains("`syntax-holds` judges what it judged"), "{gone:?}");
}

#[test]
fn comments_and_baselines_allow_by_it() {
    let above = "# guardhost: allow secrets-out/token-added a key of the documentation\n";
    json(&leaking(RULES, above), &["check", "--staged"], &[], 0);

    let repo = leaking(RULES, "");
    let baseline = repo.path().join("../baseline.json");
    let file = baseline.to_str().expect("a path");
    json(&repo, &["check", "--staged", "--write-baseline", file], &[], 0);
    let text = std::fs::read_to_string(&baseline).expect("a baseline");
    assert!(text.contains("\"guard\":\"no-secrets\""), "{text}");
    std::fs::write(&baseline, text.replace("no-secrets", "secrets-out")).expect("written");
    json(&repo, &["check", "--staged", "--baseline", file], &[], 0);
}

#[test]
fn commands_about_guards_know_it() {
    for what in ["secrets-out", "secrets-out/token-added"] {
        let repo = leaking(RULES, "");
        let ran = host(repo.path(), &["explain", what]).expect(0);
        assert!(ran.stdout.contains("no-secrets"), "{ran:?}");
        notes(ran);
    }
    let repo = leaking(RULES, "");
    notes(host(repo.path(), &["guard", "info", "secrets-out"]).expect(0));
    notes(host(repo.path(), &["guard", "update", "secrets-out"]).expect(0));
    for id in ["secrets-out", "no-secrets"] {
        for rules in [RULES, &RULES.replace("secrets-out", "no-secrets")] {
            repo.write("guards.toml", rules);
            host(repo.path(), &["guard", "lock"]).expect(0);
            host(repo.path(), &["guard", "remove", id]).expect(0);
            let left = ["guards.toml", "guards.lock"].map(|file| std::fs::read_to_string(repo.path().join(file)));
            let left = left.map(|text| text.expect("a file")).concat();
            assert!(!left.contains("secrets"), "{left}");
        }
    }
    notes(host(repo.path(), &["guard", "add", "secrets-out"]).expect(0));
    let rules = std::fs::read_to_string(repo.path().join("guards.toml")).expect("rules");
    assert!(rules.contains("id = \"no-secrets\""), "{rules}");
}
