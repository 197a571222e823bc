//! The commands, as people use them.

use rustix::process::{Pid, Signal, kill_process};

use super::machines::{Machines, Server};
use crate::support::cli::host_with;
use crate::support::promtool::Promtool;

#[test]
fn without_a_queue_it_is_a_check() {
    let machines = Machines::new("memory:".to_owned(), 2);
    for (commit, code, outcome) in
        machines.commits(2).iter().zip([(1, "rejected"), (0, "accepted")]).map(|(c, (a, b))| (c, a, b))
    {
        let ran = machines.run(&["submit", "--range", commit, "--format", "json"]).expect(code);
        let report = ran.json();
        assert_eq!(report["outcome"], outcome, "{report}");
        assert_eq!(report["check"].to_string(), machines.local(commit));
    }
    machines.run(&["submit", "--staged"]).expect(8);
    let refused = machines.run(&["worker"]).expect(2);
    assert!(refused.stderr.contains("--queue"), "{refused:?}");
}

#[test]
fn a_change_goes_to_a_worker_and_comes_back_judged() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _running)) = Server::nats(folder.path()) else { return };
    let machines = Machines::new(server.address(), 2);
    let commits = machines.commits(2);
    // Nobody works yet.
    let waiting = machines.run(&["submit", "--range", &commits[0], "--wait", "0", "--format", "json"]).expect(8).json();
    assert_eq!((&waiting["outcome"], &waiting["check"]), (&"waiting".into(), &serde_json::Value::Null));
    let mut worker = machines.worker("w0", &[]);
    let id = waiting["job"].as_str().unwrap();
    let judged = machines.run(&["submit", "--job", id, "--format", "json"]).expect(1).json();
    assert_eq!(judged["check"].to_string(), machines.local(&commits[0]), "{}", machines.log("w0"));
    assert!(judged["worker"].as_str().unwrap().starts_with("w0 ("), "{judged}");
    // What is not committed has objects that no remote knows.
    machines.repo.write("conf/new.json", "{ \"a\": 1 }\n");
    machines.repo.stage_all();
    let staged = machines.run(&["submit", "--staged", "--format", "json"]).expect(0).json();
    let mut local = machines.run(&["check", "--staged", "--format", "json"]).json();
    for name in ["verdict", "base", "candidate"] {
        assert_eq!(staged["check"][name], local[name].take(), "{name}");
    }
    let text = machines.run(&["submit", "--staged"]).expect(0).stdout;
    assert!(text.contains("accepted") && text.contains("w0"), "{text}");
    // Only known keys count.
    let strangers = folder.path().join("strangers.txt");
    std::fs::write(&strangers, format!("w0 {}\n", "0".repeat(64))).unwrap();
    let strangers = strangers.display().to_string();
    let unbelieved =
        machines.run(&["submit", "--staged", "--fleet-keys", &strangers, "--format", "json"]).expect(7).json();
    assert_eq!((&unbelieved["outcome"], &unbelieved["check"]), (&"unbelieved".into(), &serde_json::Value::Null));
    // A worker says every few seconds what it did.
    let begun = std::time::Instant::now();
    let status = loop {
        let status = machines.run(&["fleet", "status", "--format", "json"]).expect(0).json();
        if status["workers"][0]["judged"] == 2 {
            break status;
        }
        assert!(begun.elapsed().as_secs() < 60, "{status}");
    };
    assert_eq!(status["workers"][0]["name"], "w0");
    assert_eq!((&status["dead"], &status["alarms"][0]["kind"]), (&0.into(), &"unknown-key".into()));
    let metrics = machines.run(&["fleet", "status", "--metrics"]).expect(0).stdout;
    assert!(metrics.contains("guardhost_fleet_oldest_seconds{lane=\"fast\"} 0.000\n"), "{metrics}");
    assert!(metrics.contains("guardhost_fleet_workers 1\n"), "{metrics}");
    if let Some(promtool) = Promtool::installed() {
        promtool.check(&metrics);
    }
    assert!(machines.run(&["fleet", "status"]).expect(0).stdout.contains("alarm unknown-key"));
    // Asked to end, it ends in order.
    kill_process(Pid::from_child(&worker.0), Signal::TERM).unwrap();
    assert!(worker.0.wait().unwrap().success(), "{}", machines.log("w0"));
    machines.run(&["fleet", "retry", id]).expect(2);
}

/// Many ranges go over one connection, and each has a line of its own; one that is wrong stops no other.
#[test]
fn many_ranges_are_submitted_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _running)) = Server::nats(folder.path()) else { return };
    let machines = Machines::new(server.address(), 6);
    let commits = machines.commits(6);
    let _worker = machines.worker("w0", &[]);
    let input = format!("{}\n\nnot-a-commit\n{}\n", commits[0], commits[1..].join("\n"));
    let (keys, queue) = (machines.keys().display().to_string(), machines.address.clone());
    let env = [("GUARDHOST_QUEUE", queue.as_str()), ("GUARDHOST_FLEET_KEYS", keys.as_str())];
    let ran = host_with(machines.repo.path(), &["submit", "--stdin"], input.as_bytes(), &env).expect(0);
    let lines: Vec<serde_json::Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 7, "{}", ran.stdout);
    assert_eq!(lines[1]["range"], "not-a-commit");
    assert!(lines[1]["error"].as_str().unwrap().contains("not-a-commit"), "{}", lines[1]);
    for (at, commit) in commits.iter().enumerate() {
        let line = &lines[if at == 0 { 0 } else { at + 1 }];
        let outcome = if at % 3 == 0 { "rejected" } else { "accepted" };
        assert_eq!((&line["range"], &line["outcome"]), (&commit.as_str().into(), &outcome.into()), "{line}");
    }
    host_with(machines.repo.path(), &["submit", "--stdin"], b"\n", &env).expect(8);
    host_with(machines.repo.path(), &["submit", "--stdin"], b"HEAD\n", &[]).expect(2);
}

/// What was put aside is listed with its cause, and taken in again by it; a clone without history can be submitted.
#[test]
fn what_no_worker_may_take_is_put_aside_and_taken_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _running)) = Server::nats(folder.path()) else { return };
    let machines = Machines::new(server.address(), 3);
    let _misconfigured = machines.misconfigured_worker("w4", &[]);
    let commits = machines.commits(3);
    let dead = machines.run(&["submit", "--range", &commits[0], "--format", "json"]).expect(7).json();
    let reason = dead["reason"].as_str().unwrap();
    assert!(reason.contains("w4: this worker may not fetch from"), "{reason}");
    let status = machines.run(&["fleet", "status", "--format", "json"]).expect(0).json();
    assert_eq!((&status["dead"], &status["newest_dead"][0]["cause"]), (&1.into(), &"no-worker".into()), "{status}");
    let none = machines.run(&["fleet", "retry", "--reason", "crash"]).expect(0).stdout;
    assert_eq!(none, "no such job was put aside\n");
    let _worker = machines.worker("w0", &[]);
    let again = machines.run(&["fleet", "retry", "--reason", "no-worker"]).expect(0).stdout;
    assert!(again.ends_with(" waits again\n") && again.lines().count() == 1, "{again}");
    machines.run(&["submit", "--range", &commits[0]]).expect(1);
    // As CI checks out.
    let shallow = folder.path().join("shallow");
    let from = format!("file://{}", machines.repo.path().display());
    let to = shallow.display().to_string();
    machines.repo.git(&["clone", "-q", "--depth", "1", &from, &to]);
    std::fs::write(shallow.join("conf/more.json"), "{ \"a\": 1 }\n").unwrap();
    machines.repo.git(&["-C", &to, "add", "-A"]);
    let (keys, queue) = (machines.keys().display().to_string(), machines.address.clone());
    let env = [("GUARDHOST_QUEUE", queue.as_str()), ("GUARDHOST_FLEET_KEYS", keys.as_str())];
    let remote = machines.repo.path().display().to_string();
    host_with(&shallow, &["submit", "--staged", "--remote", &remote], b"", &env).expect(0);
}
