//! The largest part of a rejected change that the guards accept: whole files first, then hunks of the files that are left.
//!
//! Files that a finding names are left out until what remains is accepted; then each of them is tried again, and at last their hunks, one after
//! the other. So nothing that is left out could be added by itself, as long as there is time: it bounds the search, and never a verdict. Every
//! part is judged by the gate as a change of its own, and none of these rulings is remembered.

mod core;
pub mod shares;

use std::cell::Cell;
use std::time::{Duration, Instant};

use guardhost_core::change::{Candidate, GuardVerdict, Mode, Observer, Oid, RejectedPlace, RepoPath, Severity, Task};
use guardhost_core::error::Result;
use guardhost_git::{Repo, candidate, hunks};

use self::core::rejected_core;
use self::shares::{Share, Shares, texts, tree};

use crate::case::Case;
use crate::gate::Gate;
use crate::judged::Judged;
use crate::ruling::Ruling;

/// Time for the search.
pub const SEARCH: Duration = Duration::from_secs(5);

/// Hunks of a file that are tried one by one.
const HUNKS: usize = 100;

/// Parts that are judged. Where guards are fast this ends the search and not the time, so that it ends alike on every machine.
pub const JUDGED: usize = 300;

/// A part of a change.
pub struct Part {
    /// The base with the part.
    pub tree: Oid,
    /// The files of it that are in the part as the change has them.
    pub files: Vec<RepoPath>,
    /// Of these only some hunks are in it.
    pub partly: Vec<RepoPath>,
    /// The rest.
    pub left_out: Vec<RepoPath>,
    /// What the change has and the part has not.
    pub core: Vec<RejectedPlace>,
}

/// What a search came to.
pub struct Salvaged {
    /// None: no part was found that is not empty.
    pub part: Option<Part>,
    /// Everything was tried; else the search was over, and more may be acceptable.
    pub is_complete: bool,
}

/// Whether a part is looked for unasked. Not where each question would start builds or ask models, nor where a guard failed: it may fail of
/// every part.
pub fn is_worth_a_search(gate: &Gate, rejected: &Judged) -> bool {
    let judgement = rejected.judgement();
    let has_failed = judgement
        .evidence
        .iter()
        .any(|evidence| evidence.mode == Mode::Enforce && matches!(evidence.verdict, GuardVerdict::Error { .. }));
    !judgement.is_accepted() && !has_failed && !gate.guards().asks_beyond_the_change()
}

struct SubsetSearch<'a> {
    repo: &'a Repo,
    gate: &'a Gate,
    change: &'a Candidate,
    task: Option<&'a Task>,
    observer: &'a dyn Observer,
    begun: Instant,
    judged: Cell<usize>,
}

/// Searches for at most [`SEARCH`], and judges at most [`JUDGED`] parts.
///
/// # Errors
/// The repository's objects cannot be read, or the guards were stopped.
pub fn salvage(
    repo: &Repo,
    gate: &Gate,
    change: &Candidate,
    task: Option<&Task>,
    observer: &dyn Observer,
) -> Result<Salvaged> {
    let search = SubsetSearch { repo, gate, change, task, observer, begun: Instant::now(), judged: Cell::new(0) };
    let mut is_complete = true;
    let mut best = search.sound_files()?.unwrap_or_default();
    for number in 0..change.files.len() {
        if best.contains_key(&number) {
            continue;
        }
        let whole = Shares::from_iter([(number, Share::Whole)]);
        is_complete &= search.extend(&mut best, whole)?;
    }
    for number in 0..change.files.len() {
        if !best.contains_key(&number) {
            is_complete &= search.hunk_by_hunk(&mut best, number)?;
        }
    }
    Ok(Salvaged { part: search.part(&best)?, is_complete })
}

impl SubsetSearch<'_> {
    fn is_over(&self) -> bool {
        self.begun.elapsed() > SEARCH || self.judged.get() >= JUDGED
    }

    /// Adds to the part what makes it an acceptable one. False: there was no time to ask.
    fn extend(&self, best: &mut Shares, more: Shares) -> Result<bool> {
        if self.is_over() {
            return Ok(false);
        }
        let mut tried = best.clone();
        tried.extend(more);
        if self.against(&tried)?.is_none() {
            *best = tried;
        }
        Ok(true)
    }

    fn hunk_by_hunk(&self, best: &mut Shares, number: usize) -> Result<bool> {
        let Some((old, new)) = texts(self.change, number)? else { return Ok(true) };
        let all = hunks(&old, &new)?;
        // One hunk is the whole file, which was tried.
        if all.len() < 2 {
            return Ok(true);
        }
        let mut is_complete = all.len() <= HUNKS;
        for hunk in all.into_iter().take(HUNKS) {
            let mut chosen = match best.get(&number) {
                Some(Share::Hunks(chosen)) => chosen.clone(),
                Some(Share::Whole) | None => Vec::new(),
            };
            chosen.push(hunk);
            is_complete &= self.extend(best, Shares::from_iter([(number, Share::Hunks(chosen))]))?;
        }
        Ok(is_complete)
    }

    /// The files that are left when those are taken out that findings name, again and again. None where a finding names none.
    fn sound_files(&self) -> Result<Option<Shares>> {
        let mut kept: Shares = (0..self.change.files.len()).map(|number| (number, Share::Whole)).collect();
        while !kept.is_empty() && !self.is_over() {
            let Some(named) = self.against(&kept)? else { return Ok(Some(kept)) };
            let before = kept.len();
            kept.retain(|number, _| !named.contains(&self.change.files[*number].path.to_string()));
            if kept.len() == before {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The files that stand against a part; None where it is accepted.
    fn against(&self, shares: &Shares) -> Result<Option<Vec<String>>> {
        self.judged.update(|judged| judged + 1);
        let tree = tree(self.repo, self.change, shares)?;
        let part = candidate(self.repo, self.change.base, self.change.base_tree, tree)?;
        // What guards know of the whole change they know of its part: who made it decides some of their rules.
        let part = Candidate { message: self.change.message.clone(), commits: self.change.commits.clone(), ..part };
        Ok(match self.gate.rule(Case::report(part, self.task).in_passing(), self.observer)? {
            Ruling::Empty(_) => Some(Vec::new()),
            Ruling::Refused(refused) => Some(refused.refused.path.iter().map(ToString::to_string).collect()),
            Ruling::Judged(judged) if judged.is_accepted() => None,
            Ruling::Judged(judged) => {
                let enforced = judged.judgement().evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
                let rejecting = enforced.filter(|evidence| matches!(evidence.verdict, GuardVerdict::Reject(_)));
                let findings = rejecting.flat_map(|evidence| evidence.verdict.findings());
                let errors = findings.filter(|finding| finding.severity == Severity::Error);
                Some(errors.filter_map(|finding| finding.path.clone()).collect())
            }
        })
    }

    fn part(&self, best: &Shares) -> Result<Option<Part>> {
        if best.is_empty() {
            return Ok(None);
        }
        let tree = tree(self.repo, self.change, best)?;
        let core = rejected_core(self.repo, self.change, tree)?;
        let mut part = Part { tree, files: Vec::new(), partly: Vec::new(), left_out: Vec::new(), core };
        for (number, file) in self.change.files.iter().enumerate() {
            match best.get(&number) {
                Some(Share::Whole) => part.files.push(file.path.clone()),
                Some(Share::Hunks(_)) => part.partly.push(file.path.clone()),
                None => part.left_out.push(file.path.clone()),
            }
        }
        Ok(Some(part))
    }
}
