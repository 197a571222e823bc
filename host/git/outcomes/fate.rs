//! Whether what came in was taken back or fixed.

use std::cell::{Ref, RefCell};
use std::collections::{HashMap, HashSet};

use git2::Repository;

use super::main_line::{MainLine, Reverted, find, subject};
use super::patches::{ChangedLines, FILES, TreePair};
use super::{ChangeFate, PastChange, PastChangeKind, PastChanges, PastQuery};
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::Result;

const DAY: i64 = 24 * 60 * 60;
/// Seconds within which a fix counts as one of the change.
const FIX_WINDOW: i64 = 7 * DAY;
/// Seconds within which a commit that says nothing, and is the inverse of another, counts as its revert.
const TAKEN_BACK: i64 = 30 * DAY;

/// Words by which the first line of a message says that something was wrong.
const FIXES: [&str; 9] = ["fix", "fixes", "fixed", "fixing", "fixup", "hotfix", "bugfix", "repair", "regression"];

/// What later commits did.
pub struct Fates<'r> {
    repo: &'r Repository,
    line: &'r MainLine,
    query: &'r PastQuery<'r>,
    /// Commits that later ones say to have taken back, with these.
    reverted: HashMap<Oid, Oid>,
    reverted_pulls: HashMap<u64, Oid>,
    /// By place in the first-parent line.
    times: Vec<i64>,
    fixes: Vec<FixCommit>,
    /// Fixes and changes whose lines are not in this clone.
    unseen: usize,
    /// Places in the line by the files that its commits change, as far back as changes are asked about.
    by_paths: HashMap<Oid, Vec<usize>>,
}

struct FixCommit {
    place: usize,
    commit: Oid,
    trees: TreePair,
    paths: HashSet<RepoPath>,
    /// By file, read where a change of the same file is near. None: it is not in this clone.
    lines: RefCell<HashMap<RepoPath, Option<ChangedLines>>>,
}

impl<'r> Fates<'r> {
    pub fn new(
        repo: &'r Repository,
        line: &'r MainLine,
        changes: &[PastChange],
        query: &'r PastQuery<'r>,
    ) -> Result<Self> {
        let places = changes.iter().filter_map(|change| line.position(change.landing?.commit));
        let oldest = places.max().map_or(0, |oldest| oldest + 1);
        let mut fates = Fates {
            repo,
            line,
            query,
            reverted: HashMap::new(),
            reverted_pulls: HashMap::new(),
            times: Vec::new(),
            fixes: Vec::new(),
            unseen: 0,
            by_paths: HashMap::new(),
        };
        for (place, oid) in line.first_parents[..oldest].iter().enumerate() {
            query.facts.stopped(query.stop)?;
            let commit = find(repo, *oid)?;
            fates.times.push(commit.time().seconds());
            let trees = TreePair::from_commit(repo, *oid)?;
            fates.by_paths.entry(query.facts.paths(repo, trees)?).or_default().push(place);
            if says_fix(&subject(&commit)) {
                let paths: HashSet<_> = trees.paths(repo)?.into_iter().collect();
                if paths.len() <= FILES {
                    fates.fixes.push(FixCommit { place, commit: *oid, trees, paths, lines: RefCell::default() });
                }
            }
        }
        fates.read_reverts()?;
        Ok(fates)
    }

    /// A revert that was itself taken back leaves things as they were.
    fn read_reverts(&mut self) -> Result<()> {
        let mut subjects: HashMap<String, Vec<usize>> = HashMap::new();
        if self.line.reverts.iter().any(|revert| matches!(revert.what, Reverted::Subject(_))) {
            for (place, oid) in self.line.first_parents.iter().enumerate() {
                subjects.entry(subject(&find(self.repo, *oid)?)).or_default().push(place);
            }
        }
        let is_later = |by: Oid, what: Oid| match (self.line.position(by), self.line.position(what)) {
            // Newer commits have smaller places; what came by the same commit is one change.
            (Some(by), Some(what)) => by < what,
            _ => false,
        };
        let mut all: HashMap<Oid, Oid> = HashMap::new();
        let mut pulls: HashMap<u64, Oid> = HashMap::new();
        for revert in &self.line.reverts {
            match &revert.what {
                Reverted::Commit(what) if is_later(revert.by, *what) => drop(all.insert(*what, revert.by)),
                Reverted::Commit(_) => {}
                Reverted::Pull(number) => drop(pulls.insert(*number, revert.by)),
                Reverted::Subject(subject) => {
                    let by = self.line.position(revert.by);
                    let earlier =
                        subjects.get(subject).into_iter().flatten().find(|place| by.is_some_and(|by| by < **place));
                    if let Some(place) = earlier {
                        all.insert(self.line.first_parents[*place], revert.by);
                    }
                }
            }
        }
        let undone: HashSet<Oid> = all.keys().copied().collect();
        let stands = |by: &Oid| {
            let came_by = self.line.position(*by).map(|place| self.line.first_parents[place]);
            !undone.contains(by) && came_by.is_none_or(|came_by| !undone.contains(&came_by))
        };
        self.reverted = all.iter().filter(|(_, by)| stands(by)).map(|(what, by)| (*what, *by)).collect();
        self.reverted_pulls = pulls.iter().filter(|(_, by)| stands(by)).map(|(what, by)| (*what, *by)).collect();
        Ok(())
    }

    /// Sets the fate of each that landed.
    pub fn tell(mut self, past: &mut PastChanges) -> Result<()> {
        for change in &mut past.changes {
            self.query.facts.stopped(self.query.stop)?;
            if let Some(fate) = self.fate(change)? {
                change.fate = fate;
            }
        }
        if self.unseen > 0 {
            let what = "commits were not compared with what they may fix, since this clone lacks files of them";
            past.notices.push(format!("{} {what}", self.unseen));
        }
        Ok(())
    }

    fn fate(&mut self, change: &PastChange) -> Result<Option<ChangeFate>> {
        let Some(landing) = change.landing else { return Ok(None) };
        if let Some(by) = self.reverted_by_message(change, landing.commit) {
            return Ok(Some(ChangeFate::Reverted(by)));
        }
        let Some(place) = self.line.position(landing.commit).filter(|place| *place < self.times.len()) else {
            return Ok(None);
        };
        if let Some(by) = self.taken_back(landing.commit, place)? {
            return Ok(Some(ChangeFate::Reverted(by)));
        }
        Ok(self.fixed_later(change, place)?.map(ChangeFate::Mended))
    }

    fn reverted_by_message(&self, change: &PastChange, landed: Oid) -> Option<Oid> {
        let of_pull = match change.what {
            PastChangeKind::Pull(number) | PastChangeKind::MergeRequest(number) => self.reverted_pulls.get(&number),
            PastChangeKind::Commit | PastChangeKind::Merge => {
                super::main_line::pull_of(&change.subject).and_then(|number| self.reverted_pulls.get(&number))
            }
        };
        let of_pull = of_pull.filter(|by| match (self.line.position(**by), self.line.position(landed)) {
            (Some(by), Some(landed)) => by < landed,
            _ => false,
        });
        of_pull.or_else(|| self.reverted.get(&landed)).or_else(|| self.reverted.get(&change.tip)).copied()
    }

    /// The commit of the line that is the inverse of this one, soon after it.
    fn taken_back(&self, landed: Oid, place: usize) -> Result<Option<Oid>> {
        let trees = TreePair::from_commit(self.repo, landed)?;
        let alike = self.by_paths.get(&self.query.facts.paths(self.repo, trees)?);
        let is_soon = |later: &&usize| **later < place && self.times[**later] - self.times[place] <= TAKEN_BACK;
        let mut alike = alike.into_iter().flatten().filter(is_soon).peekable();
        if alike.peek().is_none() {
            return Ok(None);
        }
        let facts = self.query.facts;
        let (Some(own), Some(inverse)) = (facts.patch_id(self.repo, trees)?, facts.inverse_id(self.repo, trees)?)
        else {
            return Ok(None);
        };
        // From the newest on: the last of them that takes it back or makes it again counts.
        for later in alike {
            let oid = self.line.first_parents[*later];
            match facts.patch_id(self.repo, TreePair::from_commit(self.repo, oid)?)? {
                Some(id) if id == inverse => return Ok(Some(oid)),
                Some(id) if id == own => return Ok(None),
                Some(_) | None => {}
            }
        }
        Ok(None)
    }

    /// The first commit within a week that says that it fixes something, and takes lines that the change added.
    fn fixed_later(&mut self, change: &PastChange, place: usize) -> Result<Option<Oid>> {
        let is_soon = |fix: &&FixCommit| fix.place < place && self.times[fix.place] - self.times[place] <= FIX_WINDOW;
        let mut fixes = self.fixes.iter().rev().filter(is_soon).peekable();
        if fixes.peek().is_none() {
            return Ok(None);
        }
        let trees = TreePair::between(self.repo, change.base, change.tip)?;
        let mut paths = trees.paths(self.repo)?;
        // What only programs write is fixed by none, and is the longest.
        paths.retain(|path| (self.query.is_written)(path));
        if paths.len() > FILES {
            return Ok(None);
        }
        let own = RefCell::default();
        let mut unseen = 0;
        let mut found = None;
        'fixes: for fix in fixes {
            self.query.facts.stopped(self.query.stop)?;
            for path in paths.iter().filter(|path| fix.paths.contains(path)) {
                let touched = self.query.facts.touched([trees, fix.trees], path, || {
                    let added = self.lines(trees, path, &own)?;
                    let removed = self.lines(fix.trees, path, &fix.lines)?;
                    Ok(match (&added[path], &removed[path]) {
                        (Some(own), Some(fix)) => Some(!own.added.is_disjoint(&fix.removed)),
                        (None, _) | (_, None) => None,
                    })
                })?;
                match touched {
                    Some(true) => {
                        found = Some(fix.commit);
                        break 'fixes;
                    }
                    Some(false) => {}
                    None => unseen += 1,
                }
            }
        }
        self.unseen += unseen;
        Ok(found)
    }

    /// Those of one file, read once.
    fn lines<'k>(
        &self,
        trees: TreePair,
        path: &RepoPath,
        known: &'k RefCell<HashMap<RepoPath, Option<ChangedLines>>>,
    ) -> Result<Ref<'k, HashMap<RepoPath, Option<ChangedLines>>>> {
        if !known.borrow().contains_key(path) {
            let lines = trees.lines(self.repo, path)?;
            known.borrow_mut().insert(path.clone(), lines);
        }
        Ok(known.borrow())
    }
}

fn says_fix(subject: &str) -> bool {
    let subject = subject.to_lowercase();
    subject.split(|c: char| !c.is_alphanumeric()).any(|word| FIXES.contains(&word))
}
