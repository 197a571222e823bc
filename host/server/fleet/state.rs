//! `host fleet status`, `host fleet retry` and `host fleet key`.

use std::time::Duration;

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_fleet::metrics;
use guardhost_fleet::queue::{DeadJob, Status};
use guardhost_report::{FleetAlarm, FleetDead, FleetLane, FleetReport, FleetWorker, Report};

use super::Shown;
use super::connection::{check_shared, failed, job_id, open, own_key, runtime};
use crate::cli::{FleetCommand, FleetRetryArgs};
use host::command::CommandContext;

/// Jobs that are taken in again by one command: as many as may wait.
const MOST_DEAD: usize = 100_000;

pub fn fleet(command: &FleetCommand, ctx: &CommandContext) -> Result<Shown> {
    match command {
        FleetCommand::Status(args) => runtime(1)?.block_on(async {
            check_shared(&args.queue, "there is no fleet to show")?;
            let queue = open(&args.queue, ctx).await?;
            let status = queue.status().await.map_err(failed)?;
            Ok(match args.metrics {
                true => Shown::Text(metrics::text(&status).into_bytes()),
                false => Shown::Report(Box::new(Report::Fleet(Box::new(report(status))))),
            })
        }),
        FleetCommand::Retry(args) => runtime(1)?.block_on(retry(args, ctx)),
        FleetCommand::Key(args) => {
            let key = own_key(args.worker_key.as_deref(), args.worker_name.as_deref(), ctx)?;
            Ok(Shown::Text(format!("{} {}\n", key.name(), key.public()).into_bytes()))
        }
    }
}

/// Takes one job in again, or all of which a word is in the reason.
async fn retry(args: &FleetRetryArgs, ctx: &CommandContext<'_>) -> Result<Shown> {
    check_shared(&args.queue, "there are no jobs to take in again")?;
    let queue = open(&args.queue, ctx).await?;
    if let Some(job) = &args.job {
        let id = job_id(job)?;
        return match queue.retry(&id, None).await.map_err(failed)? {
            true => Ok(Shown::Text(format!("job {id} waits again\n").into_bytes())),
            false => {
                let fault = Fault::new(FaultKind::Usage, format!("no job {id} was put aside"));
                Err(fault.hint("`host fleet status` lists those that were").into())
            }
        };
    }
    let is_meant = |dead: &DeadJob| match &args.reason {
        Some(reason) => dead.cause.as_str() == reason || dead.reason.contains(reason.as_str()),
        None => true,
    };
    let mut text = String::new();
    for dead in queue.all_dead(MOST_DEAD).await.map_err(failed)?.into_iter().filter(is_meant) {
        let id = dead.job.id();
        if queue.retry(&id, None).await.map_err(failed)? {
            text.push_str(&format!("job {id} waits again\n"));
        }
    }
    match text.is_empty() {
        true => Ok(Shown::Text(b"no such job was put aside\n".to_vec())),
        false => Ok(Shown::Text(text.into_bytes())),
    }
}

/// What a queue says, for people.
pub fn report(status: Status) -> FleetReport {
    let lanes = status.lanes.iter().map(|lane| FleetLane {
        lane: lane.lane.as_str(),
        waiting: lane.waiting,
        leased: lane.leased,
        oldest_millis: millis(lane.oldest),
    });
    let workers = status.workers.into_iter().map(|worker| FleetWorker {
        name: worker.beat.name,
        key: worker.beat.key.to_string(),
        version: worker.beat.version,
        slots: worker.beat.slots,
        busy: worker.beat.busy,
        judged: worker.beat.judged,
        last_minute: worker.beat.last_minute,
        is_draining: worker.beat.is_draining,
        stopped: worker.beat.stopped,
        own_failures: worker.beat.own_failures,
        left_to_others: worker.beat.left_to_others,
        last_heard_millis: millis(worker.last_heard),
        is_unbelieved: !worker.standing.counts(),
    });
    let dead = status.newest_dead.into_iter().map(|dead| FleetDead {
        job: dead.job.id().to_string(),
        reason: dead.reason,
        cause: dead.cause.as_str(),
        attempts: dead.attempts,
        at: dead.at,
    });
    let alarms = status.alarms.into_iter().map(|alarm| FleetAlarm {
        kind: alarm.kind.as_str(),
        job: alarm.job.to_string(),
        workers: alarm.workers,
        detail: alarm.detail,
        at: alarm.at,
    });
    FleetReport {
        lanes: lanes.collect(),
        workers: workers.collect(),
        dead: status.dead,
        object_bytes: status.object_bytes,
        most_object_bytes: status.most_object_bytes,
        newest_dead: dead.collect(),
        alarms: alarms.collect(),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
