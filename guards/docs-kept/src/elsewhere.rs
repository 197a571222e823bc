//! Whether text that left a document went somewhere else: what moves is not lost.

use std::cell::OnceCell;

use guard_sdk::{Change, File};

/// Bytes of a change, at most, that are looked through: in a larger one, nobody can tell what went where.
const BYTES: u64 = 2_000_000;

/// The other touched files of the candidate. They are read only when something is missed.
pub struct Elsewhere<'c> {
    change: &'c Change,
    texts: OnceCell<Vec<(&'c str, Phrases)>>,
}

impl<'c> Elsewhere<'c> {
    pub fn new(change: &'c Change) -> Self {
        Elsewhere { change, texts: OnceCell::new() }
    }

    /// Share of `lost` that is found in `own`, what is left of the document at `path`, or in any other touched file.
    pub fn share(&self, lost: &str, own: &Phrases, path: &str) -> f64 {
        let sizes = self.change.files().filter_map(|file| file.after().blob()).map(|blob| blob.size);
        if sizes.sum::<u64>() > BYTES {
            return 1.0;
        }
        let lost = Phrases::new(lost);
        let found = |phrase: &&u64| own.has(**phrase) || self.others(path).any(|text| text.has(**phrase));
        match lost.0.len() {
            0 => 1.0,
            all => lost.0.iter().filter(found).count() as f64 / all as f64,
        }
    }

    fn others(&self, path: &str) -> impl Iterator<Item = &Phrases> {
        let texts = self
            .texts
            .get_or_init(|| self.change.files().filter_map(|file| Some((file.path(), brought_in(file)?))).collect());
        texts.iter().filter(move |(other, _)| *other != path).map(|(_, text)| text)
    }
}

/// What a file did not hold before: a copy that was there all along is no new home.
fn brought_in(file: File) -> Option<Phrases> {
    let mut phrases = Phrases::new(&file.after().text().ok()?);
    // A twin that moves to the page's new place brings its text there.
    let has_moved = file.old_path().is_some_and(|old| old != file.path());
    if !has_moved && let Ok(text) = file.before().text() {
        let before = Phrases::new(&text);
        phrases.0.retain(|phrase| !before.has(*phrase));
    }
    Some(phrases)
}

/// Three words in a row, wherever the lines break, hashed and sorted. Of a shorter text, its words.
pub struct Phrases(Vec<u64>);

impl Phrases {
    pub fn new(text: &str) -> Self {
        let words: Vec<u64> = words(text).map(|word| hash(word.bytes())).collect();
        let phrase = |words: &[u64]| hash(words.iter().flat_map(|word| word.to_le_bytes()));
        let mut phrases: Vec<u64> = if words.len() < 3 { words } else { words.windows(3).map(phrase).collect() };
        phrases.sort_unstable();
        phrases.dedup();
        Phrases(phrases)
    }

    /// Share of these that are among others.
    pub fn share_in(&self, others: &Phrases) -> f64 {
        let met = self.0.iter().filter(|phrase| others.has(**phrase)).count();
        met as f64 / self.0.len().max(1) as f64
    }

    fn has(&self, phrase: u64) -> bool {
        self.0.binary_search(&phrase).is_ok()
    }
}

/// Runs of letters, digits and underscores. What is not ASCII counts as a letter, but for common punctuation.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let between = |c: char| {
        if c.is_ascii() { !c.is_ascii_alphanumeric() && c != '_' } else { "…–—‘’“”«»".contains(c) }
    };
    text.split(between).filter(|word| !word.is_empty())
}

/// FNV-1a: the same in every run, unlike the standard library's.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
