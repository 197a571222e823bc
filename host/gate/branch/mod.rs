//! Branches that move: what comes into them, and by which rules that is judged.
//!
//! The old tip is the judge: of a branch that was there, its rules hold for what comes in, and they hold afterwards too, unless somebody who
//! keeps them allows a change. What is old is old: see [`KnownCommits`].

mod known;
mod ledger;
mod ledger_content;
mod tip_rules;

use known::Known;
pub use known::KnownCommits;
pub use ledger::{KnownCommit, Ledger, LetIn, SeenBranch};

use guardhost_core::change::{Candidate, Observer, Oid, Refused, RefusedKind, RepoPath};
use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_git::{Arrival, Repo, arrival, changes_of, commit_change, move_change, new_commits};
use guardhost_policy::PolicySource;

use crate::case::{Case, ChangeAuthor, RuleChanges, Terms};
use crate::change::{Proposal, RulesAt};
use crate::gate::Gate;
use crate::remembered::Remembrance;
use crate::ruling::{RefusedChange, Ruling};
use tip_rules::{RulesDigest, TipRules};

/// Commits that are judged each for itself, the newest of those that come in together. Five hundred take about a minute with all guards.
const MAX_COMMITS: usize = 500;

/// Rules for whose branches a commit counts that are kept, the newest of them: as many allowed changes between two fetches are rare.
const MAX_RULES: usize = 16;

/// Guards whose findings count in every commit, also where a later one fixes them: who gets the history gets what they find.
const GUARDS_OF_HISTORY: [&str; 1] = ["no-secrets"];

/// A branch, here or at a remote, that is about to move.
pub struct BranchMove<'a> {
    /// The full name.
    pub name: &'a str,
    /// The commit that the branch points to now; None for a new branch.
    pub old: Option<Oid>,
    /// Where the gate last saw a branch of this name, if that is not where it stands: it was deleted, or moved without a hook.
    pub stood: Option<Oid>,
    pub new: Oid,
}

/// What stands against a move.
pub enum Objection {
    /// What comes in is rejected.
    Change {
        /// The last of the commits that are rejected together.
        tip: Oid,
        commits: usize,
        ruling: Ruling,
    },
    /// The branch would have other rules afterwards.
    Rules(Refused),
}

/// Rules on moves in one repository.
pub struct BranchGate<'a> {
    pub repo: &'a Repo,
    pub source: &'a PolicySource<'a>,
    pub terms: Terms<'a>,
    pub known: &'a KnownCommits,
    pub observer: &'a dyn Observer,
}

/// What the gate says of a move.
#[derive(Default)]
pub struct MoveRuling {
    /// What stands against it; empty where nothing does.
    pub objections: Vec<Objection>,
    /// Whether the rules of the branch change, with permission or as the first ones.
    pub changes_rules: bool,
    /// For branches with which rules the new tip counts, with all that it stands on. None where that is not known: then no later move may
    /// take what this one stands on for judged.
    pub counts_for: Option<Vec<RulesDigest>>,
    /// Where the gate last saw the branch, if a model moves it from elsewhere: what came in since without a hook is judged with the move.
    pub judged_since: Option<Oid>,
    /// Commits that were judged as part of the whole and not each for itself, since more than [`MAX_COMMITS`] came in together: what one of
    /// them brought and a later one removed was not looked at.
    pub unread_commits: usize,
    /// What there is to remember of it; None where nothing new was judged, or nothing is remembered.
    pub remembrance: Option<Remembrance>,
}

impl MoveRuling {
    fn against(objections: Vec<Objection>) -> Self {
        MoveRuling { objections, ..MoveRuling::default() }
    }

    /// What to know of the new tip from now on.
    pub fn known(&self, tip: Oid) -> Option<KnownCommit> {
        let how = if self.changes_rules { LetIn::RulesAllowed } else { LetIn::Judged };
        Some(KnownCommit { how, commit: tip, rules: self.counts_for.clone()? })
    }

    /// Keeps what there is to remember of it. A move is one ruling, however often guards were asked.
    pub fn remember(&self, observer: &dyn Observer) {
        self.remembrance.iter().for_each(|remembrance| remembrance.keep(observer));
    }
}

impl BranchGate<'_> {
    /// A branch of this repository.
    ///
    /// # Errors
    /// The history or the rules cannot be read, or a guard was stopped.
    pub fn local(&self, moved: &BranchMove<'_>) -> Result<MoveRuling> {
        if let Some(refused) = self.grafted() {
            return Ok(refused);
        }
        let from = self.from(moved)?;
        let judged_since = from.filter(|_| self.terms.author == ChangeAuthor::Model && from != moved.old);
        let mut objections = Vec::new();
        let mut changes_rules = false;
        if let Some(old) = moved.old {
            // A model's way past the hooks changes no rules either.
            let since = judged_since.unwrap_or(old);
            match (TipRules { repo: self.repo, known: self.known }).change(moved.name, since, moved.new)? {
                None => {}
                Some(_) if self.terms.rule_changes == RuleChanges::Allowed => changes_rules = true,
                Some(change) if change.brings_the_first && self.terms.author == ChangeAuthor::Person => {
                    changes_rules = true
                }
                Some(change) if change.is_from_upstream => {}
                Some(change) => objections.push(Objection::Rules(change.refused)),
            }
        }
        // Deleting a branch and making it again, and renaming another to its name, which asks no hook, take its rules off it.
        if let Some(stood) = moved.stood
            && let Some(refused) =
                (TipRules { repo: self.repo, known: self.known }).dropped(moved.name, stood, moved.new)?
            && objections.is_empty()
        {
            match self.terms.rule_changes {
                RuleChanges::Allowed => changes_rules = true,
                RuleChanges::Kept => objections.push(Objection::Rules(refused)),
            }
        }
        if !objections.is_empty() {
            let remembrance = self.refusal_on_record(moved, &objections);
            return Ok(MoveRuling { remembrance, judged_since, ..MoveRuling::against(objections) });
        }
        let known = match (from, moved.old) {
            (Some(old), Some(at)) if old == at => self.known.beside(self.repo, old, &[])?,
            // What was let into another branch by rules that this one had, or is to have, was judged as it would be here.
            (Some(stood), _) => {
                let rules = [RulesDigest::of(self.repo, from)?, RulesDigest::of(self.repo, Some(moved.new))?];
                self.known.beside(self.repo, stood, &rules)?
            }
            (None, _) => self.known.on_all_branches(self.repo, self.terms.author)?,
        };
        // Of a branch that was there, the tips were compared.
        let terms = match from {
            Some(_) => Terms { rule_changes: RuleChanges::Allowed, ..self.terms },
            None => self.terms,
        };
        let mut ruling = self.arriving(&BranchMove { old: from, ..*moved }, &known, terms)?;
        if let Some(remembrance) = &mut ruling.remembrance {
            remembrance.record.rule_change_allowed = changes_rules;
        }
        let counts_for = self.counts_for(moved, from, &known, changes_rules)?;
        Ok(MoveRuling { changes_rules, counts_for, judged_since, ..ruling })
    }

    /// What stands against every move where commits have other parents than they say: which commits are new would be the choice of whoever
    /// wrote the file of grafts. As with replacements, people may mean it.
    fn grafted(&self) -> Option<MoveRuling> {
        let is_refused = self.terms.rule_changes == RuleChanges::Kept && self.repo.has_grafts();
        is_refused.then(|| {
            let message =
                "it gives commits other parents than they have, so that it would say what is new; git replace \
                           --convert-graft-file makes replacements of it, which do not"
                    .to_owned();
            let path = Some(RepoPath::from(".git/info/grafts"));
            MoveRuling::against(vec![Objection::Rules(Refused { kind: RefusedKind::Protected, path, message })])
        })
    }

    /// The commit from which the branch moves: where it stands. One that was deleted, or whose name another one took that got its commits by
    /// other rules, moves from where the gate last saw it; for a model that moves it, any that stands elsewhere: what it got past the hooks is
    /// forgotten by no commit on top. A person may have gone around them on purpose.
    fn from(&self, moved: &BranchMove<'_>) -> Result<Option<Oid>> {
        let Some(stood) = moved.stood.filter(|stood| self.repo.tree_of(*stood).is_ok()) else { return Ok(moved.old) };
        let Some(old) = moved.old.filter(|_| self.terms.author == ChangeAuthor::Person) else { return Ok(Some(stood)) };
        let (then, now) = (RulesDigest::of(self.repo, Some(stood))?, RulesDigest::of(self.repo, Some(old))?);
        let rules = self.known.counts_for(old, now);
        Ok(Some(if rules.contains(&then) || rules.contains(&now) { old } else { stood }))
    }

    /// For branches with which rules the new tip counts: as the commit that it stands on does, and for those with its own where they were allowed.
    /// None where a model moves a branch from a commit that nobody judged, as after the gate lost what it knew: its commit vouches for itself.
    fn counts_for(
        &self,
        moved: &BranchMove<'_>,
        from: Option<Oid>,
        known: &Known,
        changes_rules: bool,
    ) -> Result<Option<Vec<RulesDigest>>> {
        let base = match from {
            Some(old) => Some(old),
            None => match arrival(self.repo, moved.new, &known.below(self.repo, moved.new)?)? {
                Some(arrival) => arrival.start,
                None => Some(moved.new),
            },
        };
        if let Some(old) = from.filter(|_| self.terms.author == ChangeAuthor::Model)
            && !self.known.has(self.repo, old)?
        {
            return Ok(None);
        }
        let own = RulesDigest::of(self.repo, base)?;
        let now = RulesDigest::of(self.repo, Some(moved.new))?;
        // Rules of others are taken over: what is below was judged by the old ones, and what comes will be by these, so that neither vouches for
        // all of it. Of what others made nothing was judged here.
        if now != own && !changes_rules {
            let is_theirs = self.known.is_old(self.repo, moved.new)?;
            return Ok(Some(vec![if is_theirs { now } else { RulesDigest::NONE }]));
        }
        let mut rules = base.map_or_else(|| vec![own], |base| self.known.counts_for(base, own));
        if changes_rules && rules.contains(&own) {
            rules.push(now);
            rules.drain(..rules.len().saturating_sub(MAX_RULES));
        }
        Ok(Some(rules))
    }

    /// A branch of a remote that a push moves. What the gate let in here is not judged again.
    ///
    /// # Errors
    /// As of [`BranchGate::local`].
    pub fn pushed(&self, moved: &BranchMove<'_>) -> Result<MoveRuling> {
        if let Some(refused) = self.grafted() {
            return Ok(refused);
        }
        let theirs = moved.old.filter(|theirs| self.repo.tree_of(*theirs).is_ok());
        let theirs = theirs.map(|tip| Ok::<_, Error>((tip, RulesDigest::of(self.repo, Some(tip))?))).transpose()?;
        self.arriving(moved, &self.known.for_push(theirs), self.terms)
    }

    /// What a branch gets is judged as one change: from the known commits on which it stands. A branch that goes back, or aside, to a commit
    /// that was never a tip is judged as a change of its old tip first, which is most often the smaller one. Where either is accepted, the
    /// branch stands where it may.
    fn arriving(&self, moved: &BranchMove<'_>, known: &Known, terms: Terms<'_>) -> Result<MoveRuling> {
        let unseen = new_commits(self.repo, moved.new, &known.seen())?;
        let Some(arrival) = arrival(self.repo, moved.new, &known.below(self.repo, moved.new)?)? else {
            return Ok(MoveRuling::default());
        };
        let old = moved.old.filter(|old| self.repo.tree_of(*old).is_ok());
        if let Some(old) = old.filter(|_| arrival.commits.len() > unseen.len()) {
            let change = move_change(self.repo, old, moved.new, &unseen)?;
            let ruling = self.change(moved, &unseen, Some(change), Some(old), terms)?;
            if ruling.objections.is_empty() {
                return Ok(ruling);
            }
        }
        let Arrival { commits, change, start } = arrival;
        // What git does not merge by itself is compared with the old tip: a parent is its author's choice.
        let change = match (change, old) {
            (None, Some(old)) => Some(move_change(self.repo, old, moved.new, &commits)?),
            (change, _) => change,
        };
        self.change(moved, &commits, change, old.or(start), terms)
    }

    /// What these commits come to, by the rules of `judge`, and each for what must never be in a history.
    fn change(
        &self,
        moved: &BranchMove<'_>,
        commits: &[Oid],
        change: Option<Candidate>,
        judge: Option<Oid>,
        terms: Terms<'_>,
    ) -> Result<MoveRuling> {
        let (tip, count) = (moved.new, commits.len());
        let rules = match judge {
            Some(commit) => RulesAt::commit(self.repo, commit)?,
            None => RulesAt { commit: None, tree: self.repo.empty_tree()? },
        };
        let Some(change) = change else {
            return self.one_by_one(moved.name, commits, rules, terms);
        };
        let proposal = Proposal { candidate: change, rules };
        let gate = Gate::for_change(self.source, self.repo, &proposal, &terms)?;
        let (ruling, whole) = gate.rule_on_record(Case::report(proposal.candidate, None), self.observer)?;
        if !ruling.is_accepted() {
            let objection = Objection::Change { tip, commits: count, ruling };
            return Ok(MoveRuling { remembrance: whole, ..MoveRuling::against(vec![objection]) });
        }
        if count <= 1 {
            return Ok(MoveRuling { remembrance: whole, ..MoveRuling::default() });
        }
        let commits = self.that_change_files(commits)?;
        let unread_commits = commits.len().saturating_sub(MAX_COMMITS);
        let (objections, of_commit) = self.history(&gate, &commits[unread_commits..], rules, terms)?;
        Ok(MoveRuling { objections, unread_commits, remembrance: of_commit.or(whole), ..MoveRuling::default() })
    }

    /// Without the commits that leave the tree of their only parent as it is: any number of them costs nothing to make, and would take the place
    /// of those that are read one by one.
    fn that_change_files(&self, commits: &[Oid]) -> Result<Vec<Oid>> {
        let mut changing = Vec::new();
        for commit in commits {
            let is_empty = match self.repo.parents_and_message(*commit)?.0[..] {
                [parent] => {
                    self.repo.tree_of(parent).is_ok_and(|tree| self.repo.tree_of(*commit).is_ok_and(|own| own == tree))
                }
                _ => false,
            };
            if !is_empty {
                changing.push(*commit);
            }
        }
        Ok(changing)
    }

    /// What there is to remember of a branch whose rules may not change so.
    fn refusal_on_record(&self, moved: &BranchMove<'_>, objections: &[Objection]) -> Option<Remembrance> {
        let refused = objections.iter().find_map(|objection| match objection {
            Objection::Rules(refused) => Some(refused.clone()),
            Objection::Change { .. } => None,
        })?;
        let old = moved.old.or(moved.stood)?;
        // What cannot be read any more is not remembered; the move is refused all the same.
        let candidate = move_change(self.repo, old, moved.new, &[]).ok()?;
        let gate = Gate::open(self.source, self.repo, RulesAt::commit(self.repo, old).ok()?, &self.terms).ok()?;
        gate.refusal_on_record(RefusedChange { candidate, refused, misfits: Vec::new() })
    }

    /// Holds each commit to the guards of what must never be in a history. The first that is rejected is what is remembered.
    fn history(
        &self,
        gate: &Gate,
        commits: &[Oid],
        rules: RulesAt,
        terms: Terms<'_>,
    ) -> Result<(Vec<Objection>, Option<Remembrance>)> {
        let is_there = |id: &&&str| gate.guards().component_ids().any(|known| known == **id);
        let only: Vec<String> = GUARDS_OF_HISTORY.iter().filter(is_there).map(|id| (*id).to_owned()).collect();
        if only.is_empty() {
            return Ok((Vec::new(), None));
        }
        let terms = Terms { only: &only, rule_changes: RuleChanges::Allowed, ..terms };
        let gate = Gate::open(self.source, self.repo, rules, &terms)?.chosen_by_host();
        let (mut objections, mut first) = (Vec::new(), None);
        for commit in commits {
            let case = Case::report(commit_change(self.repo, *commit)?, None);
            let (ruling, remembrance) = gate.rule_on_record(case, self.observer)?;
            if !ruling.is_accepted() {
                first = first.or(remembrance);
                objections.push(Objection::Change { tip: *commit, commits: 1, ruling });
            }
        }
        Ok((objections, first))
    }

    /// Of a new branch, where what was known cannot be put together: each commit as a change of its own, by the rules of what was known, since
    /// those of its parent may be new themselves; and a merge that git does not make as one of each parent.
    fn one_by_one(&self, name: &str, commits: &[Oid], rules: RulesAt, terms: Terms<'_>) -> Result<MoveRuling> {
        if commits.len() > MAX_COMMITS {
            let what = format!(
                "{name} would get {} commits that were never judged, from histories that conflict",
                commits.len()
            );
            return Err(Fault::new(FaultKind::Git, what).hint("merge them one after the other").into());
        }
        let (mut objections, mut against, mut last) = (Vec::new(), None, None);
        let mut changes = Vec::new();
        for commit in commits {
            changes.extend(changes_of(self.repo, *commit)?.into_iter().map(|change| (commit, change)));
        }
        for (commit, candidate) in changes {
            let proposal = Proposal { candidate, rules };
            let gate = Gate::for_change(self.source, self.repo, &proposal, &terms)?;
            let (ruling, remembrance) = gate.rule_on_record(Case::report(proposal.candidate, None), self.observer)?;
            if ruling.is_accepted() {
                last = remembrance;
            } else {
                against = against.or(remembrance);
                objections.push(Objection::Change { tip: *commit, commits: 1, ruling });
            }
        }
        Ok(MoveRuling { remembrance: against.or(last), ..MoveRuling::against(objections) })
    }
}
