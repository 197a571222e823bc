//! Promise 6, and `guards.toml`: read from the base commit, errors that point at the place.

use crate::support::cli::host;
use crate::support::repo::TestRepo;

fn with_rules(rules: &str) -> TestRepo {
    TestRepo::with(&[("guards.toml", rules), ("a.py", "x = 1\n")])
}

fn stage(repo: &TestRepo, path: &str, content: &str) {
    repo.write(path, content);
    repo.stage_all();
}

#[test]
fn the_base_commit_judges_not_the_change() {
    let repo = with_rules("schema = 1\n[[guard]]\nid = \"syntax-holds\"\n");
    repo.write("guards.toml", "schema = 1\n");
    stage(&repo, "a.py", "x = (\n");
    let refused = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(7).json();
    assert_eq!(refused["refusal"]["path"], "guards.toml");
    // Who keeps the rules may say so; the old rules still judge.
    let judged = host(repo.path(), &["check", "--staged", "--allow-rule-changes", "--format", "json"]).expect(1).json();
    assert_eq!(judged["guards"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_uncommitted_guards_toml_judges_nothing_and_says_so() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    stage(&repo, "a.py", "x = (\n");
    repo.write("guards.toml", "schema = 1\n");
    let ran = host(repo.path(), &["check", "--staged"]).expect(1);
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains("not committed"), "{ran:?}");
}

#[test]
fn monitor_records_and_does_not_stand_in_the_way() {
    let repo = with_rules("schema = 1\n[[guard]]\nid = \"syntax-holds\"\nmode = \"monitor\"\n");
    stage(&repo, "a.py", "x = (\n");
    let json = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(0).json();
    assert_eq!((json["verdict"].as_str(), json["guards"][0]["verdict"].as_str()), (Some("pass"), Some("reject")));
}

#[test]
fn paths_and_settings_of_a_pin_hold() {
    let repo = with_rules(
        "schema = 1\n[[guard]]\nid = \"syntax-holds\"\npaths = { include = [\"src/**\"], exclude = [\"src/gen/**\"] }\n",
    );
    for (path, code) in [("a.py", 0), ("src/gen/b.py", 0), ("src/c.py", 1)] {
        stage(&repo, path, "x = (\n");
        host(repo.path(), &["check", "--staged"]).expect(code);
        repo.git(&["rm", "-q", "--cached", path]);
        repo.git(&["reset", "-q"]);
        repo.git(&["checkout", "-q", "--", "."]);
    }
    let wrong = with_rules("schema = 1\n[[guard]]\nid = \"syntax-holds\"\nsettings = { langauges = [] }\n");
    stage(&wrong, "a.py", "x = 2\n");
    let ran = host(wrong.path(), &["check", "--staged"]).expect(3);
    assert!(ran.stderr.contains("langauges"), "{ran:?}");
}

#[test]
fn mistakes_in_guards_toml_are_pointed_at() {
    for (rules, words) in [
        (
            "schema = 1\n[[guard]]\nid = \"syntax-holds\"\nmoode = \"monitor\"\n",
            ["guards.toml", ":4:1", "did you mean `mode`"],
        ),
        ("schema = 2\n", ["guards.toml", "schema = 2", "schema = 1"]),
        ("schema = 1\n[[guard]]\nid = \"syntax-holds\"\nsource = \"ftp://x\"\n", ["guards.toml", ":4:", "builtin"]),
        ("schema = 1\n[[guard]]\nid = \"no-such\"\n", ["no-such", "embedded", "syntax-holds"]),
        ("schema = 1\n[[guard]]\nid = \"syntax-holds\"\nversion = \"^9\"\n", ["syntax-holds", "^9", "0.1"]),
        ("schema = \n", ["guards.toml", ":1:", ""]),
    ] {
        let repo = with_rules(rules);
        stage(&repo, "a.py", "x = 2\n");
        let ran = host(repo.path(), &["check", "--staged"]).expect(3);
        for word in words {
            assert!(ran.stderr.contains(word), "{rules:?} does not say {word}: {ran:?}");
        }
    }
}
