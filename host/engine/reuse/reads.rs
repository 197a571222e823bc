//! What a guard asked during a call, beyond the touched files: the questions, and what was answered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::judge::change_view::{ChangeView, Side};
use crate::limits::Stop;
use guardhost_core::change::{CommitInfo, RepoPath, TaskMode, TreeEntry};

/// A question that the host can ask again. The answers to all of them decide what a guard was told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Question {
    /// The task: its text, its hints, its mode.
    Task,
    /// The commits of the change, made or proposed.
    Commits,
    /// The entry at a path: its mode and the id of its content, or that there is none.
    Entry(Side, String),
    /// Whether there is a folder at a path.
    Folder(Side, String),
    /// Everything about a tree, for searches and facts.
    Tree(Side),
}

/// The questions of one call, with the answers.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    answers: BTreeMap<Question, String>,
    /// It asked something that is not a [`Question`].
    other: bool,
    task: bool,
    commits: bool,
}

impl Reads {
    /// Notes a question about this change. An answer that cannot be had is an error of the call, whose outcome nobody keeps.
    pub fn note(&mut self, question: Question, change: &ChangeView) {
        match question {
            Question::Task => self.task = true,
            Question::Commits => self.commits = true,
            Question::Entry(..) | Question::Folder(..) | Question::Tree(_) => {}
        }
        if !self.other && !self.answers.contains_key(&question) {
            match question.answer(change) {
                Ok(answer) => drop(self.answers.insert(question, answer)),
                Err(_) => self.note_other(),
            }
        }
    }

    /// Notes what stands at a path.
    pub fn note_entry(&mut self, side: Side, path: &RepoPath, entry: Option<TreeEntry>) {
        if !self.other {
            self.answers.entry(Question::Entry(side, path.to_string())).or_insert_with(|| entry_answer(entry));
        }
    }

    /// Notes a question whose answer depends on more than the change.
    pub fn note_other(&mut self) {
        self.other = true;
    }

    /// Whether it asked for the task, and whether for the commits.
    pub fn of_request(&self) -> (bool, bool) {
        (self.task, self.commits)
    }

    /// None when something was asked that cannot be asked again.
    pub fn answers(&self) -> Option<&BTreeMap<Question, String>> {
        (!self.other).then_some(&self.answers)
    }
}

impl Question {
    /// The answer for this change; two equal answers mean that a guard is told the same.
    pub fn answer(&self, change: &ChangeView) -> Result<String, Stop> {
        Ok(match self {
            Question::Task => task(change),
            Question::Commits => commits(&change.commits()),
            Question::Entry(side, path) => entry_answer(change.entry(*side, &RepoPath::from_form(path))?),
            Question::Folder(side, path) => change.is_dir(*side, &RepoPath::from_form(path))?.to_string(),
            Question::Tree(side) => change.tree(*side).to_string(),
        })
    }

    /// Whether equal trees on both sides are enough for equal answers.
    pub fn is_about_trees(&self) -> bool {
        match self {
            Question::Entry(..) | Question::Folder(..) | Question::Tree(_) => true,
            Question::Task | Question::Commits => false,
        }
    }
}

fn entry_answer(entry: Option<TreeEntry>) -> String {
    entry.map_or_else(|| "none".to_owned(), |TreeEntry { oid, mode }| format!("{:o} {oid}", mode.raw()))
}

fn task(change: &ChangeView) -> String {
    let Some(task) = &change.task else { return "none".to_owned() };
    let mode = match task.mode {
        TaskMode::Normal => "normal",
        TaskMode::CompileFix => "compile-fix",
    };
    digest(&(mode, &task.text, &task.hints))
}

fn commits(commits: &[CommitInfo]) -> String {
    let told = |commit: &CommitInfo| {
        let CommitInfo { oid, message, author_name, author_email } = commit;
        (oid.map(|oid| oid.to_string()), message.clone(), author_name.clone(), author_email.clone())
    };
    digest(&commits.iter().map(told).collect::<Vec<_>>())
}

fn digest(told: &impl Serialize) -> String {
    // Fails for no value that these functions make; another text each time would only cost a call.
    let text = serde_json::to_vec(told).unwrap_or_default();
    blake3::hash(&text).to_hex().to_string()
}
