//! What stands against a change: a file that a guard objects to is never told as proved, whatever its texts show, and of a change that is not
//! accepted at least one file is objected to. A sentence that is untrue is proved to be a sentence, and a person must still read it.

use std::collections::BTreeMap;

use guardhost_core::change::{Candidate, Evidence, FileChange, GuardVerdict, Judgement, Severity};
use guardhost_gate::Ruling;

/// Made of what was said of the change alone, so that there is no proof without a judgement.
#[derive(Debug, Default)]
pub struct Objections {
    /// By the path of a file of the change: who rejects it.
    files: BTreeMap<String, String>,
    /// Why nothing of the change is proved.
    whole: Option<String>,
}

impl Objections {
    pub fn of(ruling: &Ruling) -> Self {
        match ruling {
            Ruling::Empty(_) => Objections::default(),
            Ruling::Refused(refused) => {
                let mut found = Objections::default();
                found.add(&refused.candidate, &refused.as_evidence());
                found
            }
            Ruling::Judged(judged) => Objections::of_judgement(judged.candidate(), judged.judgement()),
        }
    }

    pub fn of_judgement(change: &Candidate, judgement: &Judgement) -> Self {
        let against = judgement.against();
        let mut found = Objections::default();
        for evidence in judgement.evidence.iter().filter(|evidence| against.contains(&evidence.id.as_str())) {
            found.add(change, evidence);
        }
        found
    }

    fn add(&mut self, change: &Candidate, evidence: &Evidence) {
        let id = &evidence.id;
        let findings = match &evidence.verdict {
            GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_) => return,
            GuardVerdict::Error { .. } => return self.whole = Some(format!("{id} could not judge the change")),
            GuardVerdict::Reject(findings) => findings.iter().filter(|finding| finding.severity == Severity::Error),
        };
        let mut is_placed = false;
        for path in findings.filter_map(|finding| finding.path.as_deref()) {
            // What stands in another file is said about the change.
            if let Some(file) = change.files.iter().find(|file| is_of(file, path)) {
                self.files.insert(file.path.to_string(), format!("{id} rejects it"));
                is_placed = true;
            }
        }
        if !is_placed {
            self.whole = Some(format!("{id} rejects the change"));
        }
    }

    /// Who rejects this file.
    pub fn to_file(&self, file: &FileChange) -> Option<&str> {
        self.files.get(&file.path.to_string()).map(String::as_str)
    }

    /// Why no file of the change is proved.
    pub fn to_whole(&self) -> Option<&str> {
        self.whole.as_deref()
    }
}

fn is_of(file: &FileChange, path: &str) -> bool {
    [Some(&file.path), file.old_path.as_ref()].into_iter().flatten().any(|one| one.to_string() == path)
}
