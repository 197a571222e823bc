//! Jobs, and the state of a fleet.

use guardhost_report::{FleetAlarm, FleetDead, FleetLane, FleetReport, FleetWorker, SubmitOutcome, SubmitReport, json};

fn id() -> String {
    "8c2cd4b7".repeat(8)
}

pub fn rejected() -> SubmitReport {
    SubmitReport {
        job: id(),
        class: "fast",
        outcome: SubmitOutcome::Rejected,
        check: Some(json::exact(&super::check::check()).unwrap()),
        worker: Some(format!("builder-1 ({})", "ab".repeat(32))),
        reason: None,
        notices: vec!["the worker says something".to_owned()],
        range: None,
    }
}

pub fn dead() -> SubmitReport {
    SubmitReport {
        outcome: SubmitOutcome::Dead,
        check: None,
        worker: None,
        reason: Some("handed out 5 times, and no worker answered".to_owned()),
        ..rejected()
    }
}

pub fn fleet() -> FleetReport {
    let lane = |lane, waiting, leased, oldest_millis| FleetLane { lane, waiting, leased, oldest_millis };
    FleetReport {
        lanes: vec![lane("fast", 12, 4, 1840), lane("heavy", 1, 0, 75_000), lane("audit", 0, 0, 0)],
        workers: vec![FleetWorker {
            name: "builder-1".to_owned(),
            key: "ab".repeat(32),
            version: "0.1.0".to_owned(),
            slots: 4,
            busy: 4,
            judged: 9120,
            last_minute: 310,
            is_draining: false,
            stopped: None,
            own_failures: 0,
            left_to_others: 0,
            last_heard_millis: 2100,
            is_unbelieved: false,
        }],
        dead: 1,
        object_bytes: 0,
        most_object_bytes: 256 << 20,
        newest_dead: vec![FleetDead {
            job: id(),
            cause: "job",
            reason: "the base is nowhere".to_owned(),
            attempts: 1,
            at: "2026-11-23T07:00:00Z".to_owned(),
        }],
        alarms: vec![FleetAlarm {
            kind: "nondeterminism",
            job: id(),
            workers: vec!["builder-1 (ab)".to_owned(), "builder-2 (cd)".to_owned()],
            detail: "they part at byte 12".to_owned(),
            at: "2026-11-23T07:00:00Z".to_owned(),
        }],
    }
}

/// No worker, no job.
pub fn idle() -> FleetReport {
    FleetReport::default()
}
