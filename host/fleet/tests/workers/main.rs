//! Workers on a queue in memory: what they do with failures, lies and requests to end. The promises of queues are in `queues.rs`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use guardhost_fleet::alarm::AlarmKind;
use guardhost_fleet::job::{Change, Class, Job, ObjectSource};
use guardhost_fleet::keys::{KnownKeys, WorkerKey};
use guardhost_fleet::queue::Queue;
use guardhost_fleet::queue::memory::MemoryQueue;
use guardhost_fleet::result::{JobRuling, JobVerdict};
use guardhost_fleet::settings::FleetSettings;
use guardhost_fleet::submit::{SubmitAnswer, Submitter};
use guardhost_fleet::worker::{FailureOwner, How, JobFailure, Judge, Worker};
use tokio::sync::watch;
use tokio::task::JoinHandle;

mod failures;

const LONG: Duration = Duration::from_secs(60);

/// What a judge does with a job.
#[derive(Clone, Copy)]
enum Manner {
    Honest,
    /// Says of every job that it is fine.
    Liar,
    /// Fails for a reason that passes, so many times.
    FailsFirst(u32),
    /// Fails for good.
    Fails,
    Panics,
    /// Guards fail, so many times.
    DoubtfulFirst(u32),
    /// Takes so many milliseconds.
    Slow(u64),
    /// Fails for a reason of its own; its probe says so.
    Full,
    /// The same, for so many calls and probes.
    FullFor(u32),
    /// Was not allowed any remote.
    MayNot,
    /// Ends without a word while it judges, so many times.
    DiesFirst(u32),
    /// The same before it judges: while it fetches.
    DiesWhileFetching(u32),
}

impl Fake {
    fn full_for(&self) -> u32 {
        match self.manner {
            Manner::FullFor(calls) => calls,
            _ => u32::MAX,
        }
    }
}

struct Fake {
    manner: Manner,
    calls: AtomicU32,
}

fn honest(job: &Job) -> JobRuling {
    let is_even = job.change.tree.ends_with(['0', '2', '4', '6', '8']);
    let verdict = if is_even { JobVerdict::Accepted } else { JobVerdict::Rejected };
    let report = format!("{{\"verdict\":\"{}\",\"tree\":\"{}\"}}", verdict.as_str(), job.change.tree);
    JobRuling { report, verdict, is_doubtful: false, notices: vec![], reused_from: vec![] }
}

#[async_trait]
impl Judge for Fake {
    async fn judge(&self, job: &Job, _: How) -> Result<JobRuling, JobFailure> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let failed = |owner| Err(JobFailure::new(owner, "the disk is full"));
        match self.manner {
            Manner::Honest => Ok(honest(job)),
            Manner::Liar => {
                Ok(JobRuling { report: "{\"verdict\":\"pass\"}".into(), verdict: JobVerdict::Accepted, ..honest(job) })
            }
            Manner::FailsFirst(times) if call <= times => failed(FailureOwner::Remote),
            Manner::Fails => failed(FailureOwner::Job),
            Manner::Full | Manner::FullFor(_) if call > self.full_for() => Ok(honest(job)),
            Manner::Full | Manner::FullFor(_) => failed(FailureOwner::Worker),
            Manner::Panics => panic!("a bug of the judge"),
            Manner::DoubtfulFirst(times) if call <= times => Ok(JobRuling {
                report: "{\"verdict\":\"error\"}".into(),
                verdict: JobVerdict::Failed,
                is_doubtful: true,
                ..honest(job)
            }),
            Manner::Slow(millis) => {
                tokio::time::sleep(Duration::from_millis(millis)).await;
                Ok(honest(job))
            }
            // Longer than any lease: nobody hears of it again.
            Manner::DiesFirst(times) if call <= times => std::future::pending().await,
            Manner::FailsFirst(_)
            | Manner::DoubtfulFirst(_)
            | Manner::MayNot
            | Manner::DiesFirst(_)
            | Manner::DiesWhileFetching(_) => Ok(honest(job)),
        }
    }

    async fn prepare(&self, _: &Job) -> Result<(), JobFailure> {
        if let Manner::DiesWhileFetching(times) = self.manner
            && self.calls.fetch_add(1, Ordering::Relaxed) < times
        {
            std::future::pending::<()>().await;
        }
        Ok(())
    }

    fn may_take(&self, _: &Job) -> Result<(), String> {
        match self.manner {
            Manner::MayNot => Err("it may not fetch from there".to_owned()),
            _ => Ok(()),
        }
    }

    async fn probe(&self) -> Result<(), String> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        match self.manner {
            Manner::Full | Manner::FullFor(_) if call <= self.full_for() => {
                Err("there is no room on the disk".to_owned())
            }
            _ => Ok(()),
        }
    }
}

fn job(number: u32) -> Job {
    let change = Change {
        repository: "0".repeat(32),
        base: "a".repeat(40),
        tree: format!("{number:040x}"),
        tip: None,
        rules: None,
        is_made_merge: false,
        message: None,
        task: None,
        policy: "c".repeat(64),
    };
    Job::new(Class::Fast, change, ObjectSource::default()).unwrap()
}

fn key(name: &str) -> Arc<WorkerKey> {
    Arc::new(WorkerKey::from_seed(name, &[name.len() as u8; 32]).unwrap())
}

struct Fleet {
    queue: Arc<dyn Queue>,
    settings: FleetSettings,
    known: KnownKeys,
    end: watch::Sender<bool>,
    working: Vec<JoinHandle<()>>,
}

impl Fleet {
    /// Names of different lengths have different keys.
    fn new(workers: &[(&str, Manner)]) -> Self {
        let known = workers.iter().fold(KnownKeys::default(), |known, (name, _)| known.with(&key(name)));
        let settings = FleetSettings {
            lease: Duration::from_millis(400),
            renew: Duration::from_millis(100),
            believed: Some(known.clone()),
            ..FleetSettings::default()
        };
        let queue: Arc<dyn Queue> = Arc::new(MemoryQueue::new(settings.clone()));
        let mut fleet = Fleet { queue, settings, known, end: watch::channel(false).0, working: Vec::new() };
        for (name, manner) in workers {
            fleet.start(name, *manner);
        }
        fleet
    }

    fn start(&mut self, name: &str, manner: Manner) {
        let worker = Worker {
            queue: self.queue.clone(),
            judge: Arc::new(Fake { manner, calls: AtomicU32::new(0) }),
            key: key(name),
            known: self.known.clone(),
            settings: self.settings.clone(),
            fast: 2,
            heavy: 1,
            version: "1".into(),
            state: Default::default(),
            breaker: Default::default(),
            spent: Default::default(),
        };
        let run = Arc::new(worker).run(self.end.subscribe());
        self.working.push(tokio::spawn(async move { run.await.unwrap() }));
    }

    async fn answer(&self, job: &Job, audited: u32) -> SubmitAnswer {
        let submitter = Submitter { queue: self.queue.clone(), known: self.known.clone(), audited };
        submitter.submit(job, LONG).await.unwrap()
    }

    async fn end(self) {
        self.end.send_replace(true);
        for worker in self.working {
            worker.await.unwrap();
        }
    }
}

fn judged(answer: SubmitAnswer) -> (String, JobVerdict, u32) {
    let SubmitAnswer::Judged(result) = answer else { panic!("{answer:?}") };
    let about = result.about().unwrap();
    (result.report, result.verdict, about.attempt)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_job_comes_back_judged_and_is_judged_once() {
    let fleet = Fleet::new(&[("a", Manner::Honest)]);
    let wanted = honest(&job(7));
    for _ in 0..2 {
        assert_eq!(judged(fleet.answer(&job(7), 0).await), (wanted.report.clone(), JobVerdict::Rejected, 1));
    }
    fleet.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_fails_for_a_while_is_tried_again_and_the_rest_is_put_aside() {
    let fleet = Fleet::new(&[("a", Manner::FailsFirst(2))]);
    assert_eq!(judged(fleet.answer(&job(2), 0).await).2, 3);
    fleet.end().await;
    let fleet = Fleet::new(&[("a", Manner::Fails)]);
    let SubmitAnswer::Dead(dead) = fleet.answer(&job(2), 0).await else { panic!("not dead") };
    assert_eq!((dead.reason.as_str(), dead.attempts), ("the disk is full", 1));
    fleet.end().await;
    let fleet = Fleet::new(&[("a", Manner::Panics)]);
    let SubmitAnswer::Dead(dead) = fleet.answer(&job(2), 0).await else { panic!("not dead") };
    assert!(dead.reason.contains("a bug of the judge") && dead.attempts == 5, "{dead:?}");
    fleet.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_guard_that_failed_once_is_asked_once_more() {
    let fleet = Fleet::new(&[("a", Manner::DoubtfulFirst(1))]);
    assert_eq!(judged(fleet.answer(&job(2), 0).await), (honest(&job(2)).report, JobVerdict::Accepted, 2));
    fleet.end().await;
    let fleet = Fleet::new(&[("a", Manner::DoubtfulFirst(9))]);
    let (_, verdict, attempt) = judged(fleet.answer(&job(2), 0).await);
    assert_eq!((verdict, attempt), (JobVerdict::Failed, 2), "what fails twice is the result");
    fleet.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_that_takes_long_keeps_its_job() {
    // Five times the lease.
    let fleet = Fleet::new(&[("a", Manner::Slow(2000)), ("bb", Manner::Slow(2000))]);
    assert_eq!(judged(fleet.answer(&job(2), 0).await).2, 1);
    fleet.end().await;
}

/// Of 1,000 jobs, ten or so are judged twice: a worker that lies is found, and both are named.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_that_lies_is_found() {
    const JOBS: u32 = 1000;
    let fleet = Fleet::new(&[("honest", Manner::Honest), ("liar", Manner::Liar)]);
    let mut lies = 0;
    for number in 0..JOBS {
        let SubmitAnswer::Judged(result) = fleet.answer(&job(number), 10).await else { panic!("no answer") };
        lies += u32::from(result.worker == "liar");
    }
    assert!(lies > 0, "the liar had no job");
    let begun = std::time::Instant::now();
    let found = loop {
        let alarms = fleet.queue.alarms(1000).await.unwrap();
        if !alarms.is_empty() || begun.elapsed() > LONG {
            break alarms;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(!found.is_empty(), "{lies} lies, and none was found");
    for alarm in found {
        let named: BTreeSet<&str> = alarm.workers.iter().filter_map(|name| name.split(' ').next()).collect();
        assert_eq!((alarm.kind, named), (AlarmKind::Nondeterminism, ["honest", "liar"].into()), "{alarm}");
    }
    fleet.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn honest_workers_raise_no_alarm() {
    let fleet = Fleet::new(&[("a", Manner::Honest), ("bb", Manner::Honest)]);
    for number in 0..50 {
        fleet.answer(&job(number), 1000).await;
    }
    let begun = std::time::Instant::now();
    let audits = || async { fleet.queue.status().await.unwrap().lanes[2].clone() };
    while audits().await.oldest > Duration::ZERO {
        assert!(begun.elapsed() < LONG, "{:?}", audits().await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(fleet.queue.alarms(10).await.unwrap(), []);
    fleet.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_result_of_a_stranger_is_not_believed() {
    let mut fleet = Fleet::new(&[("a", Manner::Honest)]);
    fleet.end.send_replace(true);
    fleet.working.drain(..).next().unwrap().await.unwrap();
    fleet.end.send_replace(false);
    fleet.start("a-stranger", Manner::Liar);
    let answer = fleet.answer(&job(1), 0).await;
    assert!(matches!(answer, SubmitAnswer::Unbelieved(_)), "{answer:?}");
    assert_eq!(fleet.queue.alarms(10).await.unwrap()[0].kind, AlarmKind::UnknownKey);
    // A worker that is known takes its place; what nobody signed was no result.
    fleet.end.send_replace(true);
    fleet.working.drain(..).next().unwrap().await.unwrap();
    fleet.end.send_replace(false);
    fleet.start("a", Manner::Honest);
    assert_eq!(judged(fleet.answer(&job(1), 0).await).0, honest(&job(1)).report);
    fleet.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_that_is_told_to_end_finishes_what_it_has() {
    let fleet = Fleet::new(&[("a", Manner::Slow(700))]);
    let queue = fleet.queue.clone();
    for number in 0..2 {
        queue.submit(&job(number)).await.unwrap();
    }
    while queue.status().await.unwrap().lanes[0].leased < 2 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    queue.submit(&job(2)).await.unwrap();
    fleet.end().await;
    for number in 0..2 {
        assert!(queue.result(&job(number).id()).await.unwrap().is_some(), "job {number}");
    }
}
