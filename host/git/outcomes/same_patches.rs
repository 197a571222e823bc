//! Pull requests that no merge and no message tells of: whether the line of HEAD has their patches.

use std::collections::HashMap;

use git2::Repository;

use super::branch::own_commits;
use super::facts::PastFacts;
use super::main_line::{MainLine, find, maker_of};
use super::patches::TreePair;
use super::{ChangeMaker, Landing, LandingWay};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;

/// Clocks of two people differ by less than this, in seconds.
const DAY: i64 = 24 * 60 * 60;

/// Which commits of the line are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LineCommits {
    All,
    /// Where only what agents made is wanted, and the change itself says of none.
    OfAgents,
}

/// Of each pair of a base and a tip, how the commits between them came into the line that ends at `head`; None: they did not, as far as a patch tells.
pub fn landings(
    repo: &Repository,
    head: Oid,
    changes: &[(Oid, Oid)],
    stop: &StopToken,
) -> Result<Vec<Option<Landing>>> {
    let mut oldest = i64::MAX;
    for (base, _) in changes {
        oldest = oldest.min(find(repo, *base)?.time().seconds());
    }
    let parent = |oid: &Oid| repo.find_commit(*oid).ok()?.parent_ids().next();
    let facts = PastFacts::forgotten();
    let patches = SamePatches::new(repo, None, &facts, std::iter::successors(Some(head), parent), oldest, stop)?;
    changes.iter().map(|(base, tip)| patches.landing(*base, *tip, LineCommits::All)).collect()
}

/// The commits of the first-parent line, by the files that they change.
pub struct SamePatches<'r> {
    repo: &'r Repository,
    line: Option<&'r MainLine>,
    facts: &'r PastFacts,
    by_paths: HashMap<Oid, Vec<Oid>>,
}

impl<'r> SamePatches<'r> {
    /// Of `commits`, which begin with the newest, those since `oldest`, in seconds since 1970.
    pub fn new(
        repo: &'r Repository,
        line: Option<&'r MainLine>,
        facts: &'r PastFacts,
        commits: impl Iterator<Item = Oid>,
        oldest: i64,
        stop: &StopToken,
    ) -> Result<Self> {
        let mut by_paths: HashMap<Oid, Vec<Oid>> = HashMap::new();
        for oid in commits {
            facts.stopped(stop)?;
            if find(repo, oid)?.time().seconds() < oldest - DAY {
                break;
            }
            by_paths.entry(facts.paths(repo, TreePair::from_commit(repo, oid)?)?).or_default().push(oid);
        }
        Ok(SamePatches { repo, line, facts, by_paths })
    }

    /// The commit with the same patch that is younger than `after`, in seconds since 1970.
    fn same(&self, trees: TreePair, after: i64, of: LineCommits) -> Result<Option<Oid>> {
        let Some(alike) = self.by_paths.get(&self.facts.paths(self.repo, trees)?) else { return Ok(None) };
        let mut candidates = Vec::new();
        for oid in alike {
            let commit = find(self.repo, *oid)?;
            let is_wanted = of == LineCommits::All || matches!(maker_of(&commit), ChangeMaker::Agent(_));
            if is_wanted && commit.time().seconds() >= after {
                candidates.push(*oid);
            }
        }
        if candidates.is_empty() {
            return Ok(None);
        }
        let Some(wanted) = self.facts.patch_id(self.repo, trees)? else { return Ok(None) };
        for oid in candidates {
            if self.facts.patch_id(self.repo, TreePair::from_commit(self.repo, oid)?)? == Some(wanted) {
                return Ok(Some(oid));
            }
        }
        Ok(None)
    }

    /// Whether the line has the whole change as one commit, or each of its commits.
    pub fn landing(&self, base: Oid, tip: Oid, of: LineCommits) -> Result<Option<Landing>> {
        let repo = self.repo;
        let after = find(repo, base)?.time().seconds();
        let whole = self.same(TreePair::between(repo, Some(base), tip)?, after, of)?;
        let commits = own_commits(repo, self.line, Some(base), tip)?;
        if let Some(commit) = whole {
            let is_same = commits.len() == 1 && find(repo, commit)?.message_bytes() == find(repo, tip)?.message_bytes();
            let how = if is_same { LandingWay::Rebase } else { LandingWay::Squash };
            return Ok(Some(Landing { commit, how }));
        }
        let mut last = None;
        for oid in commits {
            if find(repo, oid)?.parent_count() != 1 {
                continue;
            }
            let Some(same) = self.same(TreePair::from_commit(repo, oid)?, after, of)? else { return Ok(None) };
            // The walk begins with the newest.
            last = last.or(Some(same));
        }
        Ok(last.map(|commit| Landing { commit, how: LandingWay::Rebase }))
    }
}
