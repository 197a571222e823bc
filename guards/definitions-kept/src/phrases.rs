//! Whether text came again somewhere else.

use std::collections::BTreeSet;

/// Three words in a row, wherever the lines break, hashed. Of a shorter text, its words.
#[derive(Default)]
pub struct Phrases(BTreeSet<u64>);

impl Phrases {
    pub fn add(&mut self, text: &str) {
        let words: Vec<u64> = words(text).map(|word| hash(word.bytes())).collect();
        if words.len() < 3 {
            self.0.extend(words);
        } else {
            self.0.extend(words.windows(3).map(|words| hash(words.iter().flat_map(|word| word.to_le_bytes()))));
        }
    }

    pub fn new(text: &str) -> Self {
        let mut phrases = Phrases::default();
        phrases.add(text);
        phrases
    }

    /// Share of these that are among the others.
    pub fn share_in(&self, others: &Phrases) -> f64 {
        match self.0.len() {
            0 => 1.0,
            all => self.0.intersection(&others.0).count() as f64 / all as f64,
        }
    }
}

pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// FNV-1a: the same in every run, unlike the standard library's.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
