//! Commands that write the rules, killed after every step: each file is whole, and the same command again comes to the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::child::{Disk, Moment, each_file, kill};
use crate::support::cli::host_with;
use crate::support::guest::Guest;
use crate::support::repo::TestRepo;
use crate::support::web::{Web, capability};

type Files = BTreeMap<PathBuf, Vec<u8>>;

fn files(dir: &Path) -> Files {
    let mut files = Files::new();
    each_file(dir, &mut |path, _| {
        let name = path.strip_prefix(dir).expect("below");
        if !name.starts_with(".git") {
            files.insert(name.to_path_buf(), fs::read(path).expect("read"));
        }
    });
    files
}

fn restore(dir: &Path, files: &Files) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true if path.ends_with(".git") => {}
            true => fs::remove_dir_all(path).expect("removed"),
            false => fs::remove_file(path).expect("removed"),
        }
    }
    for (name, bytes) in files {
        fs::create_dir_all(dir.join(name).parent().expect("a folder")).expect("a folder");
        fs::write(dir.join(name), bytes).expect("written");
    }
}

/// Kills `host guard …` after each step, and runs it again. The number of kills.
fn kill_after_every_step(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> u32 {
    let before = files(dir);
    let run = || {
        let mut ran = host_with(dir, args, b"", env);
        if ran.code == 2 && ran.stderr.contains("already") {
            // Killed between guards.toml and guards.lock.
            ran = host_with(dir, &["guard", "lock"], b"", env);
        }
        assert_eq!(ran.code, 0, "{ran:?}");
        files(dir)
    };
    let after = run();
    assert_ne!(before, after, "the command writes something");
    let own: Vec<String> = ["host"].iter().chain(args).map(|arg| (*arg).to_owned()).collect();
    let mut kills = 0;
    loop {
        restore(dir, &before);
        let killed = kill(dir, &own, Moment::Step(kills, Disk::Keeps), env);
        let now = files(dir);
        for (name, bytes) in &now {
            let known = [&before, &after].map(|files| files.get(name));
            assert!(known.contains(&Some(bytes)), "step {kills}: {} is torn or temporary", name.display());
        }
        if !killed {
            assert_eq!(now, after);
            return kills as u32;
        }
        assert_eq!(run(), after, "killed after step {kills}, and run again");
        for left in ["guardhost/place", "guardhost/place.lock"] {
            assert!(!dir.join(".git").join(left).exists(), "killed after step {kills}: {left} is left");
        }
        kills += 1;
    }
}

#[test]
fn pins_of_files_of_the_repository() {
    let repo = TestRepo::with(&[("a.txt", "one\n"), ("guards.toml", "schema = 1\nguards = []\n")]);
    repo.write("tools/guard.wasm", Guest::default().component());
    let kills = kill_after_every_step(repo.path(), &["guard", "add", "path:tools/guard.wasm"], &[]);
    assert!(kills >= 4, "add: {kills} kills");
    repo.write("guards.lock", "");
    repo.remove("guards.lock");
    let kills = kill_after_every_step(repo.path(), &["guard", "lock"], &[]);
    assert!(kills >= 2, "lock: {kills} kills");
    repo.write("tools/guard.wasm", Guest { version: "0.2.0", ..Guest::default() }.component());
    let kills = kill_after_every_step(repo.path(), &["guard", "update"], &[]);
    assert!(kills >= 2, "update: {kills} kills");
}

#[test]
fn components_from_elsewhere_that_are_copied_into_the_repository() {
    let web = Web::start();
    for name in ["one", "two"] {
        let id: &'static str = Box::leak(format!("guard-{name}").into_boxed_str());
        web.put(&format!("/{name}.wasm"), Guest { id, ..Guest::default() }.component());
    }
    let repo = TestRepo::with(&[("guards.toml", "schema = 1\n[trust]\nallow-unsigned = true\n")]);
    let capability = capability();
    let env = [("SSL_CERT_FILE", capability.as_str())];
    for name in ["one", "two"] {
        let _ = host_with(repo.path(), &["guard", "add", &web.url(&format!("/{name}.wasm"))], b"", &env).expect(0);
    }
    let kills = kill_after_every_step(repo.path(), &["guard", "vendor"], &env);
    assert!(kills >= 4, "vendor: {kills} kills");
}
