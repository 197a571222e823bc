//! `host check`.

use super::place::Place;
use super::{CODE, DOC, RULES};
use crate::support::guest::{Found, Guest, PASS, REJECT, WARNING, verdict};

const BROKEN: &str = "def x(:\n    return 2\n";
const GOOD: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n";

fn place() -> Place {
    Place::new(&[("guards.toml", RULES), ("x.py", CODE), ("README.md", DOC)])
}

/// Rules beside the repository with this one guard: its component does not reach any tree id.
fn pinned(place: &Place, component: Vec<u8>, more: &str) -> String {
    let guard = place.beside("guard.wasm", component);
    let rules = format!("schema = 1\n[[guard]]\nid = \"test-guest\"\nsource = \"path:{guard}\"\n{more}");
    place.beside("rules.toml", rules)
}

#[test]
fn staged() {
    let place = place();
    place.record("check-nothing", &["check", "--staged"]);
    place.record("check-allow-empty", &["check", "--staged", "--allow-empty"]);
    place.stage("x.py", "def x():\n    return 2\n");
    place.record("check-pass", &["check", "--staged"]);
    place.record("check-not-applicable", &["check", "--staged", "--guard", "docs-kept"]);
    place.record("check-task", &["check", "--staged", "--task", "Return 2", "--file-hint", "README.md"]);
    place.record("check-unknown-guard", &["check", "--staged", "--guard", "syntax-hold"]);
    place.stage("x.py", BROKEN).stage("README.md", "# x\n\nSome text.\n");
    let reject = ["check", "--staged", "--skip", "scope-kept"];
    place.record("check-reject", &reject);
    place.record_text("check-reject-sarif", &reject, "sarif");
    place.record_text("check-reject-junit", &reject, "junit");
    place.record_text("check-reject-github", &reject, "github");
}

#[test]
fn every_embedded_guard() {
    let place = Place::new(&[("x.py", CODE), ("README.md", DOC)]);
    place.stage("x.py", "def x():\n    return 2\n");
    place.record("check-default-set", &["check", "--staged"]);
}

#[test]
fn range() {
    let place = place();
    place.repo.write("x.py", "def x():\n    return 2\n");
    place.commit("two");
    place.record("check-range", &["check", "--range", "HEAD~1..HEAD"]);
    place.record("check-range-unknown", &["check", "--range", "nowhere..HEAD"]);
}

#[test]
fn patch() {
    let place = place();
    let check = |name: &str, patch: &str| place.record_with(name, &["check", "--patch", "-"], patch);
    check("check-patch", GOOD);
    check("check-patch-offset", &GOOD.replace("-1,2 +1,2", "-9,2 +9,2"));
    check("check-patch-misfit", &GOOD.replace("return 1", "return 7"));
    check("check-patch-missing-file", &GOOD.replace("x.py", "y.py"));
    check("check-patch-refused", "--- /dev/null\n+++ b/guards.toml\n@@ -0,0 +1 @@\n+schema = 1\n");
    check("check-patch-escape", "--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n");
    check("check-patch-no-patch", "I would rather not change anything here, since the code is fine.\n");
    check("check-patch-empty", "");
}

#[test]
fn fix() {
    let place = place();
    place.stage("tool.py", "```python\ndef tool():\n    return 1\n```\n");
    place.record("check-fixable", &["check", "--staged"]);
    place.record("check-fixed", &["check", "--staged", "--fix"]);
    place.stage("tool.py", "```python\ndef tool():\n    return 1\n```\n").stage("x.py", BROKEN);
    place.record("check-not-fixed", &["check", "--staged", "--fix"]);
}

#[test]
fn rules() {
    let judged = |name: &str, rules: &str| {
        let place = Place::new(&[("guards.toml", rules), ("x.py", CODE)]);
        place.stage("x.py", BROKEN);
        place.record(name, &["check", "--staged"]);
        place
    };
    judged("check-monitor", "schema = 1\n[[guard]]\nid = \"syntax-holds\"\nmode = \"monitor\"\n");
    judged("check-rules-unknown-key", "schema = 1\n[[guard]]\nid = \"syntax-holds\"\nmoode = \"monitor\"\n");
    judged("check-rules-no-such-guard", "schema = 1\n[[guard]]\nid = \"no-such\"\n");
    judged("check-rules-settings", "schema = 1\n[[guard]]\nid = \"syntax-holds\"\nsettings = { langauges = [] }\n");
    judged("check-rules-not-toml", "schema = \n");
    let place = judged("check-no-guards", "schema = 1\nguards = []\n");
    place.stage("guards.toml", "schema = 1\n# more\n");
    place.record("check-rules-changed", &["check", "--staged"]);
    place.record("check-rules-changed-allowed", &["check", "--staged", "--allow-rule-changes"]);
}

#[test]
fn guests() {
    let place = Place::new(&[("a.txt", "one\n")]);
    place.stage("a.txt", "two\n");
    let judged = |name: &str, component: Vec<u8>, more: &str| {
        let rules = pinned(&place, component, more);
        place.record(name, &["check", "--staged", "--config", "../rules.toml"]);
        std::fs::remove_file(rules).unwrap();
    };
    let found = |rule| Found { rule, ..Found::at("a.txt", 1) };
    let mended = Found { fix: vec![("a.txt", 0, 4, "three\n")], ..found("mended") };
    let mild = Found { severity: WARNING, ..found("mild") };
    judged("check-guest-pass", Guest::default().component(), "");
    judged("check-guest-warns", Guest::answering(verdict(PASS, std::slice::from_ref(&mild))).component(), "");
    let rejecting = || Guest::answering(verdict(REJECT, &[Found::default(), mended.clone(), mild.clone()])).component();
    judged("check-guest-reject", rejecting(), "");
    judged("check-guest-monitor", rejecting(), "mode = \"monitor\"\n");
    let trap = || Guest::checking("unreachable").component();
    judged("check-guest-trap", trap(), "");
    pinned(&place, trap(), "[[guard]]\nid = \"docs-kept\"\n");
    for (name, format) in
        [("check-error-sarif", "sarif"), ("check-error-junit", "junit"), ("check-error-github", "github")]
    {
        place.record_text(name, &["check", "--staged", "--config", "../rules.toml"], format);
    }
    let endless = Guest::checking("(loop $l (br $l))").component();
    judged("check-guest-fuel", endless, "limits = { fuel = 1_000_000 }\n");
    judged("check-guest-trap-monitor", trap(), "mode = \"monitor\"\n");
    judged("check-guest-no-component", b"\0asm not really".to_vec(), "");
    judged("check-guest-ungranted", Guest::curious().component(), "");
    let logging = Guest {
        imports: r#"(import "guardhost:guard/log@0.1.0" "line" (func $line (param i32 i32 i32)))
            (import "guardhost:guard/log@0.1.0" "metric" (func $metric (param i32 i32 f64)))"#,
        items: "(data (i32.const 1024) \"test-guest0.1.0\")".to_owned(),
        ..Guest::checking(
            "(call $line (i32.const 1) (i32.const 1024) (i32.const 10))
             (call $metric (i32.const 1024) (i32.const 4) (f64.const 1.5))",
        )
    };
    judged("check-guest-log", logging.component(), "");
}

#[test]
fn no_repository() {
    let place = place();
    place.beside("empty/a", "");
    place.record("check-no-repository", &["check", "--staged", "--repo", "../empty"]);
}
