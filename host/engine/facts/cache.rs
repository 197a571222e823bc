//! Keeps facts of trees: the next round of a run, or the next check of a session, needs those of the same trees again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use guardhost_core::change::{Objects, Oid};
use guardhost_core::error::Result;

use super::{Facts, LanguageFiles, facts, languages};

/// Trees whose facts are kept: base and candidate of a few rounds. For a large repository that is a few hundred KB for each.
const CAPACITY: usize = 8;

/// By tree id. A tree's content never changes, so entries never expire.
#[derive(Default)]
pub struct FactsCache {
    facts: ByTree<Facts>,
    languages: ByTree<Vec<LanguageFiles>>,
}

impl FactsCache {
    pub fn facts(&self, objects: &dyn Objects, tree: Oid) -> Result<Arc<Facts>> {
        self.facts.get(tree, || facts(objects, tree))
    }

    pub fn languages(&self, objects: &dyn Objects, tree: Oid) -> Result<Arc<Vec<LanguageFiles>>> {
        self.languages.get(tree, || languages(objects, tree))
    }
}

/// The [`CAPACITY`] entries that were asked for last, the oldest first.
struct ByTree<T>(Mutex<VecDeque<(Oid, Arc<T>)>>);

impl<T> Default for ByTree<T> {
    fn default() -> Self {
        ByTree(Mutex::default())
    }
}

impl<T> ByTree<T> {
    /// Failures are not kept. Two threads that ask for the same tree at once may both compute it.
    fn get(&self, tree: Oid, compute: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut kept = lock();
            if let Some(at) = kept.iter().position(|(known, _)| *known == tree) {
                // To the end: the base of many candidates stays.
                let entry = kept.remove(at);
                let found = entry.as_ref().map(|(_, found)| found.clone());
                kept.extend(entry);
                if let Some(found) = found {
                    return Ok(found);
                }
            }
        }
        let new = Arc::new(compute()?);
        let mut kept = lock();
        if kept.len() == CAPACITY {
            kept.pop_front();
        }
        kept.push_back((tree, new.clone()));
        Ok(new)
    }
}
