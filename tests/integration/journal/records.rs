//! The folder of a run: private, whole, masked, and removed in time.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

use guardhost_core::change::Observer;
use guardhost_core::change::Usage;
use guardhost_core::change::{RecordedEnd, RunEnd, RunOutcome};
use guardhost_report::journal::{Actor, Decision, DecisionType, Object, ObjectBody, Run, State, latest};
use guardhost_report::journal::{Artifact, Keep, Records, Secrets, Trace, expired};
use serde_json::Value;

use super::trace::{clock, events};
use crate::integration::report::samples::check::check;

#[test]
fn records_are_private_whole_masked_and_pruned() {
    let state = tempfile::tempdir().unwrap();
    let state = state.path().join("guardhost");
    let secrets = Secrets::new(["sk-key".to_owned()]);
    for run in ["r1", "r2", "r3"] {
        let records = Records::create(&state, run, secrets.clone()).unwrap();
        let (path, file) = records.trace().unwrap();
        let trace = Trace::new(file, run, secrets.clone(), clock());
        // The second is killed in the middle.
        let events = events("sk-key");
        let seen = if run == "r2" { 12 } else { events.len() };
        events.iter().take(seen).for_each(|event| trace.see(event));
        if run == "r2" {
            fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"ts\":\"torn").unwrap();
        }
        let body = Run { task: "Tidy, and never say sk-key".into(), ..Run::default() };
        records.record(&Object::named(run.into(), ObjectBody::Run(body), Actor::host())).unwrap();
        if run != "r2" {
            records.record(&Object::new(ObjectBody::Decision(committed(run)), Actor::host())).unwrap();
        }
        let kept = records.keep(1, Artifact::Reply, b"raw \xff sk-key").unwrap();
        assert!(kept.key.starts_with("sha256:"), "{kept:?}");
        let reply = records.dir().join(&kept.path);
        assert_eq!(fs::read(&reply).unwrap(), b"raw \xff [redacted]");
        let judgement = records.dir().join(records.keep_judgement(1, &check()).unwrap().path);
        assert_eq!(serde_json::from_slice::<Value>(&fs::read(&judgement).unwrap()).unwrap()["verdict"], "reject");
        for (path, mode) in [(records.dir(), 0o700), (reply.parent().unwrap(), 0o700), (&reply, 0o600), (&path, 0o600)]
        {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
        }
        assert_eq!(fs::read_dir(reply.parent().unwrap()).unwrap().count(), 2, "no temporary file stays");
        let age = Duration::from_secs(match run {
            "r1" => 90,
            "r2" => 60,
            _ => 30,
        });
        fs::File::open(&path).unwrap().set_modified(SystemTime::now() - age).unwrap();
    }
    assert!(Records::create(&state, "r1", secrets.clone()).is_err(), "records are not overwritten");
    assert!(Records::create(&state, "../r4", secrets).is_err());

    let past = latest(&state, 10).unwrap();
    let runs: Vec<_> = past.iter().map(|run| (run.run.as_str(), run.state(), run.rounds())).collect();
    assert_eq!(runs, [("r3", State::Ended, 2), ("r2", State::Interrupted, 0), ("r1", State::Ended, 2)]);
    assert_eq!(past[0].run().unwrap().1.task, "Tidy, and never say [redacted]");
    assert_eq!(past[0].end().unwrap().result_commit_sha.as_deref(), Some("cccc"));

    let outside = state.join("outside");
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, state.join("runs/link")).unwrap();
    let keep = |max_runs, seconds| Keep { max_runs, max_age: Duration::from_secs(seconds) };
    let of = |keep| expired(&state, keep, SystemTime::now()).unwrap();
    let ids = |keep| of(keep).iter().map(|run| run.run.clone()).collect::<Vec<_>>();
    assert_eq!(ids(keep(2, 3600)), ["r1"]);
    of(keep(2, 3600))[0].remove().unwrap();
    of(keep(2, 3600)).iter().for_each(|run| run.remove().unwrap());
    assert_eq!(ids(keep(0, 0)), ["r2"], "the newest stays");
    // What a branch has is looked at again after a day.
    of(keep(0, 0))[0].pin();
    assert_eq!(ids(keep(0, 0)), [""; 0]);
    let tomorrow = SystemTime::now() + Duration::from_secs(25 * 60 * 60);
    let later = expired(&state, keep(0, 0), tomorrow).unwrap();
    assert_eq!(later[0].run, "r2");
    later[0].remove().unwrap();
    assert_eq!(latest(&state, 10).unwrap()[0].run, "r3");
    assert!(outside.exists() && state.join("runs/link").is_symlink());
    assert_eq!(expired(&state.join("none"), Keep::default(), SystemTime::now()).unwrap(), []);
}

fn committed(run: &str) -> Decision {
    Decision {
        run_id: run.into(),
        round: 2,
        decision_type: DecisionType::Commit,
        patchset_id: None,
        rationale: None,
        outcome: Some(RecordedEnd::Known(RunEnd::Result(RunOutcome::Committed))),
        result_commit_sha: Some("cccc".into()),
        micros: 1,
        spent: Usage::default(),
        receipt: None,
        pull_request: None,
        artifacts: Vec::new(),
    }
}
