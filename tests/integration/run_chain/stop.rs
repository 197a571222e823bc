//! Ctrl-C.

use std::process::Child;
use std::time::Duration;

use clap::Parser;
use guardhost_core::change::{Event, Observer};
use guardhost_core::error::{FaultKind, kind};
use guardhost_core::process_env::ProcessEnv;
use guardhost_observer::client::ObserverTime;
use guardhost_provider::Cancel;
use host::cli::{Cli, Command};
use host::command::CommandContext;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::PATCH;
use super::place::Place;

fn wait_for(what: &str, is: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if is() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no {what} within ten seconds");
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn a_stopped_run_ends_everybody_and_leaves_everything() {
    // The last insists, and nobody has to wait for who is deaf.
    for signals in [&[Signal::INT][..], &[Signal::TERM], &[Signal::INT, Signal::INT]] {
        let place = Place::new("");
        // The agent and its own child stop for nothing but SIGKILL.
        place.agent("deaf", "trap '' TERM INT; (sleep 60; :) & echo $! >child; echo $$ >self; wait; sleep 60");
        place.repo.write("untracked.txt", "mine\n");
        place.repo.write("x.py", "def x():\n    return 'half done'\n");
        let before = (place.repo.snapshot(), place.repo.status(), place.repo.git(&["for-each-ref"]));
        let args = ["run", "--task", "Let x return 2", "--provider", "command:deaf", "--format", "json"];
        let child = place.command(&args).spawn().unwrap();
        let own = place.bin().join("self");
        wait_for("agent", || own.exists() && !std::fs::read_to_string(&own).unwrap().is_empty());
        for signal in signals {
            send(&child, *signal);
            std::thread::sleep(Duration::from_millis(50));
        }
        let ended = child.wait_with_output().unwrap();

        assert_eq!(ended.status.code(), Some(130), "{ended:?}");
        assert_eq!(before, (place.repo.snapshot(), place.repo.status(), place.repo.git(&["for-each-ref"])));
        for name in ["self", "child"] {
            let pid = std::fs::read_to_string(place.bin().join(name)).unwrap().trim().parse().unwrap();
            wait_for("end", || test_kill_process(Pid::from_raw(pid).unwrap()).is_err());
        }
        let log = place.host(&["log", "--format", "json"]).expect(0).json();
        assert_eq!(
            (&log["runs"][0]["state"], &log["runs"][0]["outcome"]),
            (&"ended".into(), &"interrupted".into()),
            "{log}"
        );
    }
}

/// Stops the run while its guards are at work.
struct AtTheGuards(Cancel);

impl Observer for AtTheGuards {
    fn see(&self, event: &Event) {
        if matches!(event, Event::Judging { .. }) {
            self.0.cancel();
        }
    }
}

#[test]
fn what_was_judged_after_the_stop_is_not_committed() {
    let place = Place::new("");
    let file = place.home.path().join("replies.jsonl");
    std::fs::write(&file, serde_json::json!({ "round": 1, "reply": PATCH }).to_string()).unwrap();
    let provider = format!("replay:{}", file.display());
    let cli =
        Cli::parse_from(["host", "run", "--task", "Let x return 2", "--file-hint", "x.py", "--provider", &provider]);
    let Command::Run(args) = &cli.command else { panic!("it is a run") };
    let process = ProcessEnv {
        cwd: place.repo.path().to_owned(),
        temp: std::env::temp_dir(),
        threads: 1,
        ..ProcessEnv::default()
    };
    let run = |cancel: Cancel| {
        let stop = AtTheGuards(cancel.clone());
        host::command::run(
            args,
            &CommandContext {
                global: &cli.global,
                process: &process,
                embedded: &guards::EMBEDDED,
                watchers: &[&stop],
                observer: &ObserverTime::default(),
                traces: None,
                agent: None,
            },
            cancel,
        )
    };
    let before = place.repo.git(&["for-each-ref"]);
    let stopped = run(Cancel::default()).err().expect("an interrupted run");
    assert_eq!((kind(&stopped), place.repo.git(&["for-each-ref"])), (FaultKind::Interrupted, before));
}
