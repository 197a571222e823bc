//! What a forge said of pull requests, so that a run that ended early asks on where it was: a file of JSON lines in the host's own folder of the git
//! directory, one line for each page that the forge gave.

use std::fs;

use guardhost_core::canonical::sha256;
use guardhost_core::change::Oid;
use guardhost_git::{ForgeWord, ForgeWords, PullEnd, Repo};
use serde::{Deserialize, Serialize};

use super::stored_lines::StoredLines;

/// Bytes above which the file is begun anew. A pull request has some 250: this holds what is said of 250,000.
const LIMIT: u64 = 64 << 20;
/// Seconds after which pages that were not read to their end are read from the first on: what was closed may be open again, and limits of forges
/// end within an hour.
const STALE: i64 = 24 * 60 * 60;

/// Pages of a forge's list of pull requests.
pub struct StoredPulls {
    words: ForgeWords,
    next_page: u32,
    /// Seconds since 1970.
    now: i64,
    /// None if nothing can be stored; the next run then queries the forge again.
    file: Option<StoredLines<StoredPage>>,
}

#[derive(Serialize, Deserialize)]
struct StoredPage {
    /// Counted from 1, with which another reading of the list begins.
    page: u32,
    /// Seconds since 1970.
    at: i64,
    /// Nothing more was wanted.
    is_end: bool,
    pulls: Vec<StoredPull>,
}

#[derive(Serialize, Deserialize)]
struct StoredPull {
    number: u64,
    head: String,
    end: StoredEnd,
    title: String,
    branch: String,
    account: String,
    is_by_bot: bool,
}

#[derive(Serialize, Deserialize)]
enum StoredEnd {
    Merged(Option<String>),
    Closed,
    Open,
}

impl StoredPulls {
    /// Of one repository at one forge, as it is named. `fresh`: what was said before does not count.
    pub fn open(repo: &Repo, named: &str, now: i64, fresh: bool) -> Self {
        let opened = repo.state_dir().and_then(|folder| {
            let name = sha256(named.as_bytes());
            let path = folder.join(format!("pulls-{}.jsonl", &name.trim_start_matches("sha256:")[..16]));
            if fresh || fs::metadata(&path).is_ok_and(|file| file.len() > LIMIT) {
                // What is left of it is read as it was; what it says is no error.
                let _ = fs::remove_file(&path);
            }
            StoredLines::open(&path, fresh)
        });
        let (file, pages) = opened.map_or((None, Vec::new()), |(file, pages)| (Some(file), pages));
        let (words, next_page) = read(pages, now);
        StoredPulls { words, next_page, now, file }
    }

    pub fn words(&self) -> &ForgeWords {
        &self.words
    }

    pub fn into_words(self) -> ForgeWords {
        self.words
    }

    pub fn next_page(&self) -> u32 {
        self.next_page
    }

    /// What is on the next page. `is_end`: nothing more is wanted.
    pub fn add(&mut self, words: Vec<(u64, ForgeWord)>, is_end: bool) {
        if let Some(file) = &self.file {
            let pulls = words.iter().map(|(number, word)| StoredPull::new(*number, word)).collect();
            file.add(&StoredPage { page: self.next_page, at: self.now, is_end, pulls });
        }
        self.words.extend(words);
        self.next_page += 1;
    }
}

/// What is still known, and the page to ask for. A merge is for ever; whatever else was said counts while the reading goes on in which it was.
fn read(pages: Vec<StoredPage>, now: i64) -> (ForgeWords, u32) {
    let mut words = ForgeWords::new();
    let (mut begun, mut next) = (now, 1);
    let forget = |words: &mut ForgeWords| words.retain(|_, word| matches!(word.end, PullEnd::Merged(_)));
    for page in pages {
        if page.page == 1 {
            forget(&mut words);
            begun = page.at;
        }
        next = if page.is_end { 1 } else { page.page + 1 };
        words.extend(page.pulls.into_iter().filter_map(StoredPull::word));
    }
    // A clock that was put back tells nothing.
    if next == 1 || !(0..STALE).contains(&(now - begun)) {
        forget(&mut words);
        next = 1;
    }
    (words, next)
}

impl StoredPull {
    fn new(number: u64, word: &ForgeWord) -> Self {
        StoredPull {
            number,
            head: word.head.to_string(),
            end: match word.end {
                PullEnd::Merged(commit) => StoredEnd::Merged(commit.map(|commit| commit.to_string())),
                PullEnd::Closed => StoredEnd::Closed,
                PullEnd::Open => StoredEnd::Open,
            },
            title: word.title.clone(),
            branch: word.branch.clone(),
            account: word.account.clone(),
            is_by_bot: word.is_by_bot,
        }
    }

    /// None: somebody edited it.
    fn word(self) -> Option<(u64, ForgeWord)> {
        let word = ForgeWord {
            head: Oid::from_str(&self.head).ok()?,
            end: match self.end {
                StoredEnd::Merged(commit) => PullEnd::Merged(commit.and_then(|hex| Oid::from_str(&hex).ok())),
                StoredEnd::Closed => PullEnd::Closed,
                StoredEnd::Open => PullEnd::Open,
            },
            title: self.title,
            branch: self.branch,
            account: self.account,
            is_by_bot: self.is_by_bot,
        };
        Some((self.number, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(page: u32, at: i64, is_end: bool, pulls: &[(u64, PullEnd)]) -> StoredPage {
        let word = |end: PullEnd| ForgeWord {
            head: Oid::from_str(&"a".repeat(40)).unwrap(),
            end,
            title: String::new(),
            branch: String::new(),
            account: String::new(),
            is_by_bot: false,
        };
        let pulls = pulls.iter().map(|(number, end)| StoredPull::new(*number, &word(*end))).collect();
        StoredPage { page, at, is_end, pulls }
    }

    /// The numbers that are known, and the next page.
    fn known(pages: Vec<StoredPage>, now: i64) -> (Vec<u64>, u32) {
        let (words, next) = read(pages, now);
        let mut numbers: Vec<u64> = words.into_keys().collect();
        numbers.sort_unstable();
        (numbers, next)
    }

    #[test]
    fn what_is_not_for_ever_counts_while_its_reading_goes_on() {
        let first = || page(1, 100, false, &[(9, PullEnd::Open), (8, PullEnd::Closed), (7, PullEnd::Merged(None))]);
        assert_eq!(known(vec![], 100), (vec![], 1));
        assert_eq!(known(vec![first()], 200), (vec![7, 8, 9], 2));
        assert_eq!(known(vec![first()], 100 + STALE), (vec![7], 1), "too long ago");
        assert_eq!(known(vec![first()], 50), (vec![7], 1), "the clock was put back");
        let last = || page(2, 150, true, &[(2, PullEnd::Closed), (1, PullEnd::Merged(None))]);
        assert_eq!(known(vec![first(), last()], 200), (vec![1, 7], 1), "it was read to its end");
        let again = page(1, 300, false, &[(8, PullEnd::Open)]);
        assert_eq!(known(vec![first(), last(), again], 400), (vec![1, 7, 8], 2));
    }
}
