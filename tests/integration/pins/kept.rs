//! A pinned component that was loaded before is not read again; and what runs is still what was pinned.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::commands::pinned;
use crate::support::cli::{Ran, host_with};
use crate::support::repo::TestRepo;

struct Site {
    repo: TestRepo,
    home: tempfile::TempDir,
}

impl Site {
    /// One check was made.
    fn checked() -> Self {
        let repo = pinned();
        repo.write("a.txt", "two\n");
        repo.git(&["add", "a.txt"]);
        let site = Site { repo, home: tempfile::tempdir().unwrap() };
        assert_eq!(site.check().expect(0).json()["guards"][0]["cached"], false);
        site
    }

    fn check(&self) -> Ran {
        let home = self.home.path().to_str().unwrap();
        host_with(self.repo.path(), &["check", "--staged", "--format", "json"], b"", &[("HOME", home)])
    }

    fn first_guard(&self) -> Value {
        self.check().expect(0).json()["guards"][0].clone()
    }

    /// The file of the component's blob.
    fn object(&self) -> PathBuf {
        let oid = self.repo.git(&["rev-parse", "HEAD:tools/guard.wasm"]);
        self.repo.path().join(".git/objects").join(&oid[..2]).join(&oid[2..])
    }

    fn entry(&self) -> PathBuf {
        let folder = self.home.path().join(".cache/guardhost/compiled");
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths.into_iter().find(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.')).unwrap()
    }
}

#[test]
fn the_component_is_not_read_again() {
    let site = Site::checked();
    let known = site.first_guard();
    fs::remove_file(site.object()).unwrap();
    let again = site.first_guard();
    for key in ["id", "g", "version", "digest", "verdict", "fuel", "cached"] {
        assert_eq!(again[key], known[key], "{key}");
    }
    assert_eq!(again["cached"], true);
    // What the cache cannot vouch for is read where it is pinned, and that is gone.
    let entry = site.entry();
    let mut bytes = fs::read(&entry).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&entry, bytes).unwrap();
    let failed = site.check();
    assert_ne!(failed.code, 0, "{failed:?}");
}

#[test]
fn another_file_of_the_base_is_another_component() {
    let site = Site::checked();
    let mut bytes = site.repo.read("tools/guard.wasm");
    *bytes.last_mut().unwrap() ^= 1;
    site.repo.write("tools/guard.wasm", bytes);
    site.repo.git(&["commit", "-qm", "another", "tools/guard.wasm"]);
    let refused = site.check().expect(4).json();
    assert_eq!(refused["error"]["code"], "digest-mismatch", "{refused}");
}

/// The record says what the component is granted and how large it is, as the component itself would.
#[test]
fn grants_and_limits_count_as_for_a_component_that_is_read() {
    let site = Site::checked();
    let toml = String::from_utf8(site.repo.read("guards.toml")).unwrap();
    site.repo.write("guards.toml", format!("{toml}\n[guard.limits]\nfuel = 1\n"));
    site.repo.git(&["commit", "-qm", "no fuel", "guards.toml"]);
    let failed = site.check().expect(4).json();
    assert_eq!(failed["guards"][0]["code"], "out-of-fuel", "{failed}");
}
