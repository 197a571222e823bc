//! Which commits are old: judged when they came, made by others, or there before the hooks were.

use std::collections::HashSet;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_git::{Repo, new_commits};

use super::ledger::Ledger;
use super::ledger_content::{KnownCommit, LetIn, with_allowed_rules};
use super::tip_rules::RulesDigest;
use crate::case::ChangeAuthor;

/// How the full names of the branches begin that runs commit to, without a hook.
const BRANCHES_OF_RUNS: &str = "refs/heads/guardhost/";

/// What a repository knows.
pub struct KnownCommits {
    /// What the fetch of a configured remote wrote, by full name: others made it. Without what a model got from elsewhere.
    fetched: Vec<(String, Oid)>,
    entries: Vec<KnownCommit>,
    /// Branches, by full name, that stand where no hook saw them arrive.
    unseen: Vec<String>,
    /// Branches, by full name, and where the gate last saw each.
    seen: Vec<(String, Oid)>,
}

/// What is known when one branch moves.
pub struct Known {
    /// Known with all that they reach: what others made, and what was there before the hooks.
    histories: Vec<Oid>,
    /// Known as they stand. The gate accepted what each of them came to, and not what lies between two of them: of a mistake and its
    /// fix that came in together, the mistake alone was never accepted.
    tips: Vec<Oid>,
}

impl KnownCommits {
    /// # Errors
    /// The refs cannot be read.
    pub fn read(repo: &Repo, ledger: &Ledger) -> Result<Self> {
        let mut fetched = repo.fetched_refs(ledger.remotes())?;
        fetched.retain(|(_, tip)| !ledger.unvouched().contains(tip));
        let entries = ledger.entries().to_vec();
        // What was made here since, a push or a fetch from this repository put there, and nobody else.
        if !fetched.is_empty() {
            let made_here = repo.made_here()?;
            let was_there = |tip| entries.iter().any(|known| known.how == LetIn::Installed && known.commit == tip);
            fetched.retain(|(_, tip)| !made_here.contains(tip) || was_there(*tip));
        }
        Ok(KnownCommits { fetched, entries, unseen: Vec::new(), seen: ledger.seen().to_vec() })
    }

    /// The same, where these branches moved already and nobody judged it: they vouch for nothing.
    #[must_use]
    pub fn without(self, unseen: Vec<String>) -> Self {
        KnownCommits { unseen, ..self }
    }

    /// For a branch that stands at `old`: what others made, what was there before the hooks, and what the gate let into this branch. What it let
    /// into other branches, by these rules.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn beside(&self, repo: &Repo, old: Oid, rules: &[RulesDigest]) -> Result<Known> {
        let histories = self.histories();
        let on_branch: HashSet<Oid> = new_commits(repo, old, &histories)?.into_iter().collect();
        let counts =
            |known: &&KnownCommit| on_branch.contains(&known.commit) || (!rules.is_empty() && known.is_by(rules));
        let tips = self.let_in().filter(counts).map(|known| known.commit).chain([old]).collect();
        Ok(self.known(histories, tips))
    }

    /// For a new branch: the same of all branches but those of runs, whose guards whoever asked for the run may have chosen. A model gets a branch
    /// past the hooks, and another one there, so that for it no branch counts that stands where the gate did not see it.
    ///
    /// # Errors
    /// The refs cannot be read.
    pub fn on_all_branches(&self, repo: &Repo, author: ChangeAuthor) -> Result<Known> {
        let was_seen = |name: &String, tip: Oid| match author {
            ChangeAuthor::Person => true,
            ChangeAuthor::Model => !self.is_installed() || self.seen.iter().any(|seen| *seen == (name.clone(), tip)),
        };
        let branches = repo
            .refs("refs/heads/")?
            .into_iter()
            .filter(|(name, _)| !self.unseen.contains(name) && !name.starts_with(BRANCHES_OF_RUNS))
            .filter(|(name, tip)| was_seen(name, *tip));
        let branches = branches.map(|(_, oid)| oid).collect();
        let Known { histories, mut tips } = self.known(self.histories(), branches);
        tips.extend(self.let_in().map(|known| known.commit));
        Ok(Known { histories, tips })
    }

    /// For a branch of a remote, which stands at `theirs` and has these rules. None where there is no such branch yet, or what it has is not here:
    /// then it is judged by the rules of where it stands.
    pub fn for_push(&self, theirs: Option<(Oid, RulesDigest)>) -> Known {
        let counts = |known: &&KnownCommit| theirs.is_none_or(|(_, rules)| known.is_by(&[rules]));
        let tips = self.let_in().filter(counts).map(|known| known.commit);
        Known { histories: self.histories(), tips: tips.chain(theirs.map(|(tip, _)| tip)).collect() }
    }

    /// For branches with which rules a commit counts that has these rules itself, with what it stands on. Of a commit that the gate did not let in
    /// that is its own.
    pub fn counts_for(&self, commit: Oid, own: RulesDigest) -> Vec<RulesDigest> {
        let mut rules = Vec::new();
        for known in self.let_in().filter(|known| known.commit == commit) {
            let more: Vec<RulesDigest> = known.rules.iter().filter(|by| !rules.contains(*by)).copied().collect();
            rules.extend(more);
        }
        if rules.is_empty() { vec![own] } else { rules }
    }

    /// Whether the gate let a commit in, others made it, or it was there before the hooks.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn has(&self, repo: &Repo, commit: Oid) -> Result<bool> {
        Ok(self.let_in().any(|known| known.commit == commit) || self.is_old(repo, commit)?)
    }

    /// Whether others made a commit, or it was there before the hooks.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn is_old(&self, repo: &Repo, commit: Oid) -> Result<bool> {
        Ok(new_commits(repo, commit, &self.histories())?.is_empty())
    }

    /// Whoever did not install the hooks, as a second home of the same user in a container, has no note of what was there before. For them
    /// all that a branch has counts as that, since a whole history would be judged otherwise.
    fn known(&self, mut histories: Vec<Oid>, mut tips: Vec<Oid>) -> Known {
        if !self.is_installed() {
            histories.append(&mut tips);
        }
        Known { histories, tips }
    }

    fn is_installed(&self) -> bool {
        self.entries.iter().any(|known| known.how == LetIn::Installed)
    }

    fn histories(&self) -> Vec<Oid> {
        let installed = self.entries.iter().filter(|known| known.how == LetIn::Installed).map(|known| known.commit);
        self.fetched.iter().map(|(_, oid)| *oid).chain(installed).collect()
    }

    fn let_in(&self) -> impl Iterator<Item = &KnownCommit> {
        self.entries.iter().filter(|known| known.how != LetIn::Installed)
    }

    /// Tips whose rules a branch may take over: what its upstream, the branch of the same name at a remote, or the default branch of a remote
    /// has.
    pub fn upstreams(&self, branch: &str, upstream: Option<&str>) -> Vec<Oid> {
        let name = branch.strip_prefix("refs/heads/").unwrap_or(branch);
        let is_upstream = |fetched: &str| {
            let remote = fetched.strip_prefix("refs/remotes/").and_then(|rest| rest.split_once('/'));
            upstream == Some(fetched) || remote.is_some_and(|(_, theirs)| theirs == name || theirs == "HEAD")
        };
        self.fetched.iter().filter(|(fetched, _)| is_upstream(fetched)).map(|(_, oid)| *oid).collect()
    }

    /// Commits that changed the rules with permission.
    pub fn with_allowed_rules(&self) -> impl Iterator<Item = Oid> {
        with_allowed_rules(&self.entries)
    }
}

impl KnownCommit {
    /// Whether it counts for a branch with one of these rules. What an older host let in counts for all.
    fn is_by(&self, rules: &[RulesDigest]) -> bool {
        self.rules.is_empty() || self.rules.iter().any(|by| rules.contains(by))
    }
}

impl Known {
    /// The commits on which `new` stands: the histories, and the tips that it contains.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn below(&self, repo: &Repo, new: Oid) -> Result<Vec<Oid>> {
        let unknown: HashSet<Oid> = new_commits(repo, new, &self.histories)?.into_iter().collect();
        let tips = self.tips.iter().filter(|tip| unknown.contains(tip));
        Ok(self.histories.iter().chain(tips).copied().collect())
    }

    /// Everything, with all that it reaches: what is not behind it was never looked at.
    pub fn seen(&self) -> Vec<Oid> {
        self.histories.iter().chain(&self.tips).copied().collect()
    }
}
