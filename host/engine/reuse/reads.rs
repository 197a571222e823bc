//! What a guard asked during a call, beyond the touched files: the questions, and what was answered.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::capability::tree_search::{Payer, Search, Searched};
use crate::grant::PathScope;
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::limits::{GuardStop, HOST_BYTES, STEP};
use guardhost_core::change::{CommitInfo, RepoPath, TaskMode, TreeEntry};

/// A question that the host can ask again. The answers to all of them decide what a guard was told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RepeatableQuestion {
    /// The task: its text, its hints, its mode.
    Task,
    /// The commits of the change, made or proposed.
    Commits,
    /// The entry at a path: its mode and the id of its content, or that there is none.
    Entry(TreeSide, String),
    /// Whether there is a folder at a path.
    Folder(TreeSide, String),
    /// What the manifests of a tree declare.
    Manifests(TreeSide),
    Languages(TreeSide),
    Frameworks(TreeSide),
    EntryPoints(TreeSide),
    /// What is found in a tree. Its answer is the JSON of a [`Searched`].
    Search(Search),
}

/// What a call may make the host read, beyond what it did.
pub struct Room {
    left: u64,
    /// How often each question was asked, at most: it is kept once.
    times: u64,
    /// What takes longer is left to a call of the guard, which has limits of its own.
    until: Instant,
}

/// For all searches of one kept verdict. A search is as cheap as one of a call, but a call ends at its limit of time.
const AGAIN: Duration = Duration::from_secs(1);

impl Room {
    /// Of a call that asked so often and made the host read so much.
    pub fn new(calls: u32, bytes: u64) -> Self {
        Room { left: HOST_BYTES.saturating_sub(bytes), times: calls.into(), until: Instant::now() + AGAIN }
    }

    /// False when the call might end at its limit in this tree.
    fn has(&mut self, more: u64) -> bool {
        let more = more.saturating_mul(self.times);
        let is_enough = more <= self.left;
        self.left = self.left.saturating_sub(more);
        is_enough
    }
}

/// Pays for a search that is made again: as much as one call may have, and as long as it is worth.
struct Again {
    bytes: u64,
    steps: u32,
    until: Instant,
}

impl Again {
    fn until(until: Instant) -> Self {
        Again { bytes: 0, steps: 0, until }
    }
}

/// The clock is read once in so many steps.
const STEPS: u32 = 64;

impl Payer for Again {
    fn bytes(&mut self, bytes: u64) -> Result<(), GuardStop> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.steps.is_multiple_of(STEPS) && Instant::now() >= self.until {
            return Err(GuardStop::Count("a search takes longer than a call of the guard is worth".to_owned()));
        }
        self.steps = self.steps.wrapping_add(1);
        match self.bytes > HOST_BYTES {
            true => Err(GuardStop::Count("a search is larger than a call may make it".to_owned())),
            false => Ok(()),
        }
    }

    fn step(&mut self) -> Result<(), GuardStop> {
        self.bytes(STEP)
    }

    /// Not whether the set was stopped: the objects of a change cannot be read any more when the set was stopped.
    fn visit(&mut self, bytes: u64) -> Result<(), GuardStop> {
        self.bytes(bytes)
    }
}

/// The questions of one call, with the answers.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    answers: BTreeMap<RepeatableQuestion, String>,
    /// It asked something that is not a [`RepeatableQuestion`].
    other: bool,
    task: bool,
    commits: bool,
}

impl Reads {
    /// Notes a question about this change. An answer that cannot be had is an error of the call, whose outcome nobody keeps.
    pub fn note(&mut self, question: RepeatableQuestion, change: &ChangeView) {
        match question {
            RepeatableQuestion::Task => self.task = true,
            RepeatableQuestion::Commits => self.commits = true,
            RepeatableQuestion::Entry(..)
            | RepeatableQuestion::Folder(..)
            | RepeatableQuestion::Manifests(_)
            | RepeatableQuestion::Languages(_)
            | RepeatableQuestion::Frameworks(_)
            | RepeatableQuestion::EntryPoints(_)
            | RepeatableQuestion::Search(_) => {}
        }
        if !self.other && !self.answers.contains_key(&question) {
            match question.answer(change) {
                Ok(answer) => drop(self.answers.insert(question, answer)),
                Err(_) => self.note_other(),
            }
        }
    }

    /// Notes what stands at a path.
    pub fn note_entry(&mut self, side: TreeSide, path: &RepoPath, entry: Option<TreeEntry>) {
        if !self.other {
            self.answers
                .entry(RepeatableQuestion::Entry(side, path.to_string()))
                .or_insert_with(|| entry_answer(entry));
        }
    }

    /// Notes a search, and what it came to.
    pub fn note_search(&mut self, search: Search, searched: &Searched) {
        match serde_json::to_string(searched) {
            Ok(answer) if !self.other => drop(self.answers.insert(RepeatableQuestion::Search(search), answer)),
            Ok(_) => {}
            Err(_) => self.note_other(),
        }
    }

    /// Notes a question whose answer depends on more than the change.
    pub fn note_other(&mut self) {
        self.other = true;
    }

    /// Whether it asked for the task, and whether for the commits.
    pub fn request_reads(&self) -> (bool, bool) {
        (self.task, self.commits)
    }

    /// The recorded questions with their answers. None if one of the questions cannot be repeated, so that the verdict
    /// cannot be reused.
    pub fn answers(&self) -> Option<&BTreeMap<RepeatableQuestion, String>> {
        (!self.other).then_some(&self.answers)
    }
}

impl RepeatableQuestion {
    /// The answer for this change; two equal answers mean that a guard is told the same.
    pub fn answer(&self, change: &ChangeView) -> Result<String, GuardStop> {
        Ok(match self {
            RepeatableQuestion::Task => task(change)?,
            RepeatableQuestion::Commits => commits(&change.commits())?,
            RepeatableQuestion::Entry(side, path) => entry_answer(change.entry(*side, &RepoPath::from_form(path))?),
            RepeatableQuestion::Folder(side, path) => change.is_dir(*side, &RepoPath::from_form(path))?.to_string(),
            RepeatableQuestion::Manifests(side) => digest(&change.facts(*side)?.manifests)?,
            RepeatableQuestion::Languages(side) => digest(&change.languages(*side)?)?,
            RepeatableQuestion::Frameworks(side) => digest(&change.facts(*side)?.frameworks)?,
            RepeatableQuestion::EntryPoints(side) => digest(&paths(&change.facts(*side)?.entry_points))?,
            // Its charge depends on the whole tree, so that it is no answer of its own: see `holds`.
            RepeatableQuestion::Search(_) => {
                return Err(GuardStop::Misuse("a search is noted with what it found".to_owned()));
            }
        })
    }

    /// Whether a guard would be told the same again. `scope` is what it may read; `room` is what it may make the host read beside.
    pub fn holds(&self, answer: &str, change: &ChangeView, scope: &PathScope, room: &mut Room) -> bool {
        match self {
            RepeatableQuestion::Search(search) => {
                let Ok(was) = serde_json::from_str::<Searched>(answer) else { return false };
                let Ok(Some(charge)) = search.again(&was, change, scope, &mut Again::until(room.until)) else {
                    return false;
                };
                room.has(charge.saturating_sub(was.charge()))
            }
            question => question.answer(change).is_ok_and(|now| now == answer),
        }
    }

    /// Whether equal trees on both sides are enough for equal answers.
    pub fn is_about_trees(&self) -> bool {
        match self {
            RepeatableQuestion::Entry(..)
            | RepeatableQuestion::Folder(..)
            | RepeatableQuestion::Manifests(_)
            | RepeatableQuestion::Languages(_)
            | RepeatableQuestion::Frameworks(_)
            | RepeatableQuestion::EntryPoints(_)
            | RepeatableQuestion::Search(_) => true,
            RepeatableQuestion::Task | RepeatableQuestion::Commits => false,
        }
    }
}

fn entry_answer(entry: Option<TreeEntry>) -> String {
    entry.map_or_else(|| "none".to_owned(), |TreeEntry { oid, mode }| format!("{:o} {oid}", mode.raw()))
}

fn paths(paths: &[RepoPath]) -> Vec<String> {
    paths.iter().map(ToString::to_string).collect()
}

fn task(change: &ChangeView) -> Result<String, GuardStop> {
    let Some(task) = &change.task else { return Ok("none".to_owned()) };
    let mode = match task.mode {
        TaskMode::Normal => "normal",
        TaskMode::CompileFix => "compile-fix",
    };
    digest(&(mode, &task.text, &task.hints))
}

fn commits(commits: &[CommitInfo]) -> Result<String, GuardStop> {
    let answer = |commit: &CommitInfo| {
        let CommitInfo { oid, message, author_name, author_email } = commit;
        (oid.map(|oid| oid.to_string()), message.clone(), author_name.clone(), author_email.clone())
    };
    digest(&commits.iter().map(answer).collect::<Vec<_>>())
}

fn digest(answer: &impl Serialize) -> Result<String, GuardStop> {
    // Fails for no value that these functions make.
    let text = serde_json::to_vec(answer).map_err(|error| GuardStop::Machine(error.to_string()))?;
    Ok(blake3::hash(&text).to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ends_when_it_takes_longer_than_a_call_is_worth() {
        let mut late = Again::until(Instant::now());
        assert!(matches!(late.step(), Err(GuardStop::Count(_))));
        let mut early = Again::until(Instant::now() + Duration::from_secs(3600));
        for _ in 0..=2 * STEPS {
            early.step().unwrap();
        }
        // The time runs out on the way.
        early.until = Instant::now();
        assert!((0..STEPS).any(|_| early.visit(1).is_err()));
    }
}
