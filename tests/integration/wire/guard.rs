//! `host guard …`, `host explain` and `host doctor`.

use super::place::Place;
use super::{CODE, RULES};
use crate::support::guest::{Found, Guest, REJECT, verdict};

/// A guard of the repository, and two embedded ones.
const PINS: &str = "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\nsettings = { shrink_floor = 0.4 }\n\n[[guard]]\nid = \"test-guest\"\nsource = \"path:tools/guard.wasm\"\nmode = \"monitor\"\n";

fn place() -> Place {
    let place = Place::new(&[("guards.toml", PINS), ("x.py", CODE)]);
    place.repo.write("tools/guard.wasm", Guest::default().component());
    // The component depends on the compiler, so this commit's id is masked.
    place.repo.commit("a guard");
    place
}

/// The same guard in another version, with an import that is not granted.
fn curious() -> Vec<u8> {
    Guest { version: "0.2.0", ..Guest::curious() }.component()
}

#[test]
fn list_and_info() {
    let place = place();
    place.record("guard-list", &["guard", "list"]);
    place.record("guard-info", &["guard", "info", "docs-kept"]);
    place.record("guard-info-guest", &["guard", "info", "test-guest"]);
    place.record("guard-info-unknown", &["guard", "info", "no-such"]);
    Place::new(&[("x.py", CODE)]).record("guard-list-default-set", &["guard", "list"]);
}

#[test]
fn pins() {
    let place = place();
    place.record("guard-verify-unlocked", &["guard", "verify"]);
    place.record("guard-lock-locked", &["guard", "lock", "--locked"]);
    place.record("guard-lock", &["guard", "lock"]);
    place.record("guard-lock-again", &["guard", "lock"]);
    place.record("guard-verify", &["guard", "verify"]);
    place.record("guard-update-dry-run", &["guard", "update", "--dry-run"]);
    place.record("guard-add", &["guard", "add", "scope-kept", "--monitor"]);
    place.record("guard-remove", &["guard", "remove", "scope-kept"]);
    place.record("guard-vendor", &["guard", "vendor"]);
    place.repo.write("tools/guard.wasm", curious());
    place.record("guard-update-gains-a-right", &["guard", "update", "--dry-run"]);
    place.record("guard-update-not-granted", &["guard", "update"]);
    place.record("guard-verify-tampered", &["guard", "verify"]);
    let rejecting = Guest { version: "0.2.0", ..Guest::answering(verdict(REJECT, &[Found::default()])) };
    place.repo.write("tools/guard.wasm", rejecting.component());
    place.repo.write("b.txt", "one\n");
    place.repo.commit("more");
    place.record("guard-update-backtest", &["guard", "update", "test-guest", "--backtest", "2"]);
    place.repo.write("guards.toml", PINS.replace("0.4", "0.5"));
    place.record("guard-update", &["guard", "update"]);
}

#[test]
fn authors() {
    let place = place();
    let guard = "tools/guard.wasm";
    place.beside("cases/one/before/a.txt", "one\n");
    place.beside("cases/one/after/a.txt", "two\n");
    place.beside("cases/one/expect.json", "{\n  \"verdict\": \"pass\"\n}\n");
    place.record("guard-test", &["guard", "test", guard, "--cases", "../cases"]);
    place.beside("cases/one/expect.json", "{\n  \"verdict\": \"reject\"\n}\n");
    place.record("guard-test-fails", &["guard", "test", guard, "--cases", "../cases"]);
    place.record("guard-run", &["guard", "run", guard, "--range", "HEAD~1..HEAD"]);
    place.record("guard-bench", &["guard", "bench", guard, "--cases", "../cases"]);
    place.record("guard-certify", &["guard", "certify", guard, "--changes", "4"]);
    let elsewhere = Found::at("nowhere.txt", 7);
    let liar = place.beside("liar.wasm", Guest::answering(verdict(REJECT, &[elsewhere])).component());
    place.record("guard-certify-fails", &["guard", "certify", &liar, "--changes", "4"]);
    place.record("guard-new", &["guard", "new", "no-todo", "--lang", "c", "--dir", "../no-todo"]);
}

#[test]
fn explain() {
    let place = Place::new(&[("guards.toml", RULES), ("x.py", CODE)]);
    place.record("explain", &["explain"]);
    place.record("explain-guard", &["explain", "docs-kept"]);
    place.record("explain-rule", &["explain", "docs-kept/code-loss"]);
    place.record("explain-unknown", &["explain", "no-such"]);
}

#[test]
fn doctor() {
    let place = Place::new(&[("guards.toml", RULES), ("x.py", CODE)]);
    place.record_checks(
        "doctor",
        &["doctor"],
        &["host", "name", "git", "sandbox", "settings", "claude", "codex", "gemini", "build tools"],
    );
}
