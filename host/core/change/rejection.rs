//! A change that the guards rejected, with everything that feedback to its author needs.

use super::{Candidate, Judgement, Mode, Quotes, RepoPath};

/// Becomes feedback for the next round.
#[derive(Debug, Clone, Default)]
pub struct Rejection {
    pub judgement: Judgement,
    /// The source lines of the findings.
    pub quotes: Quotes,
    /// Touched files without a finding of an enforced guard.
    pub clean_files: Vec<RepoPath>,
    /// The judgement on the change with the guards' own fixes; None unless fixes were tried and were not enough.
    pub after_autofix: Option<Box<Rejection>>,
    /// What the guards reject of the change, where they accept the rest by itself; empty where no such rest was found.
    pub core: Vec<RejectedPlace>,
}

/// A place of a change that the guards do not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedPlace {
    /// In the change.
    pub path: RepoPath,
    pub lines: RejectedLines,
}

/// Which lines of a file, counted from 1 as the change has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectedLines {
    /// All that the change does to the file.
    All,
    /// From the first to the last.
    Between(u32, u32),
    /// What the change removes behind this line.
    RemovedAfter(u32),
}

impl Rejection {
    /// Reads the quoted lines from the candidate.
    pub fn new(candidate: &Candidate, judgement: Judgement) -> Self {
        let enforced = || judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        let found: Vec<&str> = enforced()
            .flat_map(|evidence| evidence.verdict.findings())
            .filter_map(|finding| finding.path.as_deref())
            .collect();
        let touched = candidate.files.iter().map(|file| &file.path);
        let clean_files = touched.filter(|path| !found.contains(&path.to_string().as_str())).cloned().collect();
        Rejection {
            quotes: Quotes::take(candidate, &judgement),
            clean_files,
            after_autofix: None,
            core: Vec::new(),
            judgement,
        }
    }
}
