//! Words that a change brings into its files, read once.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::{Change, File};

use crate::phrases::words;

pub struct Came<'c> {
    change: &'c Change,
    /// In how many files each word comes in, and the first of them.
    words: OnceCell<BTreeMap<String, (usize, &'c str)>>,
}

impl<'c> Came<'c> {
    pub fn new(change: &'c Change) -> Self {
        Came { change, words: OnceCell::new() }
    }

    /// Whether the word comes into a file other than that at `path`: a type may get its methods in any file.
    pub fn elsewhere(&self, word: &str, path: &str) -> bool {
        let words = self.words.get_or_init(|| {
            let mut all = BTreeMap::new();
            self.change.files().for_each(|file| add(file, &mut all));
            all
        });
        words.get(word).is_some_and(|(files, first)| *files > 1 || *first != path)
    }
}

fn add<'c>(file: File<'c>, all: &mut BTreeMap<String, (usize, &'c str)>) {
    let Ok(lines) = file.added_lines() else { return };
    let here: BTreeSet<&str> = lines.iter().flat_map(|line| words(&line.text)).collect();
    for word in here {
        match all.get_mut(word) {
            Some((files, _)) => *files += 1,
            None => drop(all.insert(word.to_owned(), (1, file.path()))),
        }
    }
}
