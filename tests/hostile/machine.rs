//! A machine that gives too little: its lack is said to be its own, and is never blamed on a guard.

use std::process::Stdio;

use serde_json::Value;

use crate::support::cli::command;
use crate::support::guest::{Guest, ID};
use crate::support::repo::TestRepo;
use crate::support::toolchain::{Bench, sandboxes};
use crate::support::tools::{Tool, needs};

/// Runs `host` in a shell that sets limits first.
fn limited(repo: &TestRepo, limits: &str, args: &[&str], env: &[(&str, &str)]) -> (Option<i32>, Value) {
    let mut shell = std::process::Command::new("sh");
    let host = command(repo.path(), args, env);
    shell.args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")]).arg(host.get_program()).args(host.get_args());
    shell.current_dir(repo.path()).env_clear();
    shell.envs(host.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let (code, report, _) = report(&mut shell);
    (code, report)
}

/// Exit code, report, and what was said beside it.
fn report(command: &mut std::process::Command) -> (Option<i32>, Value, String) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (output.status.code(), report, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn edited(files: &[(&str, &str)]) -> TestRepo {
    let repo = TestRepo::with(files);
    repo.write("x.py", "def x():\n    return 2\n");
    repo.stage_all();
    repo
}

/// A staged change that this guard judges.
fn judged_by(guest: &Guest) -> TestRepo {
    let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n")]);
    repo.write("guard.wasm", guest.component());
    repo.write("guards.toml", format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\n"));
    repo.commit("rules");
    repo.write("x.py", "def x():\n    return 2\n");
    repo.stage_all();
    repo
}

/// Each linear memory reserves more than 4 GiB of addresses.
#[test]
fn too_few_addresses_for_an_embedded_guard() {
    let repo = edited(&[("x.py", "def x():\n    return 1\n")]);
    let args = ["check", "--staged", "--guard", "syntax-holds", "--format", "json"];
    let (code, report) = limited(&repo, "ulimit -v 4194304", &args, &[]);
    assert_eq!((code, &report["guards"][0]["code"]), (Some(7), &"machine".into()), "{report}");
    let reason = report["guards"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("this machine") && reason.contains("ulimit"), "{reason}");
    assert_eq!(limited(&repo, "true", &args, &[]).0, Some(0));
}

/// A component is compiled in a child process first, which needs addresses too.
#[test]
fn too_few_addresses_for_a_component() {
    for limit in [1_000_000, 4_194_304] {
        let repo = judged_by(&Guest { version: "9.9.9", ..Guest::default() });
        let fresh = tempfile::tempdir().unwrap();
        let cache = [("XDG_CACHE_HOME", fresh.path().to_str().unwrap())];
        let args = ["check", "--staged", "--format", "json"];
        let (code, report) = limited(&repo, &format!("ulimit -v {limit}"), &args, &cache);
        assert_eq!((code, &report["guards"][0]["code"]), (Some(7), &"machine".into()), "{limit}: {report}");
    }
}

/// A write beyond the limit is an error of the machine, and does not kill the host.
#[test]
fn files_that_may_not_grow() {
    let repo = edited(&[("x.py", "def x():\n    return 1\n")]);
    let answer = repo.path().join("../answer");
    std::fs::write(&answer, "x.py\n````\ndef x():\n    return 3\n````\n").unwrap();
    let args = ["run", "--task", "t", "--file-hint", "x.py", "--provider", "command:cat ../answer", "--format", "json"];
    let (code, report) = limited(&repo, "ulimit -f 0", &args, &[]);
    assert_eq!((code, &report["error"]["code"]), (Some(7), &"machine".into()), "{report}");
    assert!(report["error"]["hint"].to_string().contains("ulimit"), "{report}");
    let args = ["check", "--staged", "--output", "report.json"];
    let mut shell = std::process::Command::new("sh");
    let host = command(repo.path(), &args, &[]);
    shell.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]).arg(host.get_program()).args(host.get_args());
    let output = shell.current_dir(repo.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("report.json"), "{output:?}");
}

/// The kernel counts all processes and threads of a user, and root's not at all.
const NOBODY: &str = "65534";

#[test]
fn too_few_threads() {
    let repo = judged_by(&Guest { version: "9.9.7", ..Guest::default() });
    let is_root = rustix::process::geteuid().is_root();
    let mut lacks = 0;
    for limit in 1..12 {
        let cache = tempfile::tempdir().unwrap();
        let args = ["check", "--staged", "--format", "json"];
        let host = command(repo.path(), &args, &[("XDG_CACHE_HOME", cache.path().to_str().unwrap())]);
        let mut limited = std::process::Command::new("prlimit");
        limited.arg(format!("--nproc={limit}"));
        if is_root {
            let chown =
                std::process::Command::new("chown").args(["-R", NOBODY]).args([repo.path(), cache.path()]).status();
            assert!(chown.unwrap().success());
            let mut open = std::process::Command::new("chmod");
            assert!(open.arg("755").arg(repo.path().parent().unwrap()).status().unwrap().success());
            limited.args(["setpriv", "--reuid", NOBODY, "--clear-groups"]);
        }
        limited.arg(host.get_program()).args(host.get_args()).current_dir(repo.path()).env_clear();
        limited.envs(host.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let (code, report, said) = report(&mut limited);
        let of_guard = &report["guards"][0]["code"];
        match code {
            Some(0) => {}
            Some(7) if *of_guard == "machine" || report["error"]["code"] == "machine" => lacks += 1,
            _ => panic!("{limit}: {code:?} {report} {said}"),
        }
    }
    assert!(lacks > 0, "no limit was too low");
}

/// Runs `host` where the cache folder lies on a file system of 64 KiB.
fn on_a_full_disk(repo: &TestRepo, args: &[&str], env: &[(&str, &str)]) -> Option<(Option<i32>, Value, String)> {
    needs(Tool::Bubblewrap)?;
    let cache = tempfile::tempdir().unwrap();
    let cache = cache.path().to_str().unwrap();
    let env: Vec<(&str, &str)> = env.iter().copied().chain([("XDG_CACHE_HOME", cache)]).collect();
    let host = command(repo.path(), args, &env);
    let mut disk = std::process::Command::new("bwrap");
    disk.args(["--dev-bind", "/", "/", "--size", "65536", "--tmpfs", cache, "--"]);
    disk.arg(host.get_program()).args(host.get_args()).current_dir(repo.path()).env_clear();
    Some(report(disk.envs(host.get_envs().filter_map(|(name, value)| Some((name, value?))))))
}

/// Compiled code cannot be kept, and the guard judges all the same.
#[test]
fn a_full_disk_in_front_of_the_cache() {
    // More code than there is room for.
    let items = (0..4_000).map(|at| format!("(func $f{at} (result i32) (i32.const {at}))")).collect();
    let repo = judged_by(&Guest { version: "9.9.8", items, ..Guest::default() });
    let ran = on_a_full_disk(&repo, &["check", "--staged", "--format", "json"], &[]);
    let Some((code, report, said)) = ran else { return };
    assert_eq!((code, &report["guards"][0]["verdict"]), (Some(0), &"pass".into()), "{report}");
    assert!(said.contains("could not be cached"), "{said}");
}

/// The work tree of a build cannot be written.
#[test]
fn a_full_disk_in_front_of_a_build() {
    let Some(sandbox) = sandboxes().pop() else { return };
    let large = "x = 1\n".repeat(100_000);
    let files = [("setup.cfg", "[metadata]\nname = x\n"), ("x.py", "def x():\n    return 1\n"), ("large.py", &large)];
    let bench = Bench::new(sandbox, &files);
    bench.repo.write("x.py", "def x():\n    return 2\n");
    bench.repo.commit("change");
    let args = bench.args();
    let args: Vec<&str> = args.iter().map(String::as_str).chain(["--guard", "builds"]).collect();
    let env: Vec<(&str, &str)> = bench.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let Some((code, report, _)) = on_a_full_disk(&bench.repo, &args, &env) else { return };
    assert_eq!((code, &report["guards"][0]["code"]), (Some(7), &"machine".into()), "{report}");
    assert!(report["guards"][0]["reason"].to_string().contains("No space left"), "{report}");
}
