//! What a worker answers: the verdict as bytes that are the same on every machine, signed.

use serde::{Deserialize, Serialize};

use crate::job::JobId;
use crate::keys::{KnownKeys, PublicKey, WorkerKey};

const PURPOSE: &str = "result 1";

/// Bytes of a report. `host check` caps its findings long before.
pub const MOST_BYTES: usize = 16 << 20;

/// What a job came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobVerdict {
    /// The change may be committed.
    Accepted,
    /// A guard rejects it.
    Rejected,
    /// No guard rejects it, and one failed.
    Failed,
    /// It was not judged: it edits the rules by which it would be.
    Refused,
}

impl JobVerdict {
    pub fn as_str(self) -> &'static str {
        match self {
            JobVerdict::Accepted => "accepted",
            JobVerdict::Rejected => "rejected",
            JobVerdict::Failed => "failed",
            JobVerdict::Refused => "refused",
        }
    }
}

/// How a change was judged, before it is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRuling {
    /// What decides: equal bytes for equal jobs, on every machine. No times, no word about caches.
    pub report: String,
    pub verdict: JobVerdict,
    /// A guard failed: that may have been this machine's fault, so another one tries before this is the result.
    pub is_doubtful: bool,
    /// What people should know, and what differs between machines.
    pub notices: Vec<String>,
    /// Workers whose kept verdicts were taken.
    pub reused_from: Vec<String>,
}

/// What travels beside the report. Signed with it, and not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    pub notices: Vec<String>,
    pub reused_from: Vec<String>,
    /// How often the job had been handed out, with this time.
    pub attempt: u32,
    /// Between claim and result.
    pub micros: u64,
}

/// A result as the queue keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedResult {
    pub job: JobId,
    /// The worker's name, as it says.
    pub worker: String,
    pub key: PublicKey,
    pub report: String,
    pub verdict: JobVerdict,
    /// [`About`], as the bytes that were signed.
    about: String,
    signature: String,
}

impl SignedResult {
    pub fn sign(job: JobId, judged: &JobRuling, attempt: u32, micros: u64, key: &WorkerKey) -> Self {
        let JobRuling { report, verdict, notices, reused_from, .. } = judged.clone();
        let about = About { notices, reused_from, attempt, micros };
        let about = serde_json::to_string(&about).unwrap_or_default();
        let worker = key.name().to_owned();
        let signature = key.sign(PURPOSE, &parts(&job, &worker, &report, verdict, &about));
        SignedResult { job, worker, key: key.public(), report, verdict, about, signature }
    }

    /// The name under which the key of this result is known; None when it is not, or the signature is wrong, or it is the result of
    /// another job.
    pub fn signer<'k>(&self, job: &JobId, known: &'k KnownKeys) -> Option<&'k str> {
        let parts = parts(&self.job, &self.worker, &self.report, self.verdict, &self.about);
        known.signer(PURPOSE, &parts, &self.key, &self.signature).filter(|_| self.job == *job)
    }

    /// Whether the key that it names signed it, as the result of this job: nobody else can say so for that key.
    pub fn is_signed_for(&self, job: &JobId) -> bool {
        let parts = parts(&self.job, &self.worker, &self.report, self.verdict, &self.about);
        self.job == *job && self.key.has_signed(PURPOSE, &parts, &self.signature)
    }

    /// None for what another version wrote.
    pub fn about(&self) -> Option<About> {
        serde_json::from_str(&self.about).ok()
    }

    /// Whether both say the same of the change.
    pub fn says_the_same(&self, other: &SignedResult) -> bool {
        self.report == other.report && self.verdict == other.verdict
    }

    /// `NAME (KEY)`: names can be had by anyone.
    pub fn named(&self) -> String {
        format!("{} ({})", self.worker, self.key)
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// None for bytes that are no result.
    pub fn from_json(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

fn parts<'a>(job: &'a JobId, worker: &'a str, report: &'a str, verdict: JobVerdict, about: &'a str) -> [&'a [u8]; 5] {
    [job.as_str().as_bytes(), worker.as_bytes(), report.as_bytes(), verdict.as_str().as_bytes(), about.as_bytes()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_result_can_be_changed() {
        let key = WorkerKey::from_seed("one", &[7; 32]).unwrap();
        let known = KnownKeys::default().with(&key);
        let job = JobId::try_from("a".repeat(64)).unwrap();
        let other = JobId::try_from("b".repeat(64)).unwrap();
        let judged = JobRuling {
            report: "{}".into(),
            verdict: JobVerdict::Rejected,
            is_doubtful: false,
            notices: vec!["n".into()],
            reused_from: vec![],
        };
        let result = SignedResult::sign(job.clone(), &judged, 1, 7, &key);
        assert_eq!(SignedResult::from_json(&result.to_json()), Some(result.clone()));
        assert_eq!(result.signer(&job, &known), Some("one"));
        assert_eq!(result.signer(&other, &known), None, "a result of another job");
        assert!(result.is_signed_for(&job) && !result.is_signed_for(&other));
        assert_eq!(result.signer(&job, &KnownKeys::default()), None);
        let changes: [fn(&mut SignedResult); 5] = [
            |result| result.verdict = JobVerdict::Accepted,
            |result| result.report.push(' '),
            |result| result.worker.push('x'),
            |result| result.about = result.about.replace('7', "8"),
            |result| result.job = JobId::try_from("b".repeat(64)).unwrap(),
        ];
        for change in changes {
            let mut changed = result.clone();
            change(&mut changed);
            assert_eq!(changed.signer(&changed.job, &known), None, "{changed:?}");
            assert!(!changed.is_signed_for(&changed.job), "{changed:?}");
        }
    }
}
