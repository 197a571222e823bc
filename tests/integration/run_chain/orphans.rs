//! Programs that fight the process that attends them.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::PATCH;
use super::place::Place;
use crate::support::cli::command;

fn wait_for(what: &str, is: impl Fn() -> bool) {
    for _ in 0..12_000 {
        if is() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no {what} within a minute");
}

/// Whether a process lives whose command line holds these words.
fn lives(words: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.into_iter().any(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        !line.is_empty() && String::from_utf8_lossy(&line).contains(words)
    })
}

/// A daemon that is deaf to all but SIGKILL, and one that is a new process every few milliseconds. Both are known by the folder.
fn daemons(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "cat >'{folder}/chain' <<'END'
trap '' TERM HUP
: >'{folder}/chained'
sleep 0.01
setsid sh '{folder}/chain' &
END
cat >'{folder}/daemon' <<'END'
trap '' TERM HUP CONT
: >'{folder}/begun'
while :; do sleep 1; done
END
setsid sh '{folder}/daemon' >/dev/null 2>&1 </dev/null &
setsid sh '{folder}/chain' >/dev/null 2>&1 </dev/null &
until test -e '{folder}/begun' -a -e '{folder}/chained'; do sleep 0.01; done
"
    )
}

/// Each is done before the agent answers: a reply that came before the attendant was stopped would count.
const DEEDS: [&str; 5] = [
    "kill -KILL $PPID",
    "kill -STOP $PPID",
    "(setsid sh -c \"kill -STOP $PPID; : >stopped; while kill -STOP $PPID; do :; done\" &)
until test -e stopped; do sleep 0.01; done",
    "kill -STOP $PPID; (sleep 0.1; kill -KILL $PPID) &",
    "kill -TERM $PPID",
];

#[test]
fn an_agent_that_kills_or_stops_its_attendant_leaves_no_process() {
    for deed in DEEDS {
        let place = Place::new("");
        let folder = place.bin().join("daemons");
        std::fs::create_dir(&folder).unwrap();
        place.agent("fights", &format!("{}{deed}\ncat <<'END'\n{PATCH}END", daemons(&folder)));
        let ran = place.run(&["--provider", "command:fights", "--timeout", "120"]);
        assert_eq!(ran.code, 6, "{deed}: {ran:?}");
        assert!(!ran.stdout.contains("gave no answer within"), "{deed} was waited for: {ran:?}");
        assert!(!lives(folder.to_str().unwrap()), "{deed}: processes live on");
    }
}

#[test]
fn a_killed_host_takes_its_agents_along_also_when_the_attendant_is_stopped() {
    let place = Place::new("");
    let folder = place.bin().join("daemons");
    std::fs::create_dir(&folder).unwrap();
    place.agent(
        "fights",
        // The attendant is stopped when its host is dead.
        &format!("{}cat <{}/gate; kill -STOP $PPID; : >stopped; sleep 60", daemons(&folder), folder.display()),
    );
    rustix::fs::mkfifoat(rustix::fs::CWD, folder.join("gate"), rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR)
        .unwrap();
    let args = ["run", "--task", "t", "--file-hint", "x.py", "--provider", "command:fights"];
    let mut child = place.command(&args).spawn().unwrap();
    // Held still, so that it does not notice.
    let gate = File::options().write(true).open(folder.join("gate")).unwrap();
    kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
    drop(gate);
    wait_for("stopped attendant", || place.bin().join("stopped").exists());
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    wait_for("end of the daemons", || !lives(folder.to_str().unwrap()));
}

#[test]
fn folders_that_killed_hosts_left_are_removed_and_no_others() {
    let place = Place::new("");
    let temp = tempfile::tempdir().unwrap();
    let make = |name: &str| {
        let folder = temp.path().join(name);
        std::fs::create_dir_all(folder.join("tmp")).unwrap();
        File::create(folder.join("lock")).unwrap()
    };
    let (_left, held, _other) = (make("guardhost-ask-left"), make("guardhost-ask-held"), make("another"));
    held.try_lock().unwrap();
    std::fs::create_dir(temp.path().join("guardhost-ask-new")).unwrap();
    std::os::unix::fs::symlink(temp.path().join("another"), temp.path().join("guardhost-ask-link")).unwrap();
    let variables = [("TMPDIR", temp.path().to_str().unwrap())];
    let said = command(place.repo.path(), &["doctor"], &variables).output().unwrap();
    assert!(String::from_utf8_lossy(&said.stdout).contains("the folder of a killed host is removed"), "{said:?}");
    let mut names: Vec<_> = std::fs::read_dir(temp.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["another", "guardhost-ask-held", "guardhost-ask-link", "guardhost-ask-new"]);
    assert!(temp.path().join("another/lock").exists());
}
