//! What failed, and whether the pull request broke it.

use guardhost_core::sensitive::holds_private_key;
use guardhost_forge::watch::{cut, signature};
use guardhost_forge::{CiConclusion, CiRun, Forge, ForgeError, PullRequest};

/// Bytes of a log that a provider is shown.
const LOG: usize = 5_000;
/// Jobs whose logs are read.
const JOBS: usize = 3;

/// The builds that failed, and did not fail on the base.
pub struct BuildFailure {
    /// All that fail here fail on the base too.
    pub base_is_red: bool,
    pub runs: Vec<CiRun>,
    /// Names of the failed jobs, with their failed steps.
    pub jobs: Vec<String>,
    /// Text of strangers.
    pub log: String,
    /// What the failure is known by; None without a log.
    pub signature: Option<String>,
}

pub fn failure(forge: &dyn Forge, pull: &PullRequest, runs: &[CiRun]) -> Result<BuildFailure, ForgeError> {
    let failed = |run: &&CiRun| is_failure(run.conclusion);
    let of_base = forge.ci_runs(&pull.base_sha)?;
    let red: Vec<&str> = of_base.iter().filter(failed).map(|run| run.name.as_str()).collect();
    let own: Vec<CiRun> = runs.iter().filter(failed).filter(|run| !red.contains(&run.name.as_str())).cloned().collect();
    let mut found =
        BuildFailure { base_is_red: own.is_empty(), jobs: Vec::new(), log: String::new(), signature: None, runs: own };
    let mut signatures = Vec::new();
    for run in found.runs.iter().filter(|run| run.is_workflow) {
        for job in forge.jobs(run.id)?.into_iter().filter(|job| is_failure(job.conclusion)) {
            if found.jobs.len() == JOBS {
                break;
            }
            let log = forge.job_log(job.id)?;
            signatures.push(signature(&format!("{}/{}", run.name, job.name), job.failed_step.as_deref(), &log));
            // The whole of it is looked at: a part of a key is one too, also where the log was cut before it.
            match holds_private_key(log.as_bytes()) || log.contains("PRIVATE KEY-----") {
                true => found.log.push_str("The log is not shown: it holds a private key."),
                false => found.log.push_str(&cut(&log, LOG / JOBS)),
            }
            found.log.push('\n');
            let step = job.failed_step.map(|step| format!(", in the step {step}")).unwrap_or_default();
            found.jobs.push(format!("{}{step}", job.name));
        }
    }
    signatures.sort();
    found.signature = (!signatures.is_empty()).then(|| signatures.join("+"));
    Ok(found)
}

/// What a change can fix: a build that was cancelled ended by the will of somebody.
fn is_failure(conclusion: Option<CiConclusion>) -> bool {
    match conclusion {
        Some(CiConclusion::Failure | CiConclusion::TimedOut | CiConclusion::Cancelled | CiConclusion::Unknown) => true,
        Some(CiConclusion::Success | CiConclusion::ActionRequired | CiConclusion::Skipped) | None => false,
    }
}
