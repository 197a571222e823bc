//! What a program does beside answering: to the repository, and after its answer.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::PATCH;
use super::place::Place;

/// A good answer, and something else.
fn run(deed: &str, settings: &str) -> (Place, Value) {
    let place = Place::new(settings);
    place.repo.write("untracked.txt", "mine\n");
    std::fs::create_dir(place.repo.path().join("target")).unwrap();
    place.agent(
        "busy",
        &format!("(cd {}; {deed}) >/dev/null 2>&1; cat <<'END'\n{PATCH}END", place.repo.path().display()),
    );
    let ran = place.run(&["--provider", "busy"]);
    let run = ran.json();
    (place, run)
}

const REFUSES: &str = "[providers.busy]\ncommand = \"busy\"\n";

#[test]
fn a_program_that_changes_the_repository_is_named_and_its_answer_refused() {
    for (deed, named) in [
        ("echo 'changed' >x.py", "x.py"),
        ("echo 'changed' >untracked.txt", "untracked.txt"),
        ("echo new >new.txt", "new.txt (new)"),
        ("rm untracked.txt", "untracked.txt (removed)"),
        ("chmod +x x.py", "x.py"),
        // With the old size and the old time.
        ("touch -r x.py ../t; sed -i 's/return 1/return 2/' x.py; touch -r ../t x.py", "x.py"),
        ("git config core.hooksPath /tmp/hooks", ".git/config"),
        ("printf '#!/bin/sh\\n' >.git/hooks/post-commit", ".git/hooks/post-commit (new)"),
        ("printf '*.py filter=x\\n' >.git/info/attributes", ".git/info/attributes (new)"),
        ("echo /tmp/elsewhere >.git/objects/info/alternates", ".git/objects/info/alternates (new)"),
        ("git add untracked.txt", ".git/index"),
        ("git -c user.name=x -c user.email=x commit -q --allow-empty -m more", "refs/heads/"),
        ("git checkout -q -b other", "HEAD"),
        ("git tag mine", "refs/tags/mine (new)"),
        ("git branch mine; git pack-refs --all", "refs/heads/mine (new)"),
    ] {
        let (place, run) = run(deed, REFUSES);
        assert_eq!(run["error"]["kind"].as_str().unwrap_or_default(), "provider", "{deed}: {run}");
        let said = run.to_string();
        assert!(said.contains("repository-changed") && said.contains(named), "{deed}: {run}");
        assert_eq!(place.repo.git(&["for-each-ref", "refs/heads/guardhost", "refs/heads/host"]), "", "{deed}");
    }
}

#[test]
fn what_changes_nothing_is_not_reported() {
    for deed in [
        "git status; git gc -q; git pack-refs --all",
        "mkdir -p target/debug; echo x >target/debug/x",
        "cat x.py",
        "git update-ref refs/remotes/origin/main HEAD",
    ] {
        let (_place, run) = run(deed, REFUSES);
        assert_eq!(run["outcome"], "committed", "{deed}: {run}");
    }
}

#[test]
fn settings_may_ask_for_a_notice_instead() {
    let (place, run) =
        run("echo 'changed' >untracked.txt", "[providers.busy]\ncommand = \"busy\"\non_change = \"report\"\n");
    assert_eq!(run["outcome"], "committed", "{run}");
    let trace = std::fs::read_to_string(run["trace"].as_str().unwrap()).unwrap();
    assert!(trace.contains("the repository changed while busy answered: untracked.txt"), "{trace}");
    drop(place);
}

fn wait_for(what: &str, is: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if is() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no {what} within ten seconds");
}

fn is_gone(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    stat.map_or(true, |stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim().starts_with('Z')))
}

/// A daemon: it leaves the group and the session, and its parent ends.
const DAEMON: &str =
    "setsid sh -c 'echo $$ >daemon; trap \"\" TERM HUP; while :; do sleep 1; done' >/dev/null 2>&1 </dev/null &
                      until test -s daemon; do sleep 0.01; done";

#[test]
fn a_daemon_ends_with_the_answer() {
    let place = Place::new("");
    place.agent("forks", &format!("{DAEMON}; cat <<'END'\n{PATCH}END"));
    assert_eq!(place.run(&["--provider", "command:forks"]).expect(0).json()["outcome"], "committed");
    let daemon = std::fs::read_to_string(place.bin().join("daemon")).unwrap();
    assert!(is_gone(&daemon), "process {daemon} lives on");
}

#[test]
fn a_killed_host_takes_its_agents_along() {
    let place = Place::new("");
    place.agent("waits", &format!("echo $TMPDIR >scratch; {DAEMON}; echo $$ >self; sleep 60"));
    let args = ["run", "--task", "t", "--file-hint", "x.py", "--provider", "command:waits"];
    let mut child = place.command(&args).spawn().unwrap();
    let left = |name: &str| std::fs::read_to_string(place.bin().join(name)).unwrap_or_default();
    wait_for("agent", || left("self").ends_with('\n'));
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    wait_for("end of the agent", || is_gone(&left("self")) && is_gone(&left("daemon")));
    let scratch = left("scratch");
    assert!(scratch.contains("guardhost-ask-"), "{scratch}");
    wait_for("end of the scratch folder", || !std::path::Path::new(scratch.trim()).parent().unwrap().exists());
}
