//! The languages that a repository is mainly written in.

use guard_sdk::analysis::Tree;
use guard_sdk::files;

use crate::material;
use crate::practice::{ALL, Practice};

/// Files that tests are fed with which are counted.
const MOST_MATERIAL: u32 = 20_000;

/// At most three, most files first: those with a tenth of the files of the most frequent one. What tests are fed with is no code of the
/// repository, and a language that only
/// tests, documents and examples are written in is none that it is mainly written in. Empty where no code of a known language is.
pub fn main(tree: &Tree) -> Vec<&'static Practice> {
    // Each with its number of files, and its place among all.
    let mut found: Vec<(u32, usize)> = Vec::new();
    for language in tree.facts().languages() {
        if let Some(known) = ALL.iter().position(|known| known.name.eq_ignore_ascii_case(&language.name)) {
            found.push((language.files, known));
        }
    }
    let whole = found.clone();
    // Where one language is all that counts, the tree need not be searched.
    found = frequent(found);
    if found.len() > 1 {
        let material = tree.find(files::TEST_DATA, MOST_MATERIAL);
        for (files, language) in &mut found {
            let own = |path: &&String| ALL[*language].globs.iter().any(|glob| path.ends_with(&glob[1..]));
            *files -= (*files).min(material.iter().filter(own).count() as u32);
        }
        found = frequent(found);
    }
    if found.len() > 1 {
        let has_own_code = |language: usize| material::has_own_code(tree, ALL[language].globs);
        let outside: Vec<(u32, usize)> =
            found.iter().copied().filter(|(_, language)| has_own_code(*language)).collect();
        found = if outside.is_empty() { found } else { frequent(outside) };
    }
    // A repository of nothing but material is about it.
    let found = if found.is_empty() { frequent(whole) } else { found };
    found.into_iter().take(3).map(|(_, language)| ALL[language]).collect()
}

/// Most files first, without those that are rare.
fn frequent(mut found: Vec<(u32, usize)>) -> Vec<(u32, usize)> {
    found.sort_by(|a, b| b.cmp(a));
    let most = found.first().map_or(0, |(files, _)| *files);
    found.retain(|(files, _)| *files > 0 && files * 10 >= most);
    found
}

/// What is said where there is none.
pub const NONE: &str = "no code of a language that is known here";

/// `whole` in as many parts, of which the first ones are larger by the remainder.
pub fn shares(whole: u32, parts: usize) -> Vec<u32> {
    let parts = u32::try_from(parts.max(1)).unwrap_or(1);
    (0..parts).map(|part| whole / parts + u32::from(part < whole % parts)).collect()
}
