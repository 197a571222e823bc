//! What a sandbox keeps in, and what it leaves behind.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, Instant};

use guardhost_toolchain::JobWorkTree;

use crate::support::cli::{command, home, host_with};
use crate::support::repo::TestRepo;
use crate::support::toolchain::{Bench, passed, rejected, said, sandboxes};
use crate::support::tools::{Tool, needs};

/// A process's command line, that nobody else's holds.
fn alive(mark: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(mark))
}

/// A suite that passes on the base and hangs on the candidate, with a child that has left its group and session.
fn hanging(sandbox: &'static str, mark: &str) -> Option<(Bench, String)> {
    let pytest = needs(Tool::Pytest)?;
    let tests = "import subprocess, time, flag\n\ndef test_ends():\n    if flag.HANG:\n        \
                 subprocess.Popen(['sh', '-c', 'sleep 1000; : MARK'], start_new_session=True)\n        time.sleep(1000)\n";
    let files = [("setup.cfg", ""), ("flag.py", "HANG = False\n"), ("test_flag.py", &tests.replace("MARK", mark))];
    Some((Bench::new(sandbox, &files).with_pytest(&pytest), "HANG = True\n".to_owned()))
}

#[test]
fn a_test_that_hangs_is_an_error_and_leaves_no_process() {
    for sandbox in sandboxes() {
        let mark = format!("hanging-{sandbox}-{}", std::process::id());
        let Some((bench, hang)) = hanging(sandbox, &mark) else { return };
        let ran = bench.within(5).change(&[("flag.py", Some(&hang))]).expect(5);
        let (verdict, _) = said(&ran, "no-test-regressions");
        assert_eq!(verdict, "error: the tests of the candidate have no result: it did not end within 5 s");
        assert!(!alive(&mark), "{sandbox}: a process is left");
    }
}

#[test]
fn nothing_outlives_a_host_that_is_killed() {
    for sandbox in sandboxes() {
        let mark = format!("killed-{sandbox}-{}", std::process::id());
        let Some((bench, hang)) = hanging(sandbox, &mark) else { return };
        bench.repo.write("flag.py", &hang);
        bench.repo.commit("change");
        let args = bench.args();
        let env: Vec<(&str, &str)> = bench.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut child = command(bench.repo.path(), &args, &env).spawn().unwrap();
        until("the test hangs", || alive(&mark));
        child.kill().unwrap();
        child.wait().unwrap();
        until("all of it is gone", || !alive(&mark));
        bench.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
        // What was left half done is no hindrance.
        passed(&bench.change(&[("flag.py", Some("HANG = 0\n"))]).expect(0), "no-test-regressions");
    }
}

#[track_caller]
fn until(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What a hostile test tries, each as a test of its own that passes when it gets nothing. On the base they do nothing.
const TRIES: &str = r#"
import ctypes, os, pathlib, socket, subprocess
import pytest
import flag

pytestmark = pytest.mark.skipif(False, reason="")

def denied(attempt, *args):
    if flag.TRY:
        with pytest.raises(OSError):
            attempt(*args)

def test_is_run():
    assert not flag.TRY

def test_network():
    denied(socket.create_connection, ("127.0.0.1", flag.PORT), 2)
    denied(socket.create_connection, ("192.0.2.1", 80), 2)

def test_datagrams():
    denied(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)))

def test_sockets_of_services():
    denied(lambda: socket.socket(socket.AF_UNIX).connect(flag.SOCKET))

def test_keys():
    denied(lambda: pathlib.Path(flag.HOME, ".ssh", "id").read_text())
    denied(os.listdir, os.path.join(flag.HOME, ".ssh"))

def test_the_users_own_files():
    denied(lambda: pathlib.Path(flag.REPO, "flag.py").read_text())
    denied(lambda: pathlib.Path(flag.REPO, ".git", "HEAD").read_text())

def test_writing():
    for folder in (flag.HOME, flag.REPO, os.path.join(flag.REPO, ".git"), "/usr", "/etc", "/"):
        denied(lambda: pathlib.Path(folder, "written").write_text("x"))
    denied(lambda: os.truncate(os.path.join(flag.HOME, ".ssh", "id"), 0))
    denied(lambda: os.rename("flag.py", os.path.join(flag.HOME, "moved")))

def test_environment():
    if flag.TRY:
        assert "s3cret" not in repr(os.environ)
        for process in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                assert b"s3cret" not in process.read_bytes()
            except OSError:
                pass

def test_processes():
    if flag.TRY:
        denied(os.kill, flag.PID, 0)

def test_work():
    pathlib.Path("made").write_text("in the work tree")
    path = pathlib.Path(os.environ["TMPDIR"], "made")
    path.write_text("x")
    assert subprocess.run(["cat", str(path)], capture_output=True).stdout == b"x"
"#;

#[test]
fn a_test_gets_nothing_that_is_not_its_own() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let service = tempfile::tempdir().unwrap();
    let socket = service.path().join("socket");
    let service = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    service.set_nonblocking(true).unwrap();
    let keys = home().join(".ssh");
    fs::create_dir_all(&keys).unwrap();
    fs::write(keys.join("id"), "s3cret").unwrap();
    for sandbox in sandboxes() {
        let files = [("setup.cfg", ""), ("flag.py", "TRY = False\n"), ("test_tries.py", TRIES)];
        let mut bench = Bench::new(sandbox, &files).with_pytest(&pytest);
        bench.env.push(("API_TOKEN".to_owned(), "s3cret".to_owned()));
        let flag = format!(
            "TRY = True\nPORT = {}\nSOCKET = {:?}\nHOME = {:?}\nREPO = {:?}\nPID = {}\n",
            listener.local_addr().unwrap().port(),
            socket,
            home(),
            bench.repo.path(),
            std::process::id(),
        );
        let ran = bench.change(&[("flag.py", Some(&flag))]).expect(1);
        // This one fails to show that they were tried.
        rejected(
            &ran,
            "no-test-regressions",
            &["test-fails test_tries.py test_tries.py::test_is_run passed on the base and fails"],
        );
        for folder in [home(), bench.repo.path(), Path::new("/usr"), Path::new("/etc"), Path::new("/")] {
            assert!(!folder.join("written").exists() && !folder.join("moved").exists(), "{sandbox}: {folder:?}");
        }
        assert_eq!(fs::read_to_string(keys.join("id")).unwrap(), "s3cret");
    }
    assert!(listener.accept().is_err() && service.accept().is_err(), "nobody came");
}

#[test]
fn a_machine_without_a_sandbox_runs_nothing() {
    let bench = Bench::new("none", &[("setup.cfg", ""), ("a.py", "A = 1\n"), ("test_a.py", "def test_a(): pass\n")]);
    let ran = bench.change(&[("a.py", Some("A = 2\n"))]).expect(5);
    for id in ["no-test-regressions", "builds"] {
        let (verdict, _) = said(&ran, id);
        assert!(verdict.starts_with("error: ") && verdict.contains("install bubblewrap"), "{verdict}");
    }
}

#[test]
fn a_work_tree_becomes_the_tree_whatever_was_done_to_it() {
    let repo = TestRepo::with(&[("a", "a\n"), ("dir/b", "b\n"), ("dir/c", "c\n"), ("run", "#!/bin/sh\n")]);
    repo.set_executable("run", true);
    repo.symlink("dir/b", "link");
    repo.commit("base");
    let opened = repo.open();
    let (objects, base) = (opened.store(), opened.head().unwrap().tree);
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("b"), "theirs\n").unwrap();
    let tree = JobWorkTree::new(folder.path());
    let check_out = |oid| tree.check_out(&*objects, oid).unwrap();
    let is_base = || {
        let read = |name: &str| fs::read_to_string(tree.root().join(name)).unwrap();
        assert_eq!(["a", "dir/b", "dir/c", "link"].map(read), ["a\n", "b\n", "c\n", "b\n"]);
        assert_eq!(fs::metadata(tree.root().join("run")).unwrap().mode() & 0o777, 0o755);
        let mut names: Vec<_> = fs::read_dir(tree.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a", "dir", "link", "run"]);
        assert_eq!(fs::read_to_string(outside.path().join("b")).unwrap(), "theirs\n");
    };
    assert_eq!(check_out(base).written, 5);
    is_base();
    std::thread::sleep(Duration::from_millis(100));
    check_out(base);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(check_out(base).written, 0, "what lies as it was written stays");

    // A folder becomes a link that leads out, a file is rewritten under its old time, things come and are locked.
    let at = |name: &str| tree.root().join(name);
    fs::remove_dir_all(at("dir")).unwrap();
    symlink(outside.path(), at("dir")).unwrap();
    let modified = fs::metadata(at("a")).unwrap().modified().unwrap();
    fs::write(at("a"), "b\n").unwrap();
    fs::File::options().write(true).open(at("a")).unwrap().set_modified(modified).unwrap();
    fs::create_dir_all(at("new/deep")).unwrap();
    fs::write(at("new/deep/x"), "x").unwrap();
    fs::set_permissions(at("new/deep"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(at("run"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::remove_file(at("link")).unwrap();
    check_out(base);
    is_base();

    // Another tree, where a file is a folder now; and back, after a kill that left no list.
    repo.remove("a");
    repo.write("a/inside", "x\n");
    repo.remove("dir/c");
    let other = repo.commit("other");
    let opened = repo.open();
    let other = opened
        .head()
        .map(|head| (head.commit, head.tree))
        .map(|(commit, tree)| (commit == Some(other)).then_some(tree));
    tree.check_out(&*opened.store(), other.unwrap().unwrap()).unwrap();
    assert_eq!(fs::read_to_string(at("a/inside")).unwrap(), "x\n");
    assert!(!at("dir/c").exists());
    fs::remove_file(folder.path().join("tree.json")).unwrap();
    check_out(base);
    is_base();
}

#[test]
fn two_runs_at_once_do_not_meet() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let tests = "import calc, time\n\ndef test_one():\n    time.sleep(1)\n    assert calc.ONE == 1\n";
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let files = [("setup.cfg", ""), ("calc.py", "ONE = 1\n"), ("test_calc.py", tests)];
    let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
    let configs = [("ONE = 2\n", 1), ("ONE = 1  # still\n", 0)].map(|(code, exit)| {
        bench.repo.write("calc.py", code);
        let change = bench.repo.commit("change").to_string();
        bench.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
        (change, exit)
    });
    let env: Vec<(&str, &str)> = bench.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let config = bench.config.path().display().to_string();
    std::thread::scope(|scope| {
        for (change, exit) in &configs {
            let (env, config, dir) = (&env, &config, bench.repo.path());
            scope.spawn(move || {
                let args = ["check", "--range", change, "--format", "json", "--config", config];
                host_with(dir, &args, b"", env).expect(*exit)
            });
        }
    });
}
