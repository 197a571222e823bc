//! What a fleet of real workers does in a second, and what it adds to a judgement. Figures are printed, and nothing is asserted of them.
//!
//! `GUARDHOST_TEST_FLEET_RATES=1000` measures so many jobs.

use std::ops::Range;
use std::time::{Duration, Instant};

use guardhost_fleet::queue::{Address, Ended, Queue};
use guardhost_fleet::settings::FleetSettings;

use super::machines::{Machines, Server};

const JOBS: usize = 12;
const LONG: Duration = Duration::from_secs(600);

#[test]
fn verdicts_are_shared_and_jobs_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _running)) = Server::nats(folder.path()) else { return };
    let jobs = std::env::var("GUARDHOST_TEST_FLEET_RATES").ok().and_then(|text| text.parse().ok()).unwrap_or(JOBS);
    let machines = Machines::new(server.address(), jobs);
    let first = machines.commits(jobs);
    // The same changes on another base.
    machines.repo.git(&["checkout", "-q", "-b", "rebased", &format!("HEAD~{jobs}")]);
    machines.repo.write("other/unrelated.txt", "something else\n");
    machines.repo.commit("unrelated");
    machines.repo.git(&["cherry-pick", &format!("main~{jobs}..main")]);
    let rebased = machines.commits(jobs);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (fresh, _) = runtime.block_on(measure(&machines, "calls", 0..3, &first, &["--fresh"]));
    let (cold, _) = runtime.block_on(measure(&machines, "shares", 0..3, &first, &["--doubted", "0"]));
    // Others: one that judges again takes its own verdicts from its own disk.
    let (warm, taken) = runtime.block_on(measure(&machines, "shares", 3..6, &rebased, &["--doubted", "0"]));
    println!(
        "{jobs} jobs, 3 workers: {fresh:.1} a second with calls, {cold:.1} while verdicts are kept, {warm:.1} with them"
    );
    assert!(taken > 0, "no verdict of another worker was taken");
    runtime.block_on(overhead(&machines, &rebased));
}

/// Jobs a second of three workers that find all jobs waiting; and how many results took verdicts of another worker.
async fn measure(
    machines: &Machines,
    fleet: &str,
    workers: Range<usize>,
    commits: &[String],
    more: &[&str],
) -> (f64, usize) {
    let queue = queue(machines, fleet).await;
    let mut ids = Vec::new();
    for commit in commits {
        let job = machines.job(commit, &*queue).await;
        queue.submit(&job).await.unwrap();
        ids.push(job.id());
    }
    let named = [&["--fleet", fleet, "--jobs", "2"], more].concat();
    let _workers: Vec<_> = workers.map(|at| machines.worker(&format!("w{at}"), &named)).collect();
    // Without the start of the processes, and their first fetch.
    queue.wait(&ids[0], LONG).await.unwrap().expect("a result");
    let begun = Instant::now();
    let mut taken = 0;
    for id in &ids {
        let Some(Ended::Judged(result)) = queue.wait(id, LONG).await.unwrap() else { panic!("no result") };
        taken += usize::from(!result.about().unwrap().reused_from.is_empty());
    }
    (ids.len() as f64 / begun.elapsed().as_secs_f64(), taken)
}

/// What a job waits beyond the time that its worker had it, one job at a time.
async fn overhead(machines: &Machines, commits: &[String]) {
    let queue = queue(machines, "alone").await;
    let _worker = machines.worker("w0", &["--fleet", "alone", "--jobs", "1"]);
    let mut beyond = Vec::new();
    for commit in commits {
        let job = machines.job(commit, &*queue).await;
        let begun = Instant::now();
        queue.submit(&job).await.unwrap();
        let Some(Ended::Judged(result)) = queue.wait(&job.id(), LONG).await.unwrap() else { panic!("no result") };
        let judging = Duration::from_micros(result.about().unwrap().micros);
        beyond.push(begun.elapsed().saturating_sub(judging).as_secs_f64() * 1000.0);
    }
    // The first waits for the process.
    beyond.remove(0);
    beyond.sort_by(f64::total_cmp);
    let at = |share: f64| beyond[((beyond.len() - 1) as f64 * share) as usize];
    println!("a job waits {:.1} ms (p50) and {:.1} ms (p99) beside its judgement", at(0.5), at(0.99));
}

async fn queue(machines: &Machines, fleet: &str) -> std::sync::Arc<dyn Queue> {
    let address: Address = machines.address.parse().unwrap();
    address.open(FleetSettings { name: fleet.to_owned(), ..FleetSettings::default() }).await.unwrap()
}
