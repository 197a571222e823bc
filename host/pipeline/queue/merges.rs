//! Merges in memory.

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_git::{MergedInMemory, Repo};

/// A commit and its tree; merged ones are in memory only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tip {
    pub commit: Oid,
    pub tree: Oid,
}

impl Tip {
    pub fn at(repo: &Repo, commit: Oid) -> Result<Self> {
        Ok(Tip { commit, tree: repo.tree_of(commit)? })
    }

    /// With another commit merged on it; or the paths at which they conflict.
    pub fn with(self, repo: &Repo, head: Oid) -> Result<std::result::Result<Tip, Vec<String>>> {
        Ok(match repo.merge_in_memory(self.commit, head)? {
            MergedInMemory::Clean { commit, tree } => Ok(Tip { commit, tree }),
            MergedInMemory::Conflicts(paths) => Err(paths),
        })
    }
}

/// Tips of growing prefixes: the base, the base with the first, with the first two.
pub struct MergeChain {
    pub tips: Vec<Tip>,
    /// What each tip after the base added, as places in the queue.
    pub members: Vec<usize>,
}

impl MergeChain {
    pub fn new(base: Tip) -> Self {
        MergeChain { tips: vec![base], members: Vec::new() }
    }

    pub fn last(&self) -> Tip {
        *self.tips.last().expect("a chain begins with the base")
    }

    pub fn push(&mut self, member: usize, tip: Tip) {
        self.members.push(member);
        self.tips.push(tip);
    }

    /// Of these members of another chain, in their order. One that does not merge without those that are left out is left out too.
    pub fn from_members(repo: &Repo, base: Tip, members: impl IntoIterator<Item = (usize, Oid)>) -> Result<Self> {
        let mut chain = MergeChain::new(base);
        for (member, head) in members {
            if let Ok(tip) = chain.last().with(repo, head)? {
                chain.push(member, tip);
            }
        }
        Ok(chain)
    }
}
