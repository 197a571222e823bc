//! Programs that change the repository where nothing looks at first, or so that looking is hard.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::PATCH;
use super::place::Place;
use crate::support::tools::{Tool, needs};

/// A good answer, and something else, done in the repository. `$HOME` is the place's own.
fn run(place: &Place, deed: &str) -> Output {
    place.agent(
        "busy",
        &format!("(cd {}; {deed}) >/dev/null 2>&1; cat <<'END'\n{PATCH}END", place.repo.path().display()),
    );
    let args =
        ["run", "--task", "Let x return 2", "--file-hint", "x.py", "--format", "json", "--provider", "command:busy"];
    place.command(&args).env("HOME", home(place)).output().unwrap()
}

fn home(place: &Place) -> &Path {
    place.home.path()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// The deed, done with these preparations, is named so.
#[track_caller]
fn is_named(prepared: &str, deed: &str, named: &str) {
    let place = Place::new("");
    prepare(&place, prepared);
    let run = json(&run(&place, deed)).to_string();
    assert!(run.contains("repository-changed") && run.contains(named), "{deed}: {run}");
}

#[track_caller]
fn is_nothing(prepared: &str, deed: &str) {
    let place = Place::new("");
    prepare(&place, prepared);
    let run = json(&run(&place, deed));
    assert_eq!(run["outcome"], "committed", "{deed}: {run}");
}

fn prepare(place: &Place, script: &str) {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-e", "-c", script]).current_dir(place.repo.path()).env("HOME", home(place));
    let done = shell.output().unwrap();
    assert!(done.status.success(), "{script}: {done:?}");
}

const SHARED_MEMORY: &str = "python3 -c \"
import mmap, sys
with open(sys.argv[1], 'r+b') as file:
    memory = mmap.mmap(file.fileno(), 0)
    memory[0] ^= 1
\"";

#[test]
fn a_write_through_shared_memory_is_named_on_every_file_system() {
    let (Some(_), Some(elsewhere)) = (needs(Tool::Python), needs(Tool::SecondFileSystem)) else { return };
    for folder in [std::env::temp_dir(), elsewhere] {
        for file in ["x.py", "untracked.txt", ".git/config", ".git/hooks/pre-commit", ".git/info/exclude"] {
            let place = Place::on(&folder, "");
            place.repo.write("untracked.txt", "mine\n");
            place.repo.write(".git/hooks/pre-commit", "#!/bin/sh\n");
            place.repo.write(".git/info/exclude", "x\n");
            let run = json(&run(&place, &format!("{SHARED_MEMORY} {file}"))).to_string();
            assert!(run.contains("repository-changed") && run.contains(file), "{folder:?} {file}: {run}");
        }
    }
}

#[test]
fn a_write_right_after_the_last_change_is_named() {
    // Many changes within a tick of the clock, which the last of them is too.
    is_named("printf one >../one", "printf two >x.py; cp ../one x.py; printf two >x.py", "x.py");
}

#[test]
fn settings_are_watched_wherever_they_lie() {
    for (prepared, deed, named) in [
        ("mkdir ../hooks; git config core.hooksPath ../hooks", "echo x >../hooks/pre-commit", "hooks/pre-commit (new)"),
        // In the work tree, where git ignores it.
        (
            "mkdir -p .husky/_; echo '*' >.husky/_/.gitignore; git config core.hooksPath .husky/_",
            "echo x >.husky/_/pre-commit",
            ".husky/_/pre-commit (new)",
        ),
        ("mkdir ~/h; git config --global core.hooksPath '~/h'", "echo x >$HOME_/h/post-commit", "h/post-commit (new)"),
        (
            "rm -rf .git/hooks; mkdir ../hooks; ln -s ../../hooks .git/hooks",
            "echo x >../hooks/pre-commit",
            "hooks/pre-commit",
        ),
        (
            "mkdir -p ../t .git/hooks; echo >../t/hook; ln -s ../../../t/hook .git/hooks/pre-commit",
            "echo x >../t/hook",
            "t/hook",
        ),
        ("echo >../more; git config include.path ../../more", "git config -f ../more alias.x '!x'", "/more"),
        // Which does not exist yet, under a condition that does not hold.
        ("git config includeIf.gitdir:/nowhere/.path ../../more", "git config -f ../more alias.x '!x'", "/more (new)"),
        (
            "git config include.path ../../one; git config -f ../one include.path two",
            "git config -f ../two core.hooksPath x",
            "/two (new)",
        ),
        ("git config core.attributesFile ../attributes", "echo '* filter=x' >../attributes", "/attributes (new)"),
        ("echo >../ignore; git config core.excludesFile ../ignore", "echo x.py >../ignore", "/ignore"),
        ("echo >../monitor; git config core.fsmonitor ../monitor", "echo x >../monitor", "/monitor"),
        ("true", "git config -f $HOME_/.gitconfig alias.x '!x'", ".gitconfig (new)"),
        ("echo >../dotfile; ln -s \"$(realpath ..)/dotfile\" ~/.gitconfig", "echo '[a]' >>../dotfile", "/dotfile"),
    ] {
        let place = Place::new("");
        prepare(&place, prepared);
        let deed = deed.replace("$HOME_", &home(&place).display().to_string());
        let run = json(&run(&place, &deed)).to_string();
        assert!(run.contains("repository-changed") && run.contains(named), "{deed}: {run}");
    }
}

#[test]
fn the_rest_of_the_git_directory_is_watched_as_far_as_it_steers_git() {
    let other = "git worktree add -q ../other -b other";
    for (prepared, deed, named) in [
        (other, "git -C ../other rm -q x.py", ".git/worktrees/other/index"),
        (other, "git -C ../other checkout -q --detach", ".git/worktrees/other/HEAD"),
        (other, "echo /tmp >.git/worktrees/other/gitdir", ".git/worktrees/other/gitdir"),
        ("true", "git rev-parse HEAD >.git/MERGE_HEAD", ".git/MERGE_HEAD (new)"),
        ("true", "git rev-parse HEAD >.git/CHERRY_PICK_HEAD", ".git/CHERRY_PICK_HEAD (new)"),
        ("true", "mkdir .git/rebase-merge; echo 'exec x' >.git/rebase-merge/git-rebase-todo", ".git/rebase-merge"),
        ("true", "mkdir .git/rebase-apply; touch .git/rebase-apply/applying", ".git/rebase-apply"),
        ("true", "mkdir .git/sequencer; touch .git/sequencer/todo", ".git/sequencer"),
        ("true", "git update-index --assume-unchanged x.py", ".git/index"),
        ("true", "git update-index --skip-worktree x.py", ".git/index"),
        ("true", "git rev-parse HEAD >.git/shallow", ".git/shallow (new)"),
        ("true", "git rev-parse HEAD >.git/info/grafts", ".git/info/grafts (new)"),
        ("true", "echo /tmp >.git/objects/info/alternates", ".git/objects/info/alternates (new)"),
        ("true", "mkdir .git/guardhost/place; echo x >.git/guardhost/place/journal", ".git/guardhost/place"),
        ("true", "mkdir -p .git/guardhost/baselines; echo x >.git/guardhost/baselines/x", ".git/guardhost/baselines"),
        ("echo x >t; ln t u", "ln -f t x.py", "x.py"),
        (
            "git init -q sub; git -C sub -c user.name=x -c user.email=x commit -q --allow-empty -m x; git add sub",
            "git -C sub config core.hooksPath /tmp",
            "sub/.git/config",
        ),
    ] {
        is_named(prepared, deed, named);
    }
}

/// With its checksum fixed.
const FORGE: &str = "python3 -c \"
import hashlib, os
path = '.git/objects/info/commit-graph'
graph = bytearray(open(path, 'rb').read())
tree = bytes.fromhex(os.popen('git rev-parse HEAD^{tree}').read().strip())
graph[graph.index(tree)] ^= 1
graph[-20:] = hashlib.sha1(graph[:-20]).digest()
os.chmod(path, 0o644)
open(path, 'wb').write(graph)
\"";

#[test]
fn a_commit_graph_is_named_if_it_does_not_say_what_commits_say() {
    if needs(Tool::Python).is_none() {
        return;
    }
    is_nothing("true", "git commit-graph write --reachable");
    is_nothing("git commit-graph write --reachable", "git commit-graph write --reachable --split");
    is_named("true", &format!("git commit-graph write --reachable; {FORGE}"), ".git/objects/info/commit-graph");
    is_named("git commit-graph write --reachable", FORGE, ".git/objects/info/commit-graph");
}

#[test]
fn what_is_no_regular_file_is_named_and_never_waited_for() {
    let fifo = |path: &str| format!("rm -rf {path}; mkfifo {path}");
    let paths =
        ["x.py", "untracked", ".git/config", ".git/index", ".git/packed-refs", ".git/refs/heads/x", ".git/hooks/x"];
    for path in paths.into_iter().chain([".git/HEAD", ".git/info/exclude", ".git/MERGE_HEAD", ".git/shallow"]) {
        let named = path.strip_prefix(".git/refs").map_or(path.to_owned(), |name| format!("refs{name}"));
        is_named("true", &fifo(path), named.strip_prefix(".git/HEAD").map_or(&named, |_| "HEAD"));
    }
    is_nothing("mkfifo untracked", "true");
    // Nor is it read to its end, if it has none.
    for path in [".git/HEAD", ".git/refs/heads/x", ".git/packed-refs", ".git/index", "x.py"] {
        let named = path.trim_start_matches(".git/").trim_start_matches("packed-");
        is_named("true", &format!("truncate -s 100G {path}"), named);
    }
}

/// A program's new file that is a link to a file that the host has open is not the host's own.
#[test]
fn a_link_to_the_hosts_own_output_is_named() {
    let place = Place::new("");
    let record = place.repo.path().join("recorded.jsonl");
    place.agent(
        "busy",
        &format!("(cd {}; ln recorded.jsonl conftest.py); cat <<'END'\n{PATCH}END", place.repo.path().display()),
    );
    let ran = place.run(&["--provider", "command:busy", "--record", record.to_str().unwrap()]);
    assert!(ran.stdout.contains("conftest.py (new)") && !ran.stdout.contains("recorded.jsonl"), "{ran:?}");
}

fn wait_for(what: &str, is: impl Fn() -> bool) {
    for _ in 0..12_000 {
        if is() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no {what} within a minute");
}

#[test]
fn a_change_is_named_also_when_the_run_is_interrupted() {
    let place = Place::new("");
    place.repo.write("untracked.txt", "mine\n");
    place.agent(
        "busy",
        &format!("cd {}; echo changed >untracked.txt; echo >../changed; sleep 60", place.repo.path().display()),
    );
    let args = ["run", "--task", "t", "--file-hint", "x.py", "--format", "json", "--provider", "command:busy"];
    let child = place.command(&args).spawn().unwrap();
    wait_for("change", || place.repo.path().join("../changed").exists());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    let error = json(&ended)["error"].to_string();
    assert!(error.contains("the repository changed while busy answered: untracked.txt"), "{error}");

    let ran = place.run(&["--provider", "command:busy", "--max-time", "1"]);
    assert!(ran.stdout.contains("untracked.txt"), "{ran:?}");
}
