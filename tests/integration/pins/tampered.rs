//! One bit of anything: exit 3 or 4, expected and actual and what to run next, and nothing ran.

use super::commands::{check, pinned};
use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

/// The failure says all that it must, and no guard was asked.
pub fn refused(ran: Ran, code: i32, words: &[&str]) {
    let json = ran.expect(code).json();
    let error = &json["error"];
    assert_eq!(json["guards"], serde_json::Value::Null, "a guard was asked: {json}");
    let told = format!("{} {}", error["message"], error["causes"]);
    assert!(told.contains("expected") && told.contains("actual"), "{json}");
    let hint = error["hint"].as_str().unwrap_or_default();
    for word in words {
        assert!(told.contains(word) || hint.contains(word), "no {word}: {json}");
    }
    assert!(hint.contains("host guard") || hint.contains("git checkout"), "what to run next: {json}");
}

fn flipped(repo: &TestRepo, path: &str, at: usize, bit: u8) {
    let mut bytes = repo.read(path);
    bytes[at] ^= 1 << bit;
    repo.write(path, bytes);
}

#[test]
fn the_component() {
    let repo = pinned();
    let length = repo.read("tools/guard.wasm").len();
    for at in [0, length / 2, length - 1] {
        flipped(&repo, "tools/guard.wasm", at, 0);
        repo.commit("a flipped bit");
        refused(check(&repo, &[]), 4, &["tools/guard.wasm", "sha256:", "host guard update test-guest"]);
        refused(host(repo.path(), &["guard", "verify", "--format", "json"]), 4, &["sha256:"]);
        repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }
    repo.remove("tools/guard.wasm");
    repo.commit("gone");
    let gone = check(&repo, &[]).expect(4).json();
    assert!(gone["error"]["hint"].as_str().unwrap().contains("git checkout HEAD -- tools/guard.wasm"), "{gone}");
}

/// Every bit of the lock, comments left out: they say nothing.
#[test]
fn the_lock() {
    let repo = pinned();
    let lock = String::from_utf8(repo.read("guards.lock")).unwrap();
    let begins = lock.find("schema").unwrap();
    // Each run is a process: a sample of positions that touches every line, and every bit in turn.
    for (turn, at) in (begins..lock.len()).step_by(11).enumerate() {
        flipped(&repo, "guards.lock", at, (turn % 7) as u8);
        repo.commit("a flipped bit");
        let ran = check(&repo, &[]);
        let code = ran.code;
        assert!(code == 3 || code == 4, "byte {at}: {ran:?}");
        let json = ran.json();
        // The version is what the component says of itself, so that it must be loaded to be compared; it is not called.
        let told = match json["guards"][0]["code"].as_str() {
            Some("version-mismatch") => json["guards"][0]["reason"].to_string(),
            Some(other) => panic!("byte {at}: a guard was asked: {other}"),
            None => format!("{}{}", json["error"]["message"], json["error"]["hint"]),
        };
        assert!(told.contains("host guard "), "byte {at}: {json}");
        repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }
    let wrong = lock.replace("size = ", "size = 1");
    repo.write("guards.lock", wrong);
    repo.commit("another size");
    refused(check(&repo, &[]), 3, &["size", "host guard lock"]);
}

/// A version that is not the component's is known when the guard has said so, before any guard is asked.
#[test]
fn a_version_that_is_not_the_components() {
    let repo = pinned();
    host(repo.path(), &["guard", "add", "scope-kept"]).expect(0);
    let lock = String::from_utf8(repo.read("guards.lock")).unwrap();
    let at = lock.find("id = \"test-guest\"").unwrap();
    let (before, entry) = lock.split_at(at);
    repo.write("guards.lock", format!("{before}{}", entry.replacen("version = \"0.1.0\"", "version = \"0.1.1\"", 1)));
    repo.commit("another version");
    let json = check(&repo, &[]).expect(4).json();
    let guards = json["guards"].as_array().unwrap();
    assert_eq!(guards.len(), 2);
    for guard in guards {
        let (fuel, code) = (&guard["fuel"], guard["code"].as_str());
        assert_eq!((fuel.as_u64(), code == Some("version-mismatch")), (Some(0), guard["id"] == "test-guest"), "{json}");
    }
}

/// A set of another host: what is embedded is pinned too.
#[test]
fn an_embedded_guard_of_another_host() {
    let repo = TestRepo::with(&[("a.txt", "one\n"), ("guards.toml", "schema = 1\n[[guard]]\nid = \"docs-kept\"\n")]);
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("rules");
    check(&repo, &["--locked"]).expect(0);
    let lock = String::from_utf8(repo.read("guards.lock")).unwrap();
    let at = lock.find("digest = \"sha256:").unwrap() + "digest = \"sha256:".len();
    let other = format!("{}{}{}", &lock[..at], "0".repeat(64), &lock[at + 64..]);
    repo.write("guards.lock", other);
    repo.commit("of another host");
    refused(check(&repo, &[]), 3, &["docs-kept", "embedded", "host guard update docs-kept"]);
    host(repo.path(), &["guard", "update", "docs-kept"]).expect(0);
    assert_eq!(repo.read("guards.lock"), lock.as_bytes());
}

#[test]
fn a_lock_without_its_toml() {
    let repo = pinned();
    repo.remove("guards.toml");
    repo.commit("half of it");
    let ran = check(&repo, &[]).expect(3).json();
    assert!(ran["error"]["message"].as_str().unwrap().contains("guards.lock"), "{ran}");
    assert!(ran["error"]["hint"].as_str().unwrap().contains("guards.toml"), "{ran}");
}
