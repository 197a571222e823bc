//! Promise 6, and `guards.toml`: read from the base commit, errors that point at the place.

use crate::support::cli::{host, host_with};
use crate::support::guest::{Found, Guest, ID, REJECT, verdict};
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

/// Who begins a branch chooses the commit that it begins at. What comes into `main` is judged by the rules of `main`.
#[test]
fn a_branch_that_began_before_a_rule_is_judged_by_it() {
    let repo = with_rules("schema = 1\n[[guard]]\nid = \"docs-kept\"\n");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("b.py", "x = (\n");
    repo.commit("bad, and the rules of this time have nothing against it");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n");
    repo.commit("another rule");
    let ids = |json: &serde_json::Value| json["guards"][0]["id"].as_str().map(str::to_owned);
    for command in ["check", "review", "submit"] {
        let ran = host(repo.path(), &[command, "--range", "main...topic", "--format", "json"]).expect(1);
        assert!(ran.stdout.contains("syntax-holds") && !ran.stdout.contains("docs-kept"), "{command}: {ran:?}");
    }
    // The change is that of the branch: what `main` got in the meantime is no part of it.
    let json = host(repo.path(), &["check", "--range", "main...topic", "--format", "json"]).expect(1).json();
    assert_eq!(json["base"], repo.oid("main~1").to_string());
    let notice = format!("judged by the rules of the commit {}", &repo.oid("main").to_string()[..12]);
    assert!(json["notices"].to_string().contains(&notice), "{json}");
    // From `main` on, and of one commit alone, the rules are those of the base.
    let json = host(repo.path(), &["check", "--range", "topic", "--format", "json"]).json();
    assert_eq!(ids(&json).as_deref(), Some("docs-kept"), "{json}");
}

/// A baseline is a rule too: one of a time before does not allow what that of today no longer allows.
#[test]
fn a_branch_is_judged_by_the_baseline_of_what_it_comes_into() {
    let repo = with_rules("schema = 1\n[[guard]]\nid = \"syntax-holds\"\n");
    stage(&repo, "b.py", "x = (\n");
    host(repo.path(), &["check", "--staged", "--write-baseline", "guards.baseline.json"]).expect(0);
    repo.git(&["reset", "-q", "--", "b.py"]);
    repo.remove("b.py");
    repo.commit("a baseline");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("b.py", "x = (\n");
    repo.commit("bad");
    let check = |range: &str| host(repo.path(), &["check", "--range", range, "--baseline", "guards.baseline.json"]);
    check("main...topic").expect(0);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("guards.baseline.json", "{\"schema_version\":1,\"findings\":[]}");
    repo.commit("the findings are mended");
    check("main...topic").expect(1);
    repo.remove("guards.baseline.json");
    repo.commit("no baseline any more");
    repo.git(&["checkout", "-q", "topic"]);
    check("main...topic").expect(1);
}

/// A repository that pins a component by its path, without a lock. The component rejects everything.
fn pinned_by_path() -> TestRepo {
    let repo = with_rules(&format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:./tools/guard.wasm\"\n"));
    repo.write("tools/guard.wasm", Guest::answering(verdict(REJECT, &[Found::default()])).component());
    repo.write("other.wasm", Guest::default().component());
    repo.commit("a guard");
    repo
}

/// A component that a pin names is a rule like the pin: no change that it judges may replace it, move it or remove it, in any way in.
#[test]
fn a_change_cannot_replace_the_component_that_judges_it() {
    let patches = [
        "diff --git a/tools/guard.wasm b/tools/guard.wasm\ndeleted file mode 100644\n",
        "diff --git a/tools/guard.wasm b/tools/old.bin\nsimilarity index 100%\nrename from tools/guard.wasm\nrename to tools/old.bin\n",
        "diff --git a/other.wasm b/tools/guard.wasm\nsimilarity index 100%\ncopy from other.wasm\ncopy to tools/guard.wasm\n",
        "--- /dev/null\n+++ b/Tools/Guard.wasm\n@@ -0,0 +1 @@\n+x\n",
        "--- /dev/null\n+++ b/tools\n@@ -0,0 +1 @@\n+x\n",
    ];
    let repo = pinned_by_path();
    for patch in patches {
        for command in [&["check", "--patch", "-"][..], &["apply", "--no-guards", "--patch", "-"]] {
            let ran =
                host_with(repo.path(), &[command, &["--format", "json"]].concat(), patch.as_bytes(), &[]).expect(7);
            assert_eq!(ran.json()["refusal"]["code"], "protected", "{patch}: {ran:?}");
        }
    }
    repo.git(&["rm", "-q", "--cached", "tools/guard.wasm"]);
    host(repo.path(), &["check", "--staged"]).expect(7);
    host(repo.path(), &["check", "--staged", "--allow-rule-changes"]).expect(1);
}

/// Once it is gone from the commit, whatever lies at its place does not judge; with a lock the locked bytes do, wherever they lie.
#[test]
fn an_uncommitted_component_judges_only_if_its_digest_is_known() {
    let repo = pinned_by_path();
    let own = repo.read("tools/guard.wasm");
    repo.git(&["rm", "-q", "--cached", "tools/guard.wasm"]);
    repo.git(&["commit", "-q", "-m", "gone"]);
    repo.write(".gitignore", "tools/\n");
    repo.write("tools/guard.wasm", repo.read("other.wasm"));
    stage(&repo, "a.py", "x = 2\n");
    let ran = host(repo.path(), &["check", "--staged"]).expect(4);
    assert!(ran.stderr.contains("the base commit has no such file"), "{ran:?}");

    repo.write("tools/guard.wasm", &own);
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.git(&["add", "guards.lock"]);
    repo.git(&["commit", "-q", "-m", "locked", "--", "guards.lock"]);
    host(repo.path(), &["check", "--staged"]).expect(1);
    repo.write("tools/guard.wasm", repo.read("other.wasm"));
    host(repo.path(), &["check", "--staged"]).expect(4);
}

/// What a repository protects is protected beside the built-in list; that list is shortened by name only.
#[test]
fn protect_adds_to_the_built_in_list() {
    let patch = |path: &str| format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n");
    let check = |policy: &str, path: &str| {
        let repo = with_rules(&format!("schema = 1\n[policy]\n{policy}\n[[guard]]\nid = \"syntax-holds\"\n"));
        host_with(repo.path(), &["check", "--patch", "-"], patch(path).as_bytes(), &[]).code
    };
    for path in [".husky/pre-commit", ".github/workflows/x.txt", "deploy/x.txt"] {
        assert_eq!(check("protect = [\"deploy/**\"]", path), 7, "{path}");
    }
    assert_eq!(check("unprotect = [\".husky/**\"]", ".husky/notes.txt"), 0);
    assert_eq!(check("unprotect = [\".husky/**\"]", ".github/x.txt"), 7);
    assert_eq!(check("unprotect = [\".hsky/**\"]", "x.txt"), 3);
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
        ("schema = 1\n[registries]\nnpm = \"http://packages.example.org/\"\n", ["guards.toml", ":2:", "https://"]),
        ("schema = 1\n[registries]\nnmp = \"https://packages.example.org/\"\n", ["guards.toml", ":3:", "`npm`"]),
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

/// What is written and what judges may differ; the list says so, and shows the built-in set where no repository is.
#[test]
fn the_list_of_guards_says_which_rules_it_is_of() {
    let repo = with_rules("schema = 1\n[[guard]]\nid = \"syntax-holds\"\n");
    let list = |dir: &std::path::Path| host(dir, &["guard", "list", "--format", "json"]).expect(0).json();
    assert_eq!(list(repo.path())["notices"], serde_json::json!([]));
    // Git may write other ends of lines than it keeps.
    repo.write("guards.toml", "schema = 1\r\n[[guard]]\r\nid = \"syntax-holds\"\r\n");
    assert_eq!(list(repo.path())["notices"], serde_json::json!([]));
    repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"docs-kept\"\n");
    let changed = list(repo.path());
    assert_eq!(changed["guards"][0]["id"], "syntax-holds");
    assert!(changed["notices"][0].as_str().unwrap().contains("not committed"), "{changed}");
    let info = host(repo.path(), &["guard", "info", "mine"]).expect(2);
    assert!(info.stderr.contains("not committed"), "{info:?}");
    let nowhere = tempfile::tempdir().unwrap();
    let outside = list(nowhere.path());
    assert!(outside["guards"].as_array().unwrap().len() > 15, "{outside}");
    assert!(outside["notices"][0].as_str().unwrap().contains("no git repository"), "{outside}");
}

/// One run tells all of them, each with its line. What is wrong in a list is marked there, what is absent at the entry that lacks it.
#[test]
fn every_mistake_in_guards_toml_has_its_line() {
    let shown = |rules: &str| {
        let repo = with_rules(rules);
        stage(&repo, "a.py", "x = 2\n");
        let human = host(repo.path(), &["check", "--staged"]).expect(3).stderr;
        let json = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(3).json();
        let frames: Vec<_> =
            std::iter::once(&json["error"]).chain(json["error"]["others"].as_array().unwrap()).collect();
        assert!(frames.iter().all(|mistake| mistake["frame"]["line"].is_u64()), "{json:#}");
        let head = repo.git(&["rev-parse", "HEAD"]);
        let mut parts = human.split(&head[..7]);
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |text, part| text + "BASE" + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
    };
    insta::assert_snapshot!(
        "mistakes_of_types",
        shown(
            "schema = 1\n[policy]\nrounds = 99\n\n[[guard]]\nid = \"Ä\"\n\n\
        [[guard]]\nid = \"far\"\nsource = \"https://example.org/a.wasm\"\n\n[[guard]]\nid = \"far\"\n"
        )
    );
    insta::assert_snapshot!(
        "mistakes_of_a_version",
        shown("schema = 1\n[[guard]]\nid = \"syntax-holds\"\nversion = \"^x.3\"\n")
    );
    insta::assert_snapshot!(
        "mistakes_of_guards",
        shown(
            "schema = 1\n\n[[guard]]\nid = \"doc-kept\"\n\n[[guard]]\nid = \"syntax-holds\"\n\
        settings = { langauges = [] }\n\n[[guard]]\nid = \"docs-kept\"\npaths = { include = [\"ok\", \"[a\"] }\n\n\
        [[guard]]\nid = \"no-secrets\"\ngrants = [\"repo\", \"neet\"]\n\n[[guard]]\nid = \"no-leftovers\"\nlimits = { memory = \"64 GiB\" }\n"
        )
    );
    insta::assert_snapshot!("mistakes_of_the_policy", shown("schema = 1\n[policy]\nunprotect = [\"*.x\", \"*.y\"]\n"));
    insta::assert_snapshot!(
        "mistakes_of_a_list",
        shown("schema = 1\n[policy]\nallow_unreadable = [\n  \"a\",\n  \"[a\",\n]\n")
    );
}

/// A change of the rules that a person allows must leave rules that fit together: else whoever takes it is stopped by them.
#[test]
fn a_change_of_the_rules_must_fit_its_lock() {
    let repo = pinned_by_path();
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("locked");
    let check = |args: &[&str]| host(repo.path(), &[&["check", "--format", "json"], args].concat());
    let misfits = |args: &[&str]| -> Vec<String> {
        let report = check(args).json();
        let rows = report["guards"].as_array().unwrap().iter().filter(|row| row["id"] == "host:lock");
        let findings = rows.flat_map(|row| row["findings"].as_array().unwrap());
        findings
            .map(|finding| format!("{} {}", finding["path"].as_str().unwrap(), finding["rule"].as_str().unwrap()))
            .collect()
    };
    let allowed = ["--staged", "--allow-rule-changes", "--skip", ID];
    let own = repo.read("tools/guard.wasm");

    stage(&repo, "a.py", "x = 2\n");
    assert!(misfits(&allowed).is_empty());
    repo.write("tools/guard.wasm", repo.read("other.wasm"));
    repo.stage_all();
    assert_eq!(misfits(&allowed), ["tools/guard.wasm component-mismatch"]);
    check(&allowed).expect(1);
    let refused = check(&["--staged"]).expect(7).json();
    assert!(refused["notices"].to_string().contains("is not the one that was locked"), "{refused}");
    check(&[&allowed[..], &["--skip", "host:lock"]].concat()).expect(0);
    // The same as a commit.
    repo.git(&["commit", "-q", "-m", "replaced"]);
    assert_eq!(
        misfits(&["--range", "HEAD~1..HEAD", "--allow-rule-changes", "--skip", ID]),
        ["tools/guard.wasm component-mismatch"]
    );
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);

    let rules = String::from_utf8(repo.read("guards.toml")).unwrap();
    stage(&repo, "guards.toml", &format!("{rules}settings = {{ a = 1 }}\n"));
    assert_eq!(misfits(&allowed), ["guards.lock lock-mismatch"]);
    stage(&repo, "guards.toml", "schema = \n");
    assert_eq!(misfits(&allowed), ["guards.toml lock-mismatch"]);
    stage(&repo, "guards.toml", &rules.replace("guard.wasm", "none.wasm"));
    repo.git(&["rm", "-q", "--cached", "guards.lock"]);
    assert_eq!(misfits(&allowed), ["tools/none.wasm component-missing"]);
    repo.git(&["reset", "-q", "--hard"]);

    // Another component together with its lock fits.
    repo.write("tools/guard.wasm", repo.read("other.wasm"));
    host(repo.path(), &["guard", "update", ID]).expect(0);
    repo.stage_all();
    assert_ne!(own, repo.read("tools/guard.wasm"));
    assert!(misfits(&allowed).is_empty());
    check(&allowed).expect(0);
}

/// No link is followed to a component: what it leads to is neither protected nor pinned.
#[test]
fn a_component_is_not_reached_through_a_link() {
    let misfits = |repo: &TestRepo| -> Vec<String> {
        let args = ["check", "--staged", "--allow-rule-changes", "--skip", ID, "--format", "json"];
        let report = host(repo.path(), &args).expect(1).json();
        let rows = report["guards"].as_array().unwrap().iter().filter(|row| row["id"] == "host:lock");
        let findings = rows.flat_map(|row| row["findings"].as_array().unwrap());
        findings.map(|found| found["rule"].as_str().unwrap().to_owned()).collect()
    };
    let repo = pinned_by_path();
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("locked");
    // The same bytes, but any change of `moved.wasm` would change what judges.
    std::fs::rename(repo.path().join("tools/guard.wasm"), repo.path().join("moved.wasm")).unwrap();
    repo.symlink("../moved.wasm", "tools/guard.wasm");
    repo.stage_all();
    assert_eq!(misfits(&repo), ["component-replaced"]);
    repo.git(&["reset", "-q", "--hard"]);
    repo.git(&["clean", "-fdq"]);
    std::fs::rename(repo.path().join("tools"), repo.path().join("real")).unwrap();
    repo.symlink("real", "tools");
    repo.stage_all();
    assert_eq!(misfits(&repo), ["component-replaced"]);

    // Once it is committed, nothing judges by it, and nothing can be locked through it.
    repo.git(&["commit", "-q", "-m", "linked"]);
    stage(&repo, "a.py", "x = 2\n");
    let ran = host(repo.path(), &["check", "--staged"]).expect(4);
    assert!(ran.stderr.contains("through a symbolic link, tools"), "{ran:?}");
    assert_ne!(host(repo.path(), &["guard", "lock"]).code, 0);
}

/// Fixes of a change whose rules do not fit are not placed.
#[test]
fn no_fix_is_placed_while_the_rules_do_not_fit() {
    const FENCED: &str = "```python\nx = 1\n```\n";
    let repo = with_rules(&format!(
        "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\n"
    ));
    repo.write("guard.wasm", Guest::default().component());
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("locked");
    repo.write("guard.wasm", Guest::answering(verdict(REJECT, &[Found::default()])).component());
    stage(&repo, "b.py", FENCED);
    let ran = host(repo.path(), &["check", "--staged", "--fix", "--allow-rule-changes", "--format", "json"]).expect(1);
    assert!(ran.json()["notices"].to_string().contains("no fix was tried"), "{ran:?}");
    assert_eq!(repo.read("b.py"), FENCED.as_bytes());
    assert_eq!(repo.git(&["show", ":b.py"]).trim_end(), FENCED.trim_end());
    host(repo.path(), &["check", "--staged", "--fix", "--allow-rule-changes", "--skip", "host:lock"]).expect(0);
    assert_eq!(repo.read("b.py"), b"x = 1\n");
}

/// A baseline decides what counts, as the rules do.
#[test]
fn a_change_does_not_write_a_baseline() {
    let repo = with_rules("schema = 1\n");
    for path in ["guards.baseline.json", "pkg/guards.baseline.json"] {
        let patch = format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{{}}\n");
        let args = ["check", "--patch", "-", "--format", "json"];
        let ran = host_with(repo.path(), &args, patch.as_bytes(), &[]).expect(7);
        assert_eq!(ran.json()["refusal"]["code"], "protected", "{path}");
        stage(&repo, path, "{}\n");
        host(repo.path(), &["check", "--staged"]).expect(7);
        host(repo.path(), &["check", "--staged", "--allow-rule-changes"]).expect(0);
        repo.git(&["reset", "-q", "--hard"]);
    }
}
