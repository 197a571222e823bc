//! Where verdicts are kept between runs.

use std::path::PathBuf;
use std::sync::Arc;

use super::shared::SharedVerdicts;

/// Where the verdicts on changes of one repository are kept.
#[derive(Debug, Clone)]
pub struct CachedVerdicts {
    /// Of the user; holds nothing else.
    pub folder: PathBuf,
    /// The git directory that worktrees share. Git reads objects without hashing them, so that what was judged in one repository says
    /// nothing about another.
    pub repository: PathBuf,
    /// The program that judges: another build may answer a guard's questions otherwise.
    pub program: String,
}

/// Stores verdicts and reuses them.
#[derive(Debug, Clone)]
pub enum VerdictCache {
    OfUser(CachedVerdicts),
    OfFleet(Arc<dyn SharedVerdicts>),
}
