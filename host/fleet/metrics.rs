//! The state of a fleet in the text format of Prometheus. The alarm is `guardhost_fleet_oldest_seconds`: a long queue that moves is fine,
//! an old job is not.

use std::fmt::Write;

use crate::alarm::AlarmKind;
use crate::queue::{LaneStatus, Status};

/// Labels are lanes and kinds of alarms: closed sets.
pub fn text(status: &Status) -> String {
    let mut text = String::new();
    let mut lanes = |name: &str, help: &str, value: &dyn Fn(&LaneStatus) -> String| {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge");
        for lane in &status.lanes {
            let _ = writeln!(text, "{name}{{lane=\"{}\"}} {}", lane.lane, value(lane));
        }
    };
    lanes("guardhost_fleet_oldest_seconds", "Age of the oldest job that has no result.", &|lane| {
        format!("{:.3}", lane.oldest.as_secs_f64())
    });
    lanes("guardhost_fleet_waiting_jobs", "Jobs that no worker has.", &|lane| lane.waiting.to_string());
    lanes("guardhost_fleet_leased_jobs", "Jobs that are being judged.", &|lane| lane.leased.to_string());
    let mut one = |name: &str, help: &str, value: u64| {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
    };
    // Where no keys are listed, whoever reaches the queue can say any number.
    let sum = |value: &dyn Fn(&crate::queue::WorkerBeat) -> u64| {
        status.counted().fold(0, |sum: u64, worker| sum.saturating_add(value(&worker.beat)))
    };
    one("guardhost_fleet_dead_jobs", "Jobs that were put aside without a result.", status.dead);
    one("guardhost_fleet_workers", "Workers of the last hour.", status.counted().count() as u64);
    let unbelieved = status.workers.len() - status.counted().count();
    one("guardhost_fleet_unbelieved_workers", "Beats that no listed key signed.", unbelieved as u64);
    one("guardhost_fleet_slots", "Jobs that these workers take at once.", sum(&|beat| beat.slots.into()));
    one("guardhost_fleet_judged_last_minute", "Jobs that these workers judged.", sum(&|beat| beat.last_minute));
    one("guardhost_fleet_own_failures", "Failures of these workers themselves.", sum(&|beat| beat.own_failures));
    one("guardhost_fleet_left_to_others", "Jobs that these workers left to others.", sum(&|beat| beat.left_to_others));
    let stopped = status.counted().filter(|worker| worker.beat.stopped.is_some()).count() as u64;
    one("guardhost_fleet_stopped_workers", "Workers that take no jobs, for reasons of their own.", stopped);
    one("guardhost_fleet_object_bytes", "Bytes of packs and large results.", status.object_bytes);
    one("guardhost_fleet_most_object_bytes", "Bytes of them that there may be.", status.most_object_bytes);
    let name = "guardhost_fleet_alarms";
    let _ = writeln!(text, "# HELP {name} Alarms among the newest ten.\n# TYPE {name} gauge");
    for kind in AlarmKind::ALL {
        let count = status.alarms.iter().filter(|alarm| alarm.kind == kind).count();
        let _ = writeln!(text, "{name}{{kind=\"{}\"}} {count}", kind.as_str());
    }
    text
}
