//! What a fleet says of a change, and of itself.

use super::notes::notices;
use super::table::{self, cell};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::{FleetReport, SubmitOutcome, SubmitReport, escape};

pub fn submit(page: &mut PageWriter, report: &SubmitReport) {
    let (style, sign, said) = match report.outcome {
        SubmitOutcome::Accepted => (GREEN, page.sign("✓", "ok:"), "accepted"),
        SubmitOutcome::Rejected => (RED, page.sign("✗", "rejected:"), "rejected"),
        SubmitOutcome::Failed => (RED, page.sign("✗", "failed:"), "a guard failed"),
        SubmitOutcome::Refused => (RED, page.sign("✗", "refused:"), "refused, and not judged"),
        SubmitOutcome::Waiting => (YELLOW, page.sign("-", "-"), "no worker has judged it yet"),
        SubmitOutcome::Dead => (RED, page.sign("✗", "failed:"), "no worker could judge it"),
        SubmitOutcome::Unbelieved => (RED, page.sign("✗", "failed:"), "its result has no signature of a known key"),
    };
    let job = &report.job;
    page.line(&format!("{}: {said}", page.paint(style, &format!("{sign} job {job}"))));
    let guards = report.check.iter().filter_map(|check| check["guards"].as_array()).flatten();
    for guard in guards {
        let id = guard["id"].as_str().unwrap_or_default();
        for finding in guard["findings"].as_array().into_iter().flatten() {
            let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
            let place = match finding["line"].as_u64() {
                Some(line) => format!("{}:{line}", text("path")),
                None => text("path"),
            };
            let line = format!("{place} {}: {}", text("severity"), text("message"));
            page.line(&format!("  {}  {}", page.paint(BOLD, &escape::inline(id, 40)), escape::inline(&line, 400)));
        }
    }
    if let Some(worker) = &report.worker {
        page.field("worker", &escape::inline(worker, 200));
    }
    if let Some(reason) = &report.reason {
        page.field("reason", &escape::inline(reason, 400));
    }
    notices(page, &report.notices);
}

pub fn fleet(page: &mut PageWriter, report: &FleetReport) {
    let lanes = report.lanes.iter().map(|lane| {
        let style = if lane.oldest_millis > OLD { RED } else { PLAIN };
        vec![
            cell(BOLD, lane.lane.to_owned()),
            cell(style, format!("oldest {}", seconds(lane.oldest_millis))),
            cell(PLAIN, format!("{} waiting", lane.waiting)),
            cell(PLAIN, format!("{} being judged", lane.leased)),
        ]
    });
    table::table(page, &lanes.collect::<Vec<_>>());
    let workers = report.workers.iter().map(|worker| {
        let state = match (worker.is_unbelieved, worker.is_draining, &worker.stopped) {
            (true, ..) => "not believed",
            (false, true, _) => "ends",
            (false, false, Some(_)) => "takes nothing",
            (false, false, None) => "works",
        };
        vec![
            cell(BOLD, escape::inline(&worker.name, 64)),
            cell(PLAIN, format!("{} of {} busy", worker.busy, worker.slots)),
            cell(PLAIN, format!("{} in the last minute, {} in all", worker.last_minute, worker.judged)),
            cell(PLAIN, format!("{state}, seen {} ago", seconds(worker.last_heard_millis))),
            cell(DIM, escape::inline(&worker.version, 40)),
        ]
    });
    let workers: Vec<_> = workers.collect();
    match workers.is_empty() {
        true => page.line("no worker sent a heartbeat in the last hour"),
        false => table::table(page, &workers),
    }
    for worker in report.workers.iter().filter(|worker| !worker.is_unbelieved) {
        if let Some(why) = &worker.stopped {
            let text = format!("worker {} takes no jobs: {why}", worker.name);
            page.line(&page.paint(RED, &escape::inline(&text, 400)));
        }
    }
    if report.object_bytes > report.most_object_bytes / 5 * 4 {
        let (used, most) = (report.object_bytes >> 20, report.most_object_bytes >> 20);
        page.line(&page.paint(YELLOW, &format!("packs and large results use {used} of {most} MiB")));
    }
    if report.dead > 0 {
        let jobs = if report.dead == 1 { "1 job was".to_owned() } else { format!("{} jobs were", report.dead) };
        page.line(&page.paint(RED, &format!("{jobs} put aside")));
    }
    for dead in &report.newest_dead {
        let reason = format!("{}: {}", dead.cause, dead.reason);
        page.line(&format!("  {}  {}", escape::inline(&dead.job, 64), escape::inline(&reason, 300)));
    }
    for alarm in &report.alarms {
        let who = alarm.workers.join(" and ");
        let text = format!("job {}, {who}: {}", alarm.job, alarm.detail);
        page.line(&page.paint(RED, &format!("alarm {}", alarm.kind)));
        page.line(&format!("  {}  {}", escape::inline(&alarm.at, 40), escape::inline(&text, 600)));
    }
}

/// Milliseconds: a fast job waits for seconds at most where there are enough workers.
const OLD: u64 = 60_000;

fn seconds(millis: u64) -> String {
    format!("{}.{} s", millis / 1000, millis % 1000 / 100)
}
