//! `[[refuse]]`: components that must not judge, and what the commands say of them.

use serde_json::Value;

use super::commands::{check, pinned};
use super::registry::Site;
use crate::support::cli::{Ran, host};
use crate::support::fake_registry::{Artifact, FakeRegistry};
use crate::support::guest::Guest;

fn named(ran: Ran, why: &str) {
    let error: Value = ran.expect(3).json()["error"].clone();
    assert_eq!(error["code"], "refused-component", "{error}");
    let told = error["message"].as_str().unwrap();
    assert!(told.contains("expected") && told.contains("actual") && told.contains(why), "{told}");
    assert!(error["hint"].as_str().unwrap().contains("host guard update"), "{error}");
}

fn digest_of(lock: &str) -> &str {
    lock.lines().find_map(|line| line.strip_prefix("digest = \"")).unwrap().trim_end_matches('"')
}

/// With a lock and without one.
#[test]
fn by_digest() {
    let repo = pinned();
    let lock = String::from_utf8(repo.read("guards.lock")).unwrap();
    let toml = String::from_utf8(repo.read("guards.toml")).unwrap();
    repo.write(
        "guards.toml",
        format!("{toml}\n[[refuse]]\ndigest = \"{}\"\nwhy = \"it passes all\"\n", digest_of(&lock)),
    );
    let run = |args: &[&str]| host(repo.path(), &[args, &["--format", "json"]].concat());
    for command in ["lock", "update", "verify"] {
        named(run(&["guard", command]), "it passes all");
    }
    repo.commit("refused");
    named(check(&repo, &[]), "it passes all");
    repo.remove("guards.lock");
    repo.commit("no lock");
    named(check(&repo, &[]), "it passes all");
    named(run(&["guard", "lock"]), "it passes all");
}

/// An update leaves out what is refused, and goes down if only older versions are left: the list is the word for it.
#[test]
fn by_source_and_version() {
    let registry = FakeRegistry::start();
    let site = Site::new();
    for version in ["0.1.0", "0.1.1", "0.1.2"] {
        registry.put(version, &Artifact::new(Guest { version, ..Guest::default() }.component()));
    }
    let source = registry.source();
    let toml = |refused: &str| {
        format!(
            "schema = 1\n[trust]\nallow-unsigned = true\n[[guard]]\nid = \"test-guest\"\nsource = \"{source}\"\nversion = \"^0.1\"\n{refused}"
        )
    };
    let refused = |versions: &str| {
        toml(&format!("[[refuse]]\nsource = \"{source}\"\nversion = \"{versions}\"\nwhy = \"a hole\"\n"))
    };
    site.repo.write("guards.toml", toml(""));
    site.host(&["guard", "lock"]).expect(0);
    site.repo.commit("rules");
    site.check(&[]).expect(0);

    site.repo.write("guards.toml", refused(">=0.1.1"));
    site.repo.commit("refused");
    named(site.check(&[]), "a hole");
    named(site.host(&["guard", "verify"]), "a hole");
    let updated = site.host(&["guard", "update"]).expect(0).json();
    let notes = updated["changes"][0]["notes"].to_string();
    assert!(
        notes.contains("0.1.2 is left out") && notes.contains("0.1.1 is left out") && notes.contains("a hole"),
        "{notes}"
    );
    assert!(site.lock().contains("version = \"0.1.0\""), "{}", site.lock());
    site.repo.commit("an older one");
    site.check(&[]).expect(0);
    site.repo.write("guards.toml", refused("*"));
    let none = site.host(&["guard", "update"]).expect(4).json();
    assert_eq!(none["error"]["code"], "no-version", "{none}");
    // Another source of the same guard is not named.
    let elsewhere = format!("oci://mirror.example.org/{}", crate::support::fake_registry::REPOSITORY);
    site.repo.write(
        "guards.toml",
        refused("*")
            .replace(&format!("[[refuse]]\nsource = \"{source}\""), &format!("[[refuse]]\nsource = \"{elsewhere}\"")),
    );
    site.host(&["guard", "lock"]).expect(0);
}
