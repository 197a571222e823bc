//! What a fleet says of a change, and of itself.

use serde_json::{Value, json};

use crate::{FleetAlarm, FleetDead, FleetLane, FleetReport, FleetWorker, SubmitReport};

pub fn submit(report: &SubmitReport) -> Value {
    json!({
        "job": report.job,
        "class": report.class,
        "outcome": report.outcome.word(),
        "check": report.check,
        "worker": report.worker,
        "reason": report.reason,
        "notices": report.notices,
    })
}

pub fn fleet(report: &FleetReport) -> Value {
    json!({
        "lanes": report.lanes.iter().map(lane).collect::<Vec<_>>(),
        "workers": report.workers.iter().map(worker).collect::<Vec<_>>(),
        "dead": report.dead,
        "newest_dead": report.newest_dead.iter().map(dead).collect::<Vec<_>>(),
        "alarms": report.alarms.iter().map(alarm).collect::<Vec<_>>(),
    })
}

fn lane(lane: &FleetLane) -> Value {
    json!({ "lane": lane.lane, "waiting": lane.waiting, "leased": lane.leased, "oldest_millis": lane.oldest_millis })
}

fn worker(worker: &FleetWorker) -> Value {
    json!({
        "name": worker.name,
        "key": worker.key,
        "version": worker.version,
        "slots": worker.slots,
        "busy": worker.busy,
        "judged": worker.judged,
        "last_minute": worker.last_minute,
        "draining": worker.is_draining,
        "last_heard_millis": worker.last_heard_millis,
    })
}

fn dead(dead: &FleetDead) -> Value {
    json!({ "job": dead.job, "reason": dead.reason, "attempts": dead.attempts, "at": dead.at })
}

fn alarm(alarm: &FleetAlarm) -> Value {
    let FleetAlarm { kind, job, workers, detail, at } = alarm;
    json!({ "kind": kind, "job": job, "workers": workers, "detail": detail, "at": at })
}
