//! The page about a fleet: the age of the queue, workers, rates, jobs that were put aside and why, alarms.
//!
//! Reasons, names and details come from workers and from the repositories that they judge: text of strangers.

use guardhost_report::{FleetLane, FleetReport, FleetWorker};
use maud::{Markup, html};

use super::text::{Tone, chip, count, inline, left_out, micros, short, time};

/// Rows of the table of workers.
const WORKERS: usize = 500;
/// Milliseconds: a fast job waits for seconds at most where there are enough workers.
const OLD: u64 = 60_000;
/// Milliseconds: a worker says every 3 s that it is there.
const SILENT: u64 = 15_000;
/// Characters of a reason.
const REASON: usize = 600;

pub fn fleet(fleet: Result<&FleetReport, &str>) -> Markup {
    html! {
        h1 { "Fleet" }
        @match fleet {
            Err(why) => p.empty { "The queue does not answer: " (inline(why, REASON)) },
            Ok(report) => {
                p.lead { "What waits for workers, and what they do. The age of the oldest job shows whether there are enough of them." }
                (facts(report))
                (lanes(&report.lanes))
                (workers(&report.workers))
                (dead(report))
                (alarms(report))
            },
        }
    }
}

fn facts(report: &FleetReport) -> Markup {
    let sum = |value: &dyn Fn(&FleetWorker) -> u64| {
        report.workers.iter().filter(|worker| !worker.is_unbelieved).map(value).fold(0, u64::saturating_add)
    };
    let oldest = report.lanes.iter().map(|lane| lane.oldest_millis).max().unwrap_or_default();
    html! {
        dl.facts.large {
            div { dt title="Of all lanes" { "Oldest job" } dd id="oldest" { (age(oldest)) } }
            div { dt { "Waiting" } dd { (report.lanes.iter().map(|lane| lane.waiting).sum::<u64>()) } }
            div { dt { "Judged in the last minute" } dd id="rate" { (sum(&|worker| worker.last_minute)) } }
            div { dt title="Jobs that are judged, of those that workers take at once" { "Slots in use" }
                dd { (sum(&|worker| worker.busy.into())) " of " (sum(&|worker| worker.slots.into())) } }
            div { dt { "Put aside" } dd id="dead" { (report.dead) } }
        }
    }
}

fn lanes(lanes: &[FleetLane]) -> Markup {
    html! {
        h2 { "Lanes" }
        div.scroll { table.data {
            thead { tr { th { "Lane" } th {} th.num { "Oldest" } th.num { "Waiting" } th.num { "Being judged" } } }
            tbody { @for lane in lanes { tr id={ "lane-" (lane.lane) } {
                td { (lane.lane) }
                td { @match (lane.oldest_millis, lane.waiting + lane.leased) {
                    (_, 0) => (chip(Tone::Quiet, "empty")),
                    (OLD.., _) => (chip(Tone::Fault, "late")),
                    _ => (chip(Tone::Good, "moving")),
                } }
                td.num { (age(lane.oldest_millis)) }
                td.num { (lane.waiting) }
                td.num { (lane.leased) }
            } } }
        } }
    }
}

fn workers(workers: &[FleetWorker]) -> Markup {
    html! {
        h2 { "Workers" }
        @if workers.is_empty() {
            p.empty { "No worker sent a heartbeat in the last hour. " code { "host worker" } " starts one." }
        } @else {
            div.scroll { table.data {
                thead { tr { th { "Worker" } th {} th.num { "Busy" } th.num { "Last minute" } th.num { "Since its start" } th.num { "Heard of" } th { "Key" } th { "Version" } } }
                tbody { @for worker in workers.iter().take(WORKERS) { tr {
                    td { (inline(&worker.name, 64)) }
                    td { @match (worker.is_unbelieved, worker.last_heard_millis, worker.is_draining, &worker.stopped) {
                        (true, ..) => span title="No key of --fleet-keys signed this: anyone may have written it." { (chip(Tone::Fault, "not believed")) },
                        (false, SILENT.., _, _) => (chip(Tone::Fault, "silent")),
                        (false, _, true, _) => (chip(Tone::Quiet, "ends")),
                        (false, _, false, Some(why)) => span title=(inline(why, REASON)) { (chip(Tone::Fault, "takes nothing")) },
                        (false, _, false, None) => (chip(Tone::Good, "works")),
                    } }
                    td.num { (worker.busy) " of " (worker.slots) }
                    td.num { (worker.last_minute) }
                    td.num { (worker.judged) }
                    td.num { (age(worker.last_heard_millis)) " ago" }
                    td { code title=(worker.key.chars().take(64).collect::<String>()) { (short(&worker.key, 12)) } }
                    td { (inline(&worker.version, 40)) }
                } } }
            } }
            (left_out(workers.len().saturating_sub(WORKERS), "worker", "workers"))
        }
    }
}

fn dead(report: &FleetReport) -> Markup {
    html! {
        h2 { "Jobs that were put aside" }
        @if report.dead == 0 { p.empty { "None." } } @else {
            p.quiet { (count(usize::try_from(report.dead).unwrap_or(usize::MAX), "job has", "jobs have")) " no result; the newest are shown. " code { "host fleet retry ID" } " takes one in again, " code { "--all" } " and " code { "--reason TEXT" } " take many." }
            div.scroll { table.data {
                thead { tr { th { "Job" } th { "Why" } th.num { "Handed out" } th { "When" } } }
                tbody { @for job in &report.newest_dead { tr {
                    td { code title=(job.job.chars().take(64).collect::<String>()) { (short(&job.job, 12)) } }
                    td.words { (job.cause) ": " (inline(&job.reason, REASON)) }
                    td.num { (job.attempts) }
                    td { (time(&job.at)) }
                } } }
            } }
        }
    }
}

fn alarms(report: &FleetReport) -> Markup {
    html! {
        h2 { "Alarms" }
        @if report.alarms.is_empty() { p.empty { "None." } } @else {
            div.scroll { table.data {
                thead { tr { th {} th { "Job" } th { "Who" } th { "What" } th { "When" } } }
                tbody { @for alarm in &report.alarms { tr {
                    td { (chip(Tone::Bad, alarm.kind)) }
                    td { code { (short(&alarm.job, 12)) } }
                    td.words { (inline(&alarm.workers.join(" and "), 300)) }
                    td.words { (inline(&alarm.detail, REASON)) }
                    td { (time(&alarm.at)) }
                } } }
            } }
        }
    }
}

fn age(millis: u64) -> String {
    match millis {
        0 => "–".to_owned(),
        millis => micros(millis.saturating_mul(1_000)),
    }
}
