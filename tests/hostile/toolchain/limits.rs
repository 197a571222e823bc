//! Disk and processes without end, and a build cache that a commit which no user has seen would poison.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use guardhost_core::change::{Candidate, Oid};
use guardhost_toolchain::{SandboxLimits, TestReport, Toolchain, ToolchainSetup, TreeKind};

use crate::support::candidate::candidate;
use crate::support::repo::TestRepo;
use crate::support::toolchain::{path_with, sandboxes};
use crate::support::tools::{Tool, needs};

fn toolchain(sandbox: &str, pytest: Option<&Path>, cache: &Path, repo: &TestRepo, head: Option<Oid>) -> Toolchain {
    let path = pytest.map_or_else(|| std::env::var("PATH").unwrap(), path_with);
    let mut env = vec![("PATH", path), ("GUARDHOST_SANDBOX", sandbox.to_owned())];
    env.extend(["HOME", "RUSTUP_HOME", "CARGO_HOME"].map(|name| (name, std::env::var(name).unwrap_or_default())));
    Toolchain::new(ToolchainSetup {
        runners: Vec::new(),
        linters: Vec::new(),
        exe: PathBuf::from(env!("CARGO_BIN_EXE_host")),
        cache: Some(cache.to_owned()),
        repository: repo.path().join(".git"),
        state: cache.join("state"),
        head,
        workdir: None,
        env: env.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
    })
}

fn limits() -> SandboxLimits {
    SandboxLimits { wall: Duration::from_secs(240), ..SandboxLimits::default() }
}

fn run(toolchain: &Toolchain, candidate: &Candidate, limits: &SandboxLimits) -> TestReport {
    toolchain.tests(candidate, TreeKind::Candidate, limits).unwrap().unwrap().remove(0)
}

#[test]
fn a_test_that_fills_the_disk_or_the_process_table_is_stopped() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    const FILL: &str = "import os, time\n\ndef test_it():\n    number = 0\n    while True:\n        number += 1\n        \
                        with open(os.path.join(os.environ['TMPDIR'], str(number)), 'wb') as file:\n            \
                        file.write(b'x' * SIZE)\n            file.flush()\n            os.fsync(file.fileno())\n";
    const FORK: &str = "import os, time\n\ndef test_it():\n    for _ in range(200):\n        if os.fork() == 0:\n            \
                        time.sleep(1000)\n            os._exit(0)\n    time.sleep(1000)\n";
    let cases = [
        (
            FILL.replace("SIZE", "(1 << 20)"),
            SandboxLimits { disk: 64 << 20, ..limits() },
            "its files took more than 64 MiB of the disk",
        ),
        (FILL.replace("SIZE", "0"), SandboxLimits { files: 4000, ..limits() }, "it made more than 4000 files"),
        (FORK.to_owned(), SandboxLimits { processes: 100, ..limits() }, "it started more than 100 processes"),
    ];
    for sandbox in sandboxes() {
        for (test, limits, why) in &cases {
            let (repo, cache) = (TestRepo::with(&[("a", "")]), tempfile::tempdir().unwrap());
            let toolchain = toolchain(sandbox, Some(&pytest), cache.path(), &repo, None);
            let files: [(&str, &[u8]); 2] = [("setup.cfg", b""), ("test_it.py", test.as_bytes())];
            let report = run(&toolchain, &candidate(&files[..1], &files), limits);
            assert!(!report.complete && report.output.contains(why), "{sandbox}: {report:?}");
            let left = std::process::Command::new("du").args(["-sk"]).arg(cache.path()).output().unwrap();
            let left: u64 = String::from_utf8_lossy(&left.stdout).split('\t').next().unwrap().parse().unwrap();
            assert!(left < 4 << 10, "{sandbox}: {left} KiB are left");
        }
    }
}

/// The build folder that later runs start from is written by commits that the user has, and by no other.
#[test]
fn only_the_users_own_commits_write_the_build_cache() {
    let Some(_) = needs(Tool::Cargo) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let repo = TestRepo::with(&[("a", "1\n")]);
    let first = repo.oid("HEAD");
    let head = repo.commit("second");
    repo.git(&["checkout", "-q", "-b", "plan"]);
    let step = repo.commit("of a plan");
    let files: [(&str, &[u8]); 2] = [
        ("Cargo.toml", b"[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/lib.rs", b"#[test]\nfn it() {}\n"),
    ];
    let change = candidate(&files, &[files[0], ("src/lib.rs", b"#[test]\nfn it() {}\n\n#[test]\nfn other() {}\n")]);
    for (base, writes) in [(step, false), (first, true), (head, true)] {
        let cache = tempfile::tempdir().unwrap();
        let toolchain = toolchain(sandbox, None, cache.path(), &repo, Some(head));
        let change = Candidate { base: Some(base), ..change.clone() };
        let report = toolchain.tests(&change, TreeKind::Base, &limits()).unwrap().unwrap().remove(0);
        assert!(report.complete, "{report:?}");
        let built = cache.path().join("worktrees").read_dir().unwrap().next().unwrap().unwrap().path();
        let built = built.join("0/built-base/cargo-test");
        assert_eq!(built.read_dir().unwrap().count() > 0, writes, "base {base}, head {head}");
    }
}

/// A supervisor that was killed proves nothing: what its processes could write to is not used again.
#[test]
fn folders_whose_supervisor_did_not_end_by_itself_are_made_anew() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let (repo, cache) = (TestRepo::with(&[("a", "")]), tempfile::tempdir().unwrap());
    let files: [(&str, &[u8]); 2] = [("setup.cfg", b""), ("test_it.py", b"def test_it(): pass\n")];
    let change = candidate(&files[..1], &files);
    let tree = || {
        let slots = cache.path().join("worktrees").read_dir().unwrap().next().unwrap().unwrap().path();
        // The folder is kept open: the number of an inode in use is given to no other.
        let folder = std::fs::File::open(slots.join("0/tree")).unwrap();
        (slots.join("0/busy"), folder.metadata().unwrap().ino(), folder)
    };
    let run = || run(&toolchain(sandbox, Some(&pytest), cache.path(), &repo, None), &change, &limits());
    assert!(run().complete);
    let (busy, first, _open) = tree();
    assert!(run().complete);
    assert_eq!(tree().1, first, "what is proved clean is used again");
    std::fs::write(&busy, "processes may be running\n").unwrap();
    assert!(run().complete);
    assert_ne!(tree().1, first);
    let held = std::fs::File::options().write(true).open(&busy).unwrap();
    held.lock().unwrap();
    assert!(run().complete, "another slot is taken");
    assert!(busy.parent().unwrap().with_file_name("1").exists());
}
