//! `host worker`: judges jobs until it is told to end.

use std::sync::Arc;
use std::time::Duration;

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_fleet::objects::Mirrors;
use guardhost_fleet::shared_verdicts::SignedVerdicts;
use guardhost_fleet::worker::{Unheard, Worker};
use guardhost_provider::Cancel;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinError;

use super::connection::{check_shared, data_folder, listed_keys, open_believing, own_key, remotes, runtime, settings};
use crate::cli::WorkerArgs;
use crate::judging::{Bench, FleetVerdicts, HostJudge, Repositories};
use host::command::CommandContext;

/// How soon a request to end is seen.
const LOOK: Duration = Duration::from_millis(50);

/// Ends when the process is asked to stop, after the jobs that it has; the rest of them comes back to other workers.
pub fn worker(args: &WorkerArgs, ctx: &CommandContext, cancel: &Cancel) -> Result<()> {
    check_shared(&args.queue, "there is nowhere to take jobs from")?;
    let threads = ctx.process.threads.max(2);
    let runtime = runtime(threads)?;
    let done = runtime.block_on(work(args, ctx, cancel));
    // Guards that still run end with the process; their jobs come back.
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

async fn work(args: &WorkerArgs, ctx: &CommandContext<'_>, cancel: &Cancel) -> Result<()> {
    let key = Arc::new(own_key(args.worker_key.as_deref(), args.worker_name.as_deref(), ctx)?);
    let listed = listed_keys(&args.queue, ctx)?.map(|keys| keys.with(&key));
    let known = listed.clone().unwrap_or_default().with(&key);
    let queue = open_believing(&args.queue, listed.clone(), ctx).await?;
    let shared = SignedVerdicts {
        queue: Arc::clone(&queue),
        key: Arc::clone(&key),
        known: known.clone(),
        runtime: Handle::current(),
        verified: Default::default(),
    };
    let shared = match ctx.global.fresh {
        true => None,
        false => Some(FleetVerdicts::new(shared, &ctx.process.exe, ctx.embedded, args.doubted)?),
    };
    let mirrors = match &args.mirrors {
        Some(folder) => ctx.path(folder),
        None => data_folder(ctx)?.join("mirrors"),
    };
    let remotes = remotes(&args.allow_remote)?;
    let judge = HostJudge::new(Bench {
        // Several jobs at once, each on one thread.
        process: ProcessEnv { threads: 1, ..ctx.process.clone() },
        embedded: ctx.embedded,
        offline: ctx.is_offline(),
        repositories: Repositories::Mirrors(Mirrors::new(mirrors, remotes, ctx.process.env.clone())),
        queue: Arc::clone(&queue),
        shared,
        policies: Default::default(),
        traces: ctx.traces.cloned(),
    });
    let threads = u32::try_from(ctx.process.threads).unwrap_or(1);
    let worker = Arc::new(Worker {
        queue,
        judge: Arc::new(judge),
        key: Arc::clone(&key),
        known,
        settings: settings(&args.queue, listed)?,
        fast: args.jobs.unwrap_or(threads),
        heavy: args.heavy_jobs,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        state: Default::default(),
        breaker: Default::default(),
        spent: Default::default(),
    });
    ctx.see(&Event::Notice { text: format!("worker {} works; its key is {}", key.name(), key.public()) });
    let (end, ends) = watch::channel(false);
    let mut working = tokio::spawn(worker.run(ends));
    while !cancel.is_cancelled() && !working.is_finished() {
        tokio::time::sleep(LOOK).await;
    }
    if working.is_finished() {
        return ended(working.await);
    }
    end.send_replace(true);
    ctx.see(&Event::Notice { text: "the worker takes no more jobs, and ends after those that it has".to_owned() });
    let drained = tokio::time::timeout(Duration::from_secs(args.drain), &mut working).await;
    if drained.is_err() {
        working.abort();
        ctx.see(&Event::Notice { text: "jobs that were not done go to other workers".to_owned() });
    }
    Ok(())
}

/// Before it was asked to: nobody heard it any more, or it panicked.
fn ended(done: std::result::Result<std::result::Result<(), Unheard>, JoinError>) -> Result<()> {
    let why = match done {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(unheard)) => unheard.to_string(),
        Err(error) => error.to_string(),
    };
    let hint = "let the service manager start it again, as `Restart=always` of systemd does; does the queue answer?";
    Err(Fault::new(FaultKind::Git, why).hint(hint).code("queue").into())
}
