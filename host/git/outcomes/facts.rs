//! What was found out about pairs of trees, which never changes: it is kept in a file below the git directory, so that a run that ended while it
//! read the history goes on where it was, whatever ended it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use git2::Repository;

use super::super::Repo;
use super::patches::{TreePair, hash_of_paths};
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::{Context, Result};
use guardhost_core::stop::StopToken;

/// The file in the host's own folder. Whoever gives another answer to one of its questions counts on.
const FILE: &str = "history-1.facts";
/// Bytes above which the file is begun anew. A fact has some 120, and a pull request three to ten facts: this holds those of 50,000.
const LIMIT: u64 = 64 << 20;
/// What ends a fact, so that one that was cut off is none.
const END: &str = ";";

/// Answers by question.
pub struct PastFacts {
    known: RefCell<HashMap<String, String>>,
    file: Option<File>,
}

impl PastFacts {
    /// In memory alone.
    pub fn forgotten() -> Self {
        PastFacts { known: RefCell::default(), file: None }
    }

    /// With those of earlier runs, unless these are not wanted. What cannot be written is found again by another run.
    pub fn new(repo: &Repo, fresh: bool) -> Self {
        let opened = repo.state_dir().and_then(|folder| open(&folder.join(FILE), fresh));
        opened.unwrap_or_else(|_| PastFacts::forgotten())
    }

    /// # Errors
    /// The work was stopped; whether another run begins where this one ends is told.
    pub fn stopped(&self, stop: &StopToken) -> Result<()> {
        let work = match self.file {
            Some(_) => "reading the history, which the same command takes up where it was",
            None => "reading the history",
        };
        stop.check().map_err(|stopped| stopped.into_error(work))
    }

    fn ask(&self, question: String, find: impl FnOnce() -> Result<String>) -> Result<String> {
        Ok(self.ask_if_known(question, || find().map(Some))?.unwrap_or_default())
    }

    /// Like [`ask`](Self::ask), for facts that an incomplete clone may lack. None is not stored, because a later fetch
    /// may bring the answer.
    fn ask_if_known(&self, question: String, find: impl FnOnce() -> Result<Option<String>>) -> Result<Option<String>> {
        if let Some(known) = self.known.borrow().get(&question) {
            return Ok(Some(known.clone()));
        }
        let Some(answer) = find()? else { return Ok(None) };
        if let Some(mut file) = self.file.as_ref() {
            // One write, which begins a line: what a killed process left behind spoils no other fact.
            let _ = file.write_all(format!("\n{question} {answer} {END}").as_bytes());
        }
        self.known.borrow_mut().insert(question, answer.clone());
        Ok(Some(answer))
    }

    /// [`hash_of_paths`] of the files that it changes.
    pub fn paths(&self, repo: &Repository, trees: TreePair) -> Result<Oid> {
        let find = || hash_of_paths(&trees.paths(repo)?);
        let found = self.ask(format!("paths {}", name(trees)), || Ok(find()?.to_string()))?;
        // A file that somebody edited says nothing.
        Oid::from_str(&found).or_else(|_| find())
    }

    /// [`TreePair::patch_id`].
    pub fn patch_id(&self, repo: &Repository, trees: TreePair) -> Result<Option<Oid>> {
        let found = self.ask(format!("patch {}", name(trees)), || Ok(id_text(trees.patch_id(repo)?)))?;
        Ok(Oid::from_str(&found).ok())
    }

    /// [`TreePair::inverse_id`].
    pub fn inverse_id(&self, repo: &Repository, trees: TreePair) -> Result<Option<Oid>> {
        let found = self.ask(format!("inverse {}", name(trees)), || Ok(id_text(trees.inverse_id(repo)?)))?;
        Ok(Oid::from_str(&found).ok())
    }

    /// Whether `later` takes a line of this file that `earlier` adds, as `find` compares them. None: it is not in this clone.
    pub fn touched(
        &self,
        [earlier, later]: [TreePair; 2],
        path: &RepoPath,
        find: impl FnOnce() -> Result<Option<bool>>,
    ) -> Result<Option<bool>> {
        let hex: String = path.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let question = format!("touched {} {} {hex}", name(earlier), name(later));
        let found = self.ask_if_known(question, || Ok(find()?.map(|is_touched| is_touched.to_string())))?;
        Ok(found.and_then(|found| found.parse().ok()))
    }
}

/// For nothing, as an answer and as the tree before the first commit. No id has such a letter.
const NONE: &str = "-";

fn id_text(id: Option<Oid>) -> String {
    id.map_or_else(|| NONE.to_owned(), |id| id.to_string())
}

fn name(trees: TreePair) -> String {
    format!("{} {}", id_text(trees.old), trees.new)
}

fn open(path: &Path, fresh: bool) -> Result<PastFacts> {
    let is_large = fs::metadata(path).is_ok_and(|file| file.len() > LIMIT);
    if fresh || is_large {
        fs::remove_file(path).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
    }
    let text = fs::read(path).unwrap_or_default();
    let known = String::from_utf8_lossy(&text).lines().filter_map(fact).collect();
    let file = OpenOptions::new().create(true).append(true).open(path).context("cannot write its file")?;
    Ok(PastFacts { known: RefCell::new(known), file: Some(file) })
}

fn fact(line: &str) -> Option<(String, String)> {
    let (question, answer) = line.strip_suffix(END)?.trim_end().rsplit_once(' ')?;
    Some((question.to_owned(), answer.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_that_was_cut_off_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("facts");
        let ask =
            |facts: &PastFacts, question: &str| facts.ask(question.to_owned(), || Ok("found".to_owned())).unwrap();
        let facts = open(&path, false).unwrap();
        assert_eq!(ask(&facts, "patch a b"), "found");
        assert_eq!(ask(&facts, "patch c d"), "found");
        let text = fs::read_to_string(&path).unwrap();
        // Whatever byte was the last, a fact is whole or is asked for again.
        for length in 0..=text.len() {
            fs::write(&path, &text[..length]).unwrap();
            let again = open(&path, false).unwrap();
            assert!(again.known.borrow().values().all(|answer| answer == "found"), "{length}");
            assert_eq!(ask(&again, "patch c d"), "found");
            assert_eq!(ask(&open(&path, false).unwrap(), "patch a b"), "found");
            assert!(open(&path, false).unwrap().known.borrow().contains_key("patch c d"), "{length}");
        }
        assert!(open(&path, true).unwrap().known.borrow().is_empty());
    }
}
