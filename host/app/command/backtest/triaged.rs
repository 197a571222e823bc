//! What of the past is proved to be harmless.

use std::collections::BTreeMap;

use guardhost_git::PastChange;
use guardhost_pipeline::triage::FileProof;
use guardhost_report::{BacktestClass, BacktestTriage, OutcomeCounts, TriageClass};
use serde::{Deserialize, Serialize};

use super::judge::{PastRuling, PastVerdict};
use super::tally::outcome;

/// What is proved of one change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PastTriage {
    files: usize,
    /// How many of these have a proof, by its class.
    proved: BTreeMap<TriageClass, usize>,
}

impl PastTriage {
    pub fn new(files: &[FileProof]) -> Self {
        let mut proved = BTreeMap::new();
        for file in files {
            match file {
                FileProof::Proved(class, _) => *proved.entry(*class).or_default() += 1,
                FileProof::Unproved(_) | FileProof::Rejected(_) => {}
            }
        }
        PastTriage { files: files.len(), proved }
    }

    fn is_proved(&self) -> bool {
        self.files > 0 && self.proved.values().sum::<usize>() == self.files
    }
}

/// What the guards do not accept is not harmless, whatever is proved of its texts.
pub fn triaged(changes: &[PastChange], verdicts: &[Option<PastVerdict>]) -> BacktestTriage {
    let mut report = BacktestTriage::default();
    let mut classes: BTreeMap<TriageClass, (usize, OutcomeCounts)> = BTreeMap::new();
    for (change, verdict) in changes.iter().zip(verdicts) {
        let Some(verdict) = verdict.as_ref().filter(|verdict| verdict.said == PastRuling::Accepted) else { continue };
        let Some(triage) = &verdict.triage else { continue };
        let outcome = outcome(change.fate);
        report.changes.add(outcome);
        report.files += triage.files;
        if triage.is_proved() {
            report.proved.add(outcome);
        }
        for (class, files) in &triage.proved {
            let (all, proved) = classes.entry(*class).or_default();
            *all += files;
            if triage.is_proved() {
                proved.add(outcome);
            }
        }
    }
    report.classes =
        classes.into_iter().map(|(class, (files, proved))| BacktestClass { class, files, proved }).collect();
    report
}
