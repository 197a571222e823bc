//! A change that guards turned down, with what its author needs to mend it.

use super::{Candidate, Judgement, Mode, Quotes, RepoPath};

#[derive(Debug, Clone, Default)]
pub struct Rejection {
    pub judgement: Judgement,
    /// The lines that the findings point at.
    pub quotes: Quotes,
    /// Touched files in which no enforced guard found anything.
    pub clean_files: Vec<RepoPath>,
    /// What the guards say of it with their own fixes applied, when those did not suffice.
    pub after_autofix: Option<Box<Rejection>>,
}

impl Rejection {
    pub fn of(candidate: &Candidate, judgement: Judgement) -> Self {
        let enforced = || judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        let found: Vec<&str> = enforced()
            .flat_map(|evidence| evidence.verdict.findings())
            .filter_map(|finding| finding.path.as_deref())
            .collect();
        let touched = candidate.files.iter().map(|file| &file.path);
        let clean_files = touched.filter(|path| !found.contains(&path.to_string().as_str())).cloned().collect();
        Rejection { quotes: Quotes::take(candidate, &judgement), clean_files, after_autofix: None, judgement }
    }
}
