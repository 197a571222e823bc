//! Facts that were asked for before: the next round of a run, or the next check of a session, asks about the same trees again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use guardhost_core::change::{Objects, Oid};
use guardhost_core::error::Result;

use super::{Facts, Language, facts, languages};

/// Trees whose facts are kept: base and candidate of some rounds. Of a large repository they are a few hundred KB each.
const KEPT: usize = 8;

/// By tree id. What stands in a tree never changes, so that nothing here gets old.
#[derive(Default)]
pub struct Known {
    facts: Kept<Facts>,
    languages: Kept<Vec<Language>>,
}

impl Known {
    pub fn facts(&self, objects: &dyn Objects, tree: Oid) -> Result<Arc<Facts>> {
        self.facts.get(tree, || facts(objects, tree))
    }

    pub fn languages(&self, objects: &dyn Objects, tree: Oid) -> Result<Arc<Vec<Language>>> {
        self.languages.get(tree, || languages(objects, tree))
    }
}

/// Oldest first.
struct Kept<T>(Mutex<VecDeque<(Oid, Arc<T>)>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// What cannot be computed is not kept. Two who ask for the same at once may both compute it.
    fn get(&self, tree: Oid, compute: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = kept().iter().find(|(known, _)| *known == tree) {
            return Ok(known.clone());
        }
        let new = Arc::new(compute()?);
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((tree, new.clone()));
        Ok(new)
    }
}
