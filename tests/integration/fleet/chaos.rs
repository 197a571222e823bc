//! Workers and servers that are killed at any moment: every job has exactly one result, and it is that of `host check`.
//!
//! `GUARDHOST_TEST_FLEET_JOBS=5000` makes it the full measurement: a worker every 2 s and the server every 10 s.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use guardhost_fleet::job::{Change, Job, JobId, JobTask};
use guardhost_fleet::queue::{Ended, Submitted};
use guardhost_fleet::result::SignedResult;

use super::machines::{Machines, Server};
use crate::support::servers::Running;

const JOBS: usize = 300;
const WORKERS: usize = 3;
const LONG: Duration = Duration::from_secs(600);
/// Between two ends of a worker, and of the server.
const WORKER_ENDS: Duration = Duration::from_secs(2);
const SERVER_ENDS: Duration = Duration::from_secs(10);

#[test]
fn no_job_is_lost_on_nats() {
    let folder = tempfile::tempdir().unwrap();
    if let Some((server, running)) = Server::nats(folder.path()) {
        survives(&server, running);
    }
}

#[test]
fn no_job_is_lost_on_postgresql() {
    let folder = tempfile::tempdir().unwrap();
    if let Some((server, running)) = Server::postgres(folder.path()) {
        survives(&server, running);
    }
}

/// Beyond so many, the same changes come with other tasks, which makes them other jobs.
const CHANGES: usize = 300;

/// One job: a commit, and its task.
struct Wanted {
    at: usize,
    commit: String,
    task: Option<String>,
}

fn wanted(machines: &Machines, jobs: usize) -> Vec<Wanted> {
    let commits = machines.commits(jobs.min(CHANGES));
    let job = |number: usize| {
        let at = number % commits.len();
        let round = number / commits.len();
        Wanted {
            at,
            commit: commits[at].clone(),
            task: (round > 0).then(|| format!("Write the file in round {round}")),
        }
    };
    (0..jobs).map(job).collect()
}

fn survives(server: &Server, running: Running) {
    let jobs = std::env::var("GUARDHOST_TEST_FLEET_JOBS").ok().and_then(|text| text.parse().ok()).unwrap_or(JOBS);
    let machines = Machines::new(server.address(), jobs.min(CHANGES));
    let wanted = wanted(&machines, jobs);
    let done = AtomicBool::new(false);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let begun = Instant::now();
    let (results, kills, _running) = std::thread::scope(|scope| {
        let killing = scope.spawn(|| kill(server, running, &machines, &done));
        let results = runtime.block_on(submit_and_wait(&machines, &wanted));
        let took = begun.elapsed();
        done.store(true, Ordering::Relaxed);
        let (kills, running) = killing.join().expect("killed");
        println!("{jobs} jobs in {:.1} s; killed {} workers and {} servers", took.as_secs_f64(), kills.0, kills.1);
        (results, kills, running)
    });
    assert!(kills.0 > 0, "no worker was killed: the test showed nothing");
    for (number, (job, result)) in wanted.iter().zip(&results).enumerate() {
        let at = job.at;
        // All changes are alike: a sample is compared with the command itself.
        if number % (jobs / 30).max(1) == 0 {
            assert_eq!(result.report, machines.local_with(&job.commit, job.task.as_deref()), "job {number}");
        }
        let verdict = if at % 3 == 0 { "reject" } else { "pass" };
        assert!(result.report.starts_with(&format!("{{\"verdict\":\"{verdict}\"")), "job {number}: {}", result.report);
    }
    let used: BTreeSet<&String> = results.iter().map(|result| &result.worker).collect();
    assert!(used.len() > 1, "one worker did everything: {used:?}");
    assert!(!used.iter().any(|worker| ["w4", "w5"].contains(&worker.as_str())), "{used:?}");
    let (status, alarms) = runtime.block_on(async {
        let queue = machines.queue().await;
        (queue.status().await.unwrap(), queue.alarms(10).await.unwrap())
    });
    assert_eq!((status.dead, alarms), (0, vec![]));
    let ids: BTreeSet<&JobId> = results.iter().map(|result| &result.job).collect();
    assert_eq!(ids.len(), jobs, "each job has a result of its own");
}

/// The result of each job, of a known worker.
async fn submit_and_wait(machines: &Machines, wanted: &[Wanted]) -> Vec<SignedResult> {
    let queue = machines.queue().await;
    let known = machines.known();
    let mut changes: Vec<Job> = Vec::new();
    let mut ids: Vec<JobId> = Vec::new();
    for Wanted { at, commit, task } in wanted {
        if *at >= changes.len() {
            changes.push(machines.job(commit, &*queue).await);
        }
        let job = &changes[*at];
        let task = task.clone().map(|text| JobTask { text, hints: Vec::new() });
        let job = Job::new(job.class, Change { task, ..job.change.clone() }, job.transport.clone()).unwrap();
        match queue.submit(&job).await.unwrap() {
            Submitted::Accepted | Submitted::Waiting | Submitted::Judged(_) => ids.push(job.id()),
            Submitted::Dead(dead) => panic!("{dead:?}"),
        }
    }
    let mut results = Vec::new();
    for id in ids {
        let ended = queue.wait(&id, LONG).await.unwrap().unwrap_or_else(|| panic!("job {id} was lost"));
        let Ended::Judged(result) = ended else { panic!("{ended:?}") };
        assert!(result.signer(&id, &known).is_some(), "{result:?}");
        results.push(*result);
    }
    results
}

/// Ends workers in turn, and the server, and starts them again, until all is done. How often each was ended, and the server that runs.
fn kill(server: &Server, running: Running, machines: &Machines, done: &AtomicBool) -> ((u32, u32), Option<Running>) {
    let name = |at: usize| format!("w{at}");
    // Each fails every job at once, so that each is always free; neither may take one from the others.
    let _misconfigured = machines.misconfigured_worker("w4", &["--jobs", "2"]);
    let _full = machines.full_worker("w5", &["--jobs", "2"]);
    let mut workers: Vec<_> = (0..WORKERS).map(|at| machines.worker(&name(at), &["--jobs", "2"])).collect();
    let mut running = Some(running);
    let (mut killed, mut last_server) = ((0, 0), Instant::now());
    while !done.load(Ordering::Relaxed) {
        let end = Instant::now() + WORKER_ENDS;
        while Instant::now() < end && !done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        let at = killed.0 as usize % WORKERS;
        workers.remove(at);
        workers.insert(at, machines.worker(&name(at), &["--jobs", "2"]));
        killed.0 += 1;
        if last_server.elapsed() >= SERVER_ENDS && !done.load(Ordering::Relaxed) {
            drop(running.take());
            running = Some(server.again());
            killed.1 += 1;
            last_server = Instant::now();
        }
    }
    (killed, running)
}
