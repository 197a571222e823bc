//! Verdicts that machines share, for workers of a fleet. Objects of a worker's repositories were hashed when they came, so that a verdict
//! depends on no repository, and the names of entries hold for all machines that run the same program.

use std::fmt::Debug;

/// Where machines that trust one another keep verdicts.
pub trait SharedVerdicts: Send + Sync + Debug {
    /// What judges: machines share verdicts if they run the same program with the same guards.
    fn program(&self) -> &str;

    /// The entries of a name, each as a machine of known key wrote it.
    fn get(&self, name: &str) -> Vec<SharedEntry>;

    /// Replaces the entries of a name by new ones of this machine, and by some of those that [`SharedVerdicts::get`] gave.
    fn put(&self, name: &str, new: &[Vec<u8>], kept: &[&SharedEntry]);

    /// Whether this verdict of another machine is to be found anew, and compared: now and then, at random.
    fn doubts(&self) -> bool;

    /// A verdict on the tree was that of another machine.
    fn took(&self, tree: &str, author: &str);

    /// What another machine said is not what the guard says.
    fn differs(&self, author: &str, guard: &str, tree: &str);
}

/// An entry, and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedEntry {
    pub bytes: Vec<u8>,
    /// None: this machine.
    pub author: Option<String>,
    /// As it travels, with its signature.
    pub sealed: Vec<u8>,
}
