//! Guards, replies and tests that take very long, and what ends them: Ctrl-C, the time of the run, their own wall clock. Each bound on time
//! here is one that only a hang reaches: without an end the guests run for minutes.

use std::io::Read;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use guardhost_core::stop::StopToken;
use guardhost_engine::{EngineContext, GuardSet};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::spec;
use crate::support::cli::{command, host};
use crate::support::guest::{DATA, Guest, ID};
use crate::support::judging::machine;
use crate::support::repo::TestRepo;

/// A hang is longer than this.
const SOON: Duration = Duration::from_secs(20);

/// More than half a minute of instructions, and only instructions.
fn computes() -> Guest {
    Guest::checking("(loop $l (br $l))")
}

/// The same before any function is called.
fn starts() -> Guest {
    Guest { items: "(func $spin (loop $l (br $l))) (start $spin)".to_owned(), ..Guest::default() }
}

/// Cheap for the guest, expensive for the host: whole trees are searched.
fn searches() -> Guest {
    Guest {
        world: "import guardhost:repo/tree@0.1.0;",
        imports: r#"(import "guardhost:repo/tree@0.1.0" "search" (func $search (param i32 i32 i32 i32 i32 i32 i32)))"#,
        // Needles that stand at every byte of the file: runs of one letter, of 1 to 100 bytes.
        items: "(func $needles (local $i i32) (loop $l
                (i32.store (i32.add (i32.const 16384) (i32.mul (local.get $i) (i32.const 8))) (i32.const 32768))
                (i32.store offset=4 (i32.add (i32.const 16384) (i32.mul (local.get $i) (i32.const 8))) (i32.add (local.get $i) (i32.const 1)))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br_if $l (i32.lt_u (local.get $i) (i32.const 100)))))"
        .to_owned(),
        check: format!(
            "(memory.fill (i32.const 32768) (i32.const 97) (i32.const 100))
             (call $needles)
             (loop $l
                (call $search (i32.const 0) (i32.const 16384) (i32.const 100) (i32.const 0) (i32.const 0) (i32.const 10) (i32.const {DATA}))
                (global.set $top (i32.const 65536))
                (br $l))"
        ),
        ..Guest::default()
    }
}

/// A repository whose next commit this guard judges, with the most fuel that there is.
fn judged_by(guest: &Guest, grants: &str) -> TestRepo {
    let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n"), ("a.txt", &"a".repeat(1 << 20))]);
    repo.write("guard.wasm", guest.component());
    repo.write(
        "guards.toml",
        format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\ngrants = [{grants}]\nlimits = {{ fuel = 30_000_000_000 }}\n"),
    );
    repo.commit("rules");
    repo
}

/// Waits until the program handles Ctrl-C, and a little more, so that it is at work.
fn at_work(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let handles = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim().to_owned();
        u64::from_str_radix(&caught, 16).unwrap_or(0) & 0b10 != 0
    };
    let begun = Instant::now();
    while !handles() {
        assert!(begun.elapsed() < SOON, "it never handles Ctrl-C");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(400));
}

/// Kills what does not end.
#[track_caller]
fn ends_soon(mut child: Child, what: &str) -> (ExitStatus, String) {
    let begun = Instant::now();
    while begun.elapsed() < SOON {
        if let Some(status) = child.try_wait().unwrap() {
            let mut output = String::new();
            child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
            return (status, output);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("{what}: it goes on");
}

#[test]
fn ctrl_c_ends_a_check_while_its_guard_is_loaded_computes_or_makes_the_host_work() {
    for (what, guest, grants) in
        [("computes", computes(), ""), ("starts", starts(), ""), ("searches", searches(), "\"repo\"")]
    {
        let repo = judged_by(&guest, grants);
        repo.write("x.py", "def x():\n    return 2\n");
        repo.stage_all();
        let before = (repo.snapshot(), repo.status());
        let child = command(repo.path(), &["check", "--staged", "--format", "json"], &[]).spawn().unwrap();
        at_work(&child);
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let (status, output) = ends_soon(child, what);
        // A process that the signal ends has no code.
        assert_eq!(status.code(), Some(130), "{what}: {output}");
        let report: Value = serde_json::from_str(&output).unwrap();
        assert_eq!(report["error"]["kind"], "interrupted", "{what}: {output}");
        assert_eq!(before, (repo.snapshot(), repo.status()), "{what}");
    }
}

/// The guard takes longer than the run may: what the run reached stands, and nothing is committed.
#[test]
fn the_time_of_a_run_ends_its_guard() {
    for (what, guest) in [("computes", computes()), ("starts", starts())] {
        let repo = judged_by(&guest, "");
        let replies = tempfile::NamedTempFile::new().unwrap();
        let patch = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n";
        std::fs::write(&replies, serde_json::json!({ "round": 1, "reply": patch }).to_string()).unwrap();
        let provider = format!("replay:{}", replies.path().display());
        let before = repo.git(&["for-each-ref"]);
        let args = ["run", "--task", "Let x return 2", "--provider", &provider, "--max-time", "3", "--format", "json"];
        let (status, output) = ends_soon(command(repo.path(), &args, &[]).spawn().unwrap(), what);
        let report: Value = serde_json::from_str(&output).unwrap();
        assert_eq!(before, repo.git(&["for-each-ref"]), "{what}");
        assert_eq!(status.code(), Some(6), "{what}: {output}");
        // A guard that does not come to an end while it is loaded is found before anybody is asked: there is no run.
        if what == "starts" {
            assert_eq!(report["error"]["code"], "over-budget", "{what}: {output}");
            continue;
        }
        assert_eq!(report["outcome"], "over-budget", "{what}: {output}");
        let log = host(repo.path(), &["log", "--format", "json"]).expect(0).json();
        assert_eq!(log["runs"][0]["outcome"], "over-budget", "{what}: {log}");
    }
}

/// Nothing of a judgement that was ended counts, though the guards beside have an answer.
#[test]
fn a_judgement_that_is_ended_is_an_error() {
    let stop = StopToken::default();
    let set = GuardSet::new(vec![spec(&Guest::default())], &EngineContext { stop: stop.clone(), ..machine() }).unwrap();
    stop.interrupt();
    let context = guardhost_engine::JudgeContext { task: None, observer: &guardhost_core::change::NullObserver };
    let judgement = guardhost_engine::guard(&super::change(), &set, &context);
    assert_eq!(super::error(&judgement.evidence[0]).0, "interrupted");
    assert!(!judgement.is_accepted());
}
