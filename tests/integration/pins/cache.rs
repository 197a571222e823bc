//! A cache that cannot be used stops no judgement, and `host doctor` says why.

use std::fs;

use serde_json::Value;

use super::commands::pinned;
use super::registry::Site;
use crate::support::cli::host_with;
use crate::support::fake_registry::{Artifact, FakeRegistry};
use crate::support::guest::Guest;

fn notes(report: &Value) -> String {
    report["notices"].to_string()
}

#[test]
fn fetched_and_judged_without_a_folder() {
    let registry = FakeRegistry::start();
    registry.put("0.1.0", &Artifact::new(Guest::default().component()));
    let site = Site::new();
    let folder = site.home.path().join(".cache/guardhost/components");
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    fs::write(&folder, "in the way").unwrap();
    site.repo.write("guards.toml", "schema = 1\nguards = []\n[trust]\nallow-unsigned = true\n");
    let added = site.host(&["guard", "add", &registry.source()]).expect(0).json();
    assert!(notes(&added).contains("fetched guards are not cached") && notes(&added).contains("components"), "{added}");
    site.repo.commit("rules");
    for _ in 0..2 {
        let judged = site.check(&[]).expect(0).json();
        assert!(notes(&judged).contains("fetched guards are not cached"), "{judged}");
    }
    site.host(&["guard", "verify"]).expect(0);
    site.host(&["guard", "vendor"]).expect(0);
    let offline = site.check(&["--offline"]).expect(4).json();
    assert!(offline["error"]["message"].as_str().unwrap().contains("fetched guards are not cached"), "{offline}");

    let doctor = |site: &Site| -> Vec<Value> {
        let report = site.host(&["doctor"]).json();
        report["checks"].as_array().unwrap().clone().into_iter().filter(|row| row["name"] == "cache").collect()
    };
    let rows = doctor(&site);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0]["ok"] == "warn" && rows[0]["detail"].as_str().unwrap().contains("components"), "{rows:?}");
    fs::remove_file(&folder).unwrap();
    assert!(!notes(&site.check(&[]).expect(0).json()).contains("not kept"));
    assert_eq!(doctor(&site)[0]["ok"], "pass");
    // The folder of compiled code, and its key.
    let compiled = site.home.path().join(".cache/guardhost/compiled");
    fs::remove_dir_all(&compiled).unwrap();
    fs::write(&compiled, "in the way").unwrap();
    assert!(doctor(&site)[0].to_string().contains("compiled"), "{:?}", doctor(&site));
    fs::remove_file(&compiled).unwrap();
    fs::create_dir(&compiled).unwrap();
    fs::set_permissions(&compiled, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    fs::create_dir(compiled.join(".key")).unwrap();
    fs::set_permissions(compiled.join(".key"), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let told = doctor(&site)[0].to_string();
    assert!(told.contains(".key") && told.contains("remove it"), "{told}");
}

/// A full disk cut it: the host makes another, and what the old one vouched for is compiled again.
#[test]
fn a_key_that_was_cut_is_made_anew() {
    let repo = pinned();
    let home = tempfile::tempdir().unwrap();
    let home = home.path().to_str().unwrap();
    repo.write("a.txt", "two\n");
    repo.git(&["add", "a.txt"]);
    let judge = || -> Value {
        host_with(repo.path(), &["check", "--staged", "--fresh", "--format", "json"], b"", &[("HOME", home)])
            .expect(0)
            .json()
    };
    judge();
    let key = std::path::Path::new(home).join(".cache/guardhost/compiled/.key");
    let whole = fs::read(&key).unwrap();
    fs::write(&key, &whole[..5]).unwrap();
    let first = judge();
    assert!(!notes(&first).contains("not kept"), "{first}");
    assert_eq!(first["guards"][0]["cached"], false);
    assert_eq!(judge()["guards"][0]["cached"], true);
    assert_eq!(fs::read(&key).unwrap().len(), whole.len());
}
