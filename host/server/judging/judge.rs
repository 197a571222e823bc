//! Judges jobs of a fleet as `host check` judges the same change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use guardhost_core::change::{NullObserver, Observer, Oid, RepoPath, Task};
use guardhost_core::error::{Error, Fault, FaultKind, Result, kind};
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::EmbeddedGuards;
use guardhost_fleet::job::Job;
use guardhost_fleet::objects::Mirrors;
use guardhost_fleet::queue::Queue;
use guardhost_fleet::result::{JobRuling, JobVerdict};
use guardhost_fleet::worker::{FailureOwner, How, JobFailure, Judge};
use guardhost_gate::Case;
use guardhost_git::{Repo, candidate, range};
use guardhost_policy::PolicySource;
use guardhost_report::{CheckReport, json};
use guardhost_telemetry::{EventSpans, SpanParent, Traces};

use super::policies::{CommitRules, Policies};
use super::{FleetVerdicts, policy_digest};
use host::command::with_ruling;

/// Where a worker has the objects of a change.
pub enum Repositories {
    /// The submitter's own repository, when the worker runs in the submitter's process.
    Own(PathBuf),
    Mirrors(Mirrors),
}

/// See the module.
pub struct HostJudge(Arc<Bench>);

impl HostJudge {
    pub fn new(bench: Bench) -> Self {
        HostJudge(Arc::new(bench))
    }
}

/// What judges.
pub struct Bench {
    pub process: ProcessEnv,
    pub embedded: &'static EmbeddedGuards,
    pub offline: bool,
    pub repositories: Repositories,
    pub queue: Arc<dyn Queue>,
    /// None: every guard is called.
    pub shared: Option<Arc<FleetVerdicts>>,
    pub policies: Policies,
    /// Exports the spans of jobs; None if no exporter is configured.
    pub traces: Option<Traces>,
}

#[async_trait]
impl Judge for HostJudge {
    fn may_take(&self, job: &Job) -> Result<(), String> {
        match &self.0.repositories {
            Repositories::Own(_) => Ok(()),
            Repositories::Mirrors(mirrors) => mirrors.may_take(job),
        }
    }

    async fn prepare(&self, job: &Job) -> Result<(), JobFailure> {
        match &self.0.repositories {
            Repositories::Own(_) => Ok(()),
            Repositories::Mirrors(mirrors) => mirrors.prepare(job, &*self.0.queue).await.map(drop),
        }
    }

    async fn probe(&self) -> Result<(), String> {
        match &self.0.repositories {
            Repositories::Own(_) => Ok(()),
            Repositories::Mirrors(mirrors) => mirrors.probe().await,
        }
    }

    fn remotes(&self) -> Vec<String> {
        match &self.0.repositories {
            Repositories::Own(_) => Vec::new(),
            Repositories::Mirrors(mirrors) => mirrors.announced(),
        }
    }

    async fn judge(&self, job: &Job, how: How) -> Result<JobRuling, JobFailure> {
        let spans = self.0.traces.as_ref().map(|traces| EventSpans::begin(traces, "job", SpanParent::new()));
        let folder = match &self.0.repositories {
            Repositories::Own(folder) => folder.clone(),
            Repositories::Mirrors(mirrors) => mirrors.prepare(job, &*self.0.queue).await?,
        };
        let (bench, job) = (Arc::clone(&self.0), job.clone());
        let judged = tokio::task::spawn_blocking(move || {
            let judged = bench.judge_in(&folder, &job, how, spans.as_ref().map_or(&NullObserver, |spans| spans));
            let failed = judged.as_ref().err().map(|failure| owner(failure.owner));
            spans.iter().for_each(|spans| spans.finish(failed));
            judged
        });
        judged.await.map_err(|error| JobFailure::new(FailureOwner::Crash, format!("judging it ended: {error}")))?
    }
}

impl Bench {
    fn judge_in(&self, folder: &Path, job: &Job, how: How, observer: &dyn Observer) -> Result<JobRuling, JobFailure> {
        let shared = match how {
            How::Usual => self.shared.clone(),
            How::Fresh => None,
        };
        let source = PolicySource {
            process: &self.process,
            embedded: self.embedded,
            config: None,
            offline: self.offline,
            demands_lock: false,
            // Of the fleet, or none: what this user's other runs kept says nothing of a mirror.
            fresh: shared.is_none(),
            shared: shared.map(|shared| shared as _),
            // The submitter's repository is another one.
            remember: None,
        };
        let report = self.report(folder, job, how, &source, observer).map_err(|error| failure(&error))?;
        let report = report?;
        let is_doubtful =
            report.refusal.is_none() && report.judgement.evidence.iter().any(|e| e.verdict.code().is_some());
        let tree = &job.change.tree;
        Ok(JobRuling {
            report: json::exact(&report).map_err(|error| failure(&error))?.to_string(),
            verdict: verdict(&report),
            is_doubtful,
            notices: report.notices.clone(),
            reused_from: self.shared.as_ref().map_or_else(Vec::new, |shared| shared.taken(tree)),
        })
    }

    fn report(
        &self,
        folder: &Path,
        job: &Job,
        how: How,
        source: &PolicySource<'_>,
        observer: &dyn Observer,
    ) -> Result<Result<CheckReport, JobFailure>> {
        let change = &job.change;
        let base = Oid::from_str(&change.base)?;
        let rules = self.policies.at_commit(folder, Oid::from_str(change.rules())?, how, source)?;
        let CommitRules { gate, tree } = &*rules;
        if policy_digest(gate.policy(), self.embedded) != change.policy {
            let reason = format!(
                "this worker would judge by other guards than the submitter: it has host {}",
                env!("CARGO_PKG_VERSION")
            );
            return Ok(Err(JobFailure::new(FailureOwner::Worker, reason)));
        }
        let repo = Repo::open(folder)?;
        let candidate = match &change.tip {
            Some(tip) => {
                let mut candidate = range(&repo, &format!("{base}..{tip}"))?;
                let is_made = |oid: Oid| change.is_made_merge && oid.to_string() == *tip;
                candidate.commits.retain(|commit| !commit.oid.is_some_and(is_made));
                candidate
            }
            // Its rules are those of its base.
            None => candidate(&repo, Some(base), *tree, Oid::from_str(&change.tree)?)?,
        };
        if candidate.tree.to_string() != change.tree {
            let reason = "the job's commit has another tree than the job".to_owned();
            return Ok(Err(JobFailure::new(FailureOwner::Job, reason)));
        }
        let candidate = guardhost_core::change::Candidate {
            message: change.message.clone().or(candidate.message.clone()),
            ..candidate
        };
        let report = CheckReport { notices: gate.notices().to_vec(), ..CheckReport::default() };
        let task = change.task.as_ref().map(|task| Task {
            text: task.text.clone(),
            hints: task.hints.iter().map(|hint| RepoPath::from(hint.as_str())).collect(),
            ..Task::default()
        });
        let ruling = gate.rule(Case::report(candidate, task.as_ref()), observer)?;
        Ok(Ok(with_ruling(report, &ruling)))
    }
}

fn verdict(report: &CheckReport) -> JobVerdict {
    use guardhost_core::change::Verdict;
    match (&report.refusal, report.judgement.verdict()) {
        (Some(_), _) => JobVerdict::Refused,
        (None, Verdict::Pass) => JobVerdict::Accepted,
        (None, Verdict::Reject) => JobVerdict::Rejected,
        (None, Verdict::Error) => JobVerdict::Failed,
    }
}

/// Whose a failure is, as spans say it.
fn owner(owner: FailureOwner) -> &'static str {
    match owner {
        FailureOwner::Job => "job",
        FailureOwner::Worker => "worker",
        FailureOwner::Crash => "crash",
        FailureOwner::Remote => "remote",
        FailureOwner::Queue => "queue",
    }
}

/// What is wrong with the rules is wrong everywhere; the rest is this machine's.
fn failure(error: &Error) -> JobFailure {
    let owner = match kind(error) {
        FaultKind::Usage | FaultKind::Config | FaultKind::Nothing => FailureOwner::Job,
        FaultKind::GuardLoad | FaultKind::GuardRun | FaultKind::Provider | FaultKind::Git | FaultKind::Interrupted => {
            FailureOwner::Worker
        }
    };
    let hint = guardhost_core::error::fault(error).and_then(|fault: &Fault| fault.hint.clone());
    let hint = hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
    JobFailure::new(owner, format!("{error:#}{hint}"))
}
