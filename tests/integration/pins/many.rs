//! Many hosts at once, and a cache that does not grow for ever.

use std::fs::{self, FileTimes};
use std::time::{Duration, SystemTime};

use guardhost_core::cache::BoundedFolder;
use guardhost_core::stop::StopToken;
use serde_json::json;

use super::registry::Site;
use crate::support::cli::command;
use crate::support::guest::Guest;
use crate::support::registry::Registry;

/// Twenty hosts, none of which finds anything: each guard is compiled once, and fetched once.
#[test]
fn twenty_hosts_at_once() {
    let site = Site::new();
    let registry = Registry::start(None);
    site.repo.write("guard.wasm", Guest::default().component());
    site.repo.write("guards.toml", "schema = 1\nguards = []\n[trust]\nallow-unsigned = true\n");
    match &registry {
        Some(registry) => {
            let source = format!("oci://{}/guards/test-guest", registry.host);
            site.host(&["guard", "publish", "guard.wasm", &source]).expect(0);
            site.host(&["guard", "add", &source]).expect(0)
        }
        // Without a registry the compiler is still to be shared.
        None => site.host(&["guard", "add", "path:guard.wasm"]).expect(0),
    };
    site.repo.commit("rules");
    site.repo.write("a.txt", "two\n");
    site.repo.stage_all();
    let home = tempfile::tempdir().unwrap();
    let env = [("HOME", home.path().to_str().unwrap())];
    let start = || command(site.repo.path(), &["check", "--staged", "--format", "json"], &env).spawn().unwrap();
    let running: Vec<_> = (0..20).map(|_| start()).collect();
    let mut compiled = 0;
    for child in running {
        let output = child.wait_with_output().unwrap();
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &said["verdict"]), (Some(0), &json!("pass")), "{said}");
        compiled += usize::from(said["guards"][0]["cached"] == json!(false));
    }
    assert_eq!(compiled, 1, "one compiles, nineteen find it");
    for (folder, entries) in [("compiled", 1), ("components", usize::from(registry.is_some()))] {
        let held = fs::read_dir(home.path().join(".cache/guardhost").join(folder)).into_iter().flatten();
        let names = held.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        assert_eq!(
            names.filter(|name| !name.starts_with('.') && !name.ends_with(".manifest")).count(),
            entries,
            "{folder}"
        );
    }
}

fn aged(folder: &BoundedFolder, name: &str, days: u64) {
    let then = SystemTime::now() - Duration::from_secs(days * 86_400);
    let file = fs::File::options().write(true).open(folder.path().join(name)).unwrap();
    file.set_times(FileTimes::new().set_modified(then)).unwrap();
}

#[test]
fn bounded_and_pruned() {
    let home = tempfile::tempdir().unwrap();
    let folder = BoundedFolder::open(&home.path().join("cache"), 1_000).unwrap();
    for (name, age) in [("a", 3), ("b", 2), ("c", 1)] {
        folder.put(name, &[&[0; 200], &[1; 100]]).unwrap();
        aged(&folder, name, age);
    }
    // A use is noted, so that `a` is no longer the first to go.
    assert_eq!(folder.read("a").map(|bytes| bytes.len()), Some(300));
    folder.put("d", &[&[2; 300]]).unwrap();
    let held = |names: [&str; 5]| names.map(|name| folder.get(name).is_some());
    assert_eq!(held(["a", "b", "c", "d", "e"]), [true, false, true, true, false]);
    // What nobody used for a quarter of a year goes, whatever room there is; what is too large for all stays while it is new.
    aged(&folder, "c", 100);
    folder.put("e", &[&[3; 2_000]]).unwrap();
    assert_eq!(held(["a", "b", "c", "d", "e"]), [false, false, false, false, true]);
    // Parts that a killed process left behind.
    fs::write(folder.path().join(".part-x"), "half").unwrap();
    aged(&folder, ".part-x", 1);
    folder.put("f", &[b"f"]).unwrap();
    assert!(!folder.path().join(".part-x").exists());
}

/// Of those that miss an entry one makes it; a maker that was killed is in nobody's way.
#[test]
fn one_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    let folder = BoundedFolder::open(&home.path().join("cache"), 1_000).unwrap();
    let made = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                folder.alone("x", &StopToken::default(), || {
                    if folder.get("x").is_none() {
                        made.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(20));
                        folder.put("x", &[b"made"]).unwrap();
                    }
                })
            });
        }
    });
    assert_eq!(made.into_inner(), 1);
    let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.alone("x", &StopToken::default(), || 7), 7);
}
