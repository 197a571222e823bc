//! `host fleet status`, `host fleet retry` and `host fleet key`.

use std::time::Duration;

use guardhost_core::error::{Fault, Kind, Result};
use guardhost_fleet::metrics;
use guardhost_fleet::queue::Status;
use guardhost_report::{FleetAlarm, FleetDead, FleetLane, FleetReport, FleetWorker, Report};

use super::Shown;
use super::connection::{failed, job_id, open, own_key, runtime};
use crate::cli::FleetCommand;
use host::command::CommandContext;

pub fn fleet(command: &FleetCommand, ctx: &CommandContext) -> Result<Shown> {
    match command {
        FleetCommand::Status(args) => runtime(1)?.block_on(async {
            let queue = open(&args.queue, ctx).await?;
            let status = queue.status().await.map_err(failed)?;
            Ok(match args.metrics {
                true => Shown::Text(metrics::text(&status).into_bytes()),
                false => Shown::Report(Box::new(Report::Fleet(Box::new(report(status))))),
            })
        }),
        FleetCommand::Retry(args) => runtime(1)?.block_on(async {
            let queue = open(&args.queue, ctx).await?;
            let id = job_id(&args.job)?;
            match queue.retry(&id).await.map_err(failed)? {
                true => Ok(Shown::Text(format!("job {id} waits again\n").into_bytes())),
                false => {
                    let fault = Fault::new(Kind::Usage, format!("no job {id} was put aside"));
                    Err(fault.hint("`host fleet status` lists those that were").into())
                }
            }
        }),
        FleetCommand::Key(args) => {
            let key = own_key(args.worker_key.as_deref(), args.worker_name.as_deref(), ctx)?;
            Ok(Shown::Text(format!("{} {}\n", key.name(), key.public()).into_bytes()))
        }
    }
}

/// What a queue says, for people.
pub fn report(status: Status) -> FleetReport {
    let lanes = status.lanes.iter().map(|lane| FleetLane {
        lane: lane.lane.word(),
        waiting: lane.waiting,
        leased: lane.leased,
        oldest_millis: millis(lane.oldest),
    });
    let workers = status.workers.into_iter().map(|worker| FleetWorker {
        name: worker.beat.name,
        key: worker.beat.key,
        version: worker.beat.version,
        slots: worker.beat.slots,
        busy: worker.beat.busy,
        judged: worker.beat.judged,
        last_minute: worker.beat.last_minute,
        is_draining: worker.beat.is_draining,
        last_heard_millis: millis(worker.last_heard),
    });
    let dead = status.newest_dead.into_iter().map(|dead| FleetDead {
        job: dead.job.id().to_string(),
        reason: dead.reason,
        attempts: dead.attempts,
        at: dead.at,
    });
    let alarms = status.alarms.into_iter().map(|alarm| FleetAlarm {
        kind: alarm.kind.word(),
        job: alarm.job.to_string(),
        workers: alarm.workers,
        detail: alarm.detail,
        at: alarm.at,
    });
    FleetReport {
        lanes: lanes.collect(),
        workers: workers.collect(),
        dead: status.dead,
        newest_dead: dead.collect(),
        alarms: alarms.collect(),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
