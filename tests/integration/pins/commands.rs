//! `host guard …` on files of the repository itself.

use serde_json::Value;

use crate::support::cli::{Ran, host, host_with};
use crate::support::guest::{Found, Guest, ID, REJECT, verdict};
use crate::support::repo::TestRepo;

/// A guard of one's own that passes, in a repository that has no rules yet.
pub fn repo() -> TestRepo {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("tools/guard.wasm", Guest::default().component());
    repo.commit("a guard");
    repo
}

/// The same, pinned, locked and committed.
pub fn pinned() -> TestRepo {
    let repo = repo();
    repo.write("guards.toml", "# ours\nschema = 1\nguards = []\n");
    host(repo.path(), &["guard", "add", "path:tools/guard.wasm"]).expect(0);
    repo.commit("rules");
    repo
}

pub fn rejecting(version: &'static str) -> Guest {
    Guest { version, ..Guest::answering(verdict(REJECT, &[Found::default()])) }
}

/// Judges a change of `a.txt`.
pub fn check(repo: &TestRepo, more: &[&str]) -> Ran {
    repo.write("a.txt", "two\n");
    repo.git(&["add", "a.txt"]);
    let ran = host(repo.path(), &[&["check", "--staged", "--format", "json"], more].concat());
    repo.git(&["reset", "-q", "--hard"]);
    ran
}

fn json(repo: &TestRepo, args: &[&str]) -> Value {
    host(repo.path(), &[args, &["--format", "json"]].concat()).expect(0).json()
}

#[test]
fn add_lock_check_remove() {
    let repo = repo();
    repo.write("guards.toml", "# ours\nschema = 1 # the first\nguards = []\n");
    let added = json(&repo, &["guard", "add", "path:tools/guard.wasm", "--monitor"]);
    assert_eq!(added["written"], serde_json::json!(["guards.toml", "guards.lock"]));
    let pin = "\n[[guard]]\nid = \"test-guest\"\nsource = \"path:tools/guard.wasm\"\nmode = \"monitor\"\n";
    assert_eq!(repo.read("guards.toml"), format!("# ours\nschema = 1 # the first\n{pin}").as_bytes());
    let lock = String::from_utf8(repo.read("guards.lock")).unwrap();
    for line in [
        "id = \"test-guest\"",
        "source = \"path:tools/guard.wasm\"",
        "version = \"0.1.0\"",
        "exports = [\"judge\", \"metadata\"]",
    ] {
        assert!(lock.contains(line), "{lock}");
    }
    repo.commit("rules");
    let judged = check(&repo, &["--locked"]).expect(0).json();
    let digest = judged["guards"][0]["digest"].as_str().unwrap();
    assert!(lock.contains(&format!("digest = \"{digest}\"")), "what ran is what was locked");
    // Written again, it is the same to the byte; and nothing is written.
    assert_eq!(json(&repo, &["guard", "lock"])["written"], serde_json::json!([]));
    assert_eq!(json(&repo, &["guard", "verify"])["changes"][0]["action"], "verified");
    host(repo.path(), &["guard", "add", "path:tools/guard.wasm"]).expect(2);
    json(&repo, &["guard", "remove", ID]);
    assert_eq!(repo.read("guards.toml"), b"# ours\nschema = 1 # the first\nguards = []\n");
    assert!(!String::from_utf8(repo.read("guards.lock")).unwrap().contains("[[guard]]"));
    host(repo.path(), &["guard", "remove", ID]).expect(2);
}

/// Without a guards.toml the embedded guards judge; adding one must not end that.
#[test]
fn the_first_pin_keeps_the_embedded_guards() {
    let repo = repo();
    let before = check(&repo, &[]).expect(0).json();
    host(repo.path(), &["guard", "add", "path:tools/guard.wasm"]).expect(0);
    repo.commit("rules");
    let after = check(&repo, &[]).expect(0).json();
    let ids = |json: &Value| -> Vec<String> {
        json["guards"].as_array().unwrap().iter().map(|guard| guard["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&after), [ids(&before), vec![ID.to_owned()]].concat());
}

#[test]
fn a_right_needs_its_grant_before_anything_is_written() {
    let repo = repo();
    let curious = Guest { version: "0.2.0", ..Guest::curious() }.component();
    host(repo.path(), &["guard", "add", "path:tools/guard.wasm"]).expect(0);
    let (toml, lock) = (repo.read("guards.toml"), repo.read("guards.lock"));

    repo.write("tools/guard.wasm", curious);
    // A dry run shows the update, and ends as the update would.
    let told = host(repo.path(), &["guard", "update", ID, "--dry-run", "--format", "json"]).expect(3).json();
    assert_eq!((&told["held"], &told["written"]), (&true.into(), &serde_json::json!([])));
    let change = told["changes"].as_array().unwrap().iter().find(|change| change["id"] == ID).unwrap();
    assert_eq!(
        (change["imports_gained"].clone(), change["action"].clone()),
        (serde_json::json!(["repo"]), "updated".into())
    );
    assert_eq!((&change["from"]["version"], &change["to"]["version"]), (&"0.1.0".into(), &"0.2.0".into()));
    assert_ne!(change["from"]["digest"], change["to"]["digest"]);
    for command in ["lock", "update"] {
        let ran = host(repo.path(), &["guard", command]).expect(3);
        assert!(ran.stderr.contains("not granted: repo") && ran.stderr.contains("grants = [\"repo\"]"), "{ran:?}");
    }
    assert_eq!((repo.read("guards.toml"), repo.read("guards.lock")), (toml.clone(), lock));

    let granted = String::from_utf8(toml).unwrap() + "grants = [\"repo\"]\n";
    repo.write("guards.toml", granted);
    host(repo.path(), &["guard", "update"]).expect(0);
    repo.commit("rules");
    check(&repo, &["--locked"]).expect(0);
}

#[test]
fn an_update_shows_settings_that_changed() {
    let rules = |floor: &str| {
        format!(
            "schema = 1\n[[guard]]\nid = \"docs-kept\"\nsettings = {{ shrink_floor = {floor} }}\n\n[[guard]]\nid = \"scope-kept\"\n"
        )
    };
    let repo = TestRepo::with(&[("guards.toml", &rules("0.3"))]);
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.write("guards.toml", rules("0.4"));
    let told = json(&repo, &["guard", "update", "--dry-run"]);
    let changed = |id: &str| {
        let change = told["changes"].as_array().unwrap().iter().find(|change| change["id"] == id).unwrap();
        (change["action"].clone(), change["settings_changed"].clone())
    };
    assert_eq!(changed("docs-kept"), ("updated".into(), true.into()), "{told}");
    assert_eq!(changed("scope-kept"), ("unchanged".into(), false.into()), "{told}");
    let shown = host(repo.path(), &["guard", "update", "--dry-run"]).expect(0).stdout;
    assert!(shown.contains("settings"), "{shown}");
}

/// Build servers judge with what was reviewed, and write nothing.
#[test]
fn locked_writes_nothing() {
    let repo = pinned();
    repo.write("tools/guard.wasm", rejecting("0.2.0").component());
    let before = repo.snapshot();
    let lock =
        |args: &[&str], env: &[(&str, &str)]| host_with(repo.path(), &[&["guard", "lock"], args].concat(), b"", env);
    for ran in [lock(&["--locked"], &[]), lock(&["--frozen"], &[]), lock(&[], &[("CI", "true")])] {
        let ran = ran.expect(3);
        assert!(ran.stderr.contains("guards.lock would change") && ran.stderr.contains("--locked=false"), "{ran:?}");
        assert_eq!(repo.snapshot(), before);
    }
    lock(&["--locked=false"], &[("CI", "true")]).expect(0);
    assert_ne!(repo.snapshot(), before);

    let lockless =
        TestRepo::with(&[("a.txt", "one\n"), ("guards.toml", "schema = 1\n[[guard]]\nid = \"docs-kept\"\n")]);
    check(&lockless, &[]).expect(0);
    let ran = check(&lockless, &["--locked"]).expect(3).json();
    assert!(ran["error"]["hint"].as_str().unwrap().contains("host guard lock"), "{ran}");
}

#[test]
fn info_of_what_is_pinned_and_what_is_not() {
    let repo = pinned();
    let info = json(&repo, &["guard", "info", ID]);
    assert_eq!((&info["guard"]["pinned"], &info["guard"]["version"]), (&true.into(), &"0.1.0".into()));
    repo.write("other.wasm", rejecting("0.3.0").component());
    let info = json(&repo, &["guard", "info", "path:other.wasm"]);
    assert_eq!((&info["guard"]["pinned"], &info["guard"]["version"]), (&false.into(), &"0.3.0".into()));
    assert_eq!(json(&repo, &["guard", "info", "docs-kept"])["guard"]["g"], "G13");
    host(repo.path(), &["guard", "info", "no-such"]).expect(2);
}

/// Every change of the past, and every rejected attempt, with the old and the new; nothing is written while a verdict flips.
#[test]
fn a_backtest_shows_every_flip_before_the_lock_changes() {
    let repo = pinned();
    let base = repo.oid("HEAD");
    for n in 0..3 {
        repo.write("b.txt", format!("{n}\n"));
        repo.commit(&format!("change {n}"));
    }
    repo.write("c.txt", "refused\n");
    let attempt = repo.commit("an attempt");
    repo.git(&["update-ref", "refs/guardhost/rejected/run-1/2", &attempt.to_string()]);
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);

    repo.write("tools/guard.wasm", rejecting("0.2.0").component());
    let lock = repo.read("guards.lock");
    let ran = host(repo.path(), &["guard", "update", ID, "--backtest", "3", "--format", "json"]).expect(3).json();
    let tested = &ran["backtests"][0];
    assert_eq!((&tested["commits"], &tested["rejected"], &tested["from"]), (&3.into(), &1.into(), &"0.1.0".into()));
    let flips: Vec<_> =
        tested["flips"].as_array().unwrap().iter().map(|flip| flip["subject"].as_str().unwrap()).collect();
    assert_eq!(flips, ["change 2", "change 1", "change 0", "an attempt"]);
    let flip = &tested["flips"][3];
    assert_eq!(
        (&flip["what"], &flip["before"], &flip["after"]),
        (&"rejected attempt run-1/2".into(), &"pass".into(), &"reject".into())
    );
    assert!(flip["reasons"][0].as_str().unwrap().starts_with("0.2.0 a-rule: wrong"), "{flip}");
    assert_eq!(repo.read("guards.lock"), lock, "nothing is written");

    // One that judges as before is taken at once.
    repo.write("tools/guard.wasm", Guest { version: "0.2.0", ..Guest::default() }.component());
    let ran = host(repo.path(), &["guard", "update", "--backtest", "100", "--format", "json"]).expect(0).json();
    assert_eq!(ran["backtests"][0]["flips"], serde_json::json!([]));
    assert!(ran["backtests"][0]["commits"].as_u64() > Some(3), "{ran}");
    assert_ne!(repo.read("guards.lock"), lock);
    assert_ne!(base, repo.oid("HEAD"));
}

/// What every guard has needs no grant, so that nothing is said of it.
#[test]
fn a_list_names_no_missing_grant() {
    let repo = repo();
    let import = r#"(import "guardhost:guard/change@0.1.0" "files" (func $files (param i32)))"#;
    repo.write(
        "tools/guard.wasm",
        Guest { imports: import, ..Guest::checking("(call $files (i32.const 4000))") }.component(),
    );
    host(repo.path(), &["guard", "add", "path:tools/guard.wasm"]).expect(0);
    repo.commit("rules");
    let shown = host(repo.path(), &["guard", "list"]).expect(0).stdout;
    let line = shown.lines().find(|line| line.contains(ID)).unwrap();
    assert!(line.contains("change") && !shown.contains("not granted"), "{shown}");
}

/// The digest of a pin holds with a lock and without one, for a file and for an embedded guard.
#[test]
fn the_digest_of_a_pin_is_always_compared() {
    let digest = guardhost_policy::config::Digest::of(&Guest::default().component());
    let other = format!("sha256:{}", "0".repeat(64));
    let pin = |digest: &str| {
        format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:tools/guard.wasm\"\ndigest = \"{digest}\"\n")
    };
    for (rules, code) in [
        (pin(digest.as_str()), 0),
        (pin(&other), 4),
        (format!("schema = 1\n[[guard]]\nid = \"docs-kept\"\ndigest = \"{other}\"\n"), 3),
    ] {
        let repo = repo();
        repo.write("guards.toml", rules);
        repo.commit("rules");
        let ran = check(&repo, &[]);
        match code {
            0 => drop(ran.expect(0)),
            code => super::tampered::refused(ran, code, &[&other, "host guard lock"]),
        }
    }
}

#[test]
fn a_refusal_names_its_path_once() {
    let repo = pinned();
    repo.write("new", "--- a/guards.lock\n+++ b/guards.lock\n@@ -0,0 +1 @@\n+x\n");
    let shown = host(repo.path(), &["check", "--patch", "new"]).expect(7).stdout;
    assert_eq!(shown.matches("guards.lock").count(), 1, "{shown}");
}

#[test]
fn a_patch_edits_no_rules_whatever_the_guard_set() {
    for rules in ["schema = 1\nguards = []\n", "schema = 1\n[policy]\nprotect = []\n"] {
        let repo = TestRepo::with(&[("a.txt", "one\n"), ("guards.toml", rules), (".guards/x.wasm", "x")]);
        for path in ["guards.toml", "guards.lock", ".guards/x.wasm", ".guards/new.wasm", "Guards.Lock", ".GUARDS/x"] {
            repo.write("new", format!("--- a/{path}\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"));
            let ran = host(repo.path(), &["check", "--patch", "new", "--format", "json"]).expect(7).json();
            assert_eq!(
                (&ran["refusal"]["kind"], &ran["refusal"]["code"]),
                (&"refused".into(), &"protected".into()),
                "{path}"
            );
            repo.remove("new");
            repo.write(path, "y");
            repo.stage_all();
            host(repo.path(), &["check", "--staged"]).expect(7);
            repo.git(&["reset", "-q", "--hard"]);
        }
    }
}
