//! The tests that a change is most likely to touch, nearest first.
//!
//! It is an order, and no proof: whoever runs these tests first has to run the others too before anything is called tested.

mod clues;
mod files;
mod places;
mod subject;

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::{Change, Side, TestReport};

use clues::Clues;
use files::TestFile;

/// More files with tests are no first glance any more.
const MOST: usize = 8;
/// Lines with a clue that are read.
const HITS: u32 = 20_000;

/// What speaks for a file with tests.
const TOUCHED: u32 = 400;
const SAME_NAME: u32 = 200;
/// Of a name that one file alone speaks of; of one that several files speak of, each has its share.
const NAME: u32 = 120;
const MODULE: u32 = 60;
const SAME_PACKAGE: u32 = 200;
const SAME_FOLDER: u32 = 10;
/// A word of its name is one of a changed file's name, or of the name of a definition that the change touches.
const SAME_WORD: u32 = 100;
const SAID_WORD: u32 = 60;

/// The part of all tests that may be run first, in percent. They are run on the base too, and all tests behind them if they pass: with a red
/// one among them in p of all cases, that pays below p / (1 + p), which is 47 % for nine cases of ten and 40 % for two of three.
const SHARE: usize = 40;

/// Files with tests, of those that reports of one side tell of and that stand on that side: at most eight, nearest first. The tests of a
/// whole package where its runner runs no smaller part. None when no test is near, when the nearest file holds more than are run first, or
/// when one of the eight holds most tests, so that running it first would save nothing, and others alone would miss it.
///
/// Reads files with tests: whoever uses this imports `repo`.
pub fn nearest(change: &Change, side: Side, reports: &[TestReport]) -> Vec<String> {
    let candidates = files::with_tests(change, side, reports);
    // One of one is all.
    if candidates.len() < 2 {
        return Vec::new();
    }
    let clues = Clues::new(change);
    let scores = scores(change, side, &candidates, &clues);
    let mut ranked: Vec<(u32, &TestFile)> =
        scores.into_iter().zip(&candidates).filter(|(score, _)| *score > 0).collect();
    ranked.sort_by(|(one, a), (other, b)| other.cmp(one).then_with(|| a.path.cmp(&b.path)));
    let total: usize = candidates.iter().map(|file| file.tests).sum();
    let (mut chosen, mut tests) = (Vec::new(), 0);
    for (_, file) in ranked.into_iter().take(MOST) {
        if file.tests * 2 > total {
            return Vec::new();
        }
        tests += file.tests;
        if tests * 100 > total * SHARE {
            break;
        }
        chosen.push(file.path.clone());
    }
    chosen
}

fn scores(change: &Change, side: Side, candidates: &[TestFile], clues: &Clues) -> Vec<u32> {
    let needles: Vec<&str> = clues.names.iter().chain(&clues.modules).map(String::as_str).collect();
    let globs = places::globs(candidates.iter().map(|file| file.path.as_str()));
    let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
    let place = |file: &'_ TestFile| if file.is_package { places::folder(&file.path) } else { &file.path }.to_owned();
    let index: BTreeMap<String, usize> = candidates.iter().map(place).zip(0..).collect();
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); needles.len()];
    for hit in change.repo(side).search(&needles, &globs, HITS) {
        let at = index.get(&hit.path).or_else(|| index.get(places::folder(&hit.path)));
        if let (Some(at), Some(of)) = (at, holders.get_mut(hit.needle as usize))
            && of.last() != Some(at)
        {
            of.push(*at);
        }
    }
    let words = words(candidates);
    let by_path = |(file, words): (&TestFile, &BTreeSet<String>)| {
        let touched = if clues.touched.contains(&file.path) { TOUCHED } else { 0 };
        let named = if clues.subjects.contains(&subject::from_path(&file.path)) { SAME_NAME } else { 0 };
        let worded = if named == 0 && subject::share_a_word(words, &clues.words) { SAME_WORD } else { 0 };
        let said = if subject::share_a_word(words, &clues.said) { SAID_WORD } else { 0 };
        let is_beside = clues.folders.contains(places::folder(&file.path));
        let beside = match (is_beside, file.is_package) {
            (true, true) => SAME_PACKAGE,
            (true, false) => SAME_FOLDER,
            (false, _) => 0,
        };
        touched + named + worded + said + beside
    };
    let mut scores: Vec<u32> = candidates.iter().zip(&words).map(by_path).collect();
    for (needle, mut of) in holders.into_iter().enumerate() {
        of.sort_unstable();
        of.dedup();
        let worth = if needle < clues.names.len() { NAME } else { MODULE };
        // What half of all files speak of tells nothing.
        if of.len() * 2 <= candidates.len().max(2) {
            of.iter().for_each(|at| scores[*at] += worth / of.len() as u32);
        }
    }
    scores
}

/// The words of the name of each file that stands for itself, without those that half of all have: these tell nothing.
fn words(candidates: &[TestFile]) -> Vec<BTreeSet<String>> {
    let of = |file: &TestFile| match file.is_package {
        true => BTreeSet::new(),
        false => subject::words(subject::written(&file.path)).collect(),
    };
    let mut words: Vec<BTreeSet<String>> = candidates.iter().map(of).collect();
    let mut holders: BTreeMap<String, usize> = BTreeMap::new();
    words.iter().flatten().for_each(|word| *holders.entry(word.clone()).or_default() += 1);
    words.iter_mut().for_each(|words| words.retain(|word| holders[word] * 2 <= candidates.len().max(2)));
    words
}
