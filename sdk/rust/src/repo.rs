//! The whole trees. Whoever uses this imports `repo`.

pub use crate::bindings::guardhost::repo::tree::Hit;
use crate::{Blob, Change, Denied, Side, Unreadable};

/// Bytes of the longest needle that a host takes.
const NEEDLE: usize = 400;

/// The tree of one side, not only what the change touches.
///
/// A pin may grant some paths only. Of others, [`Repo::find`] and [`Repo::search`] say nothing, and the rest answers that they are not
/// granted; [`Change::withheld`] remembers that.
#[derive(Clone, Copy)]
pub struct Repo<'c> {
    change: &'c Change,
    side: Side,
}

impl<'c> Repo<'c> {
    pub(crate) fn new(change: &'c Change, side: Side) -> Self {
        Repo { change, side }
    }

    /// None when no file, link or submodule stands at that path.
    pub fn stat(&self, path: &str) -> Result<Option<Blob>, Denied> {
        let answer = self.change.source.stat(self.side, path);
        self.noting(path, matches!(answer, Err(Denied::NotGranted)));
        answer
    }

    /// Whether a directory stands at that path. The root is the empty string.
    pub fn is_dir(&self, path: &str) -> Result<bool, Denied> {
        let answer = self.change.source.is_dir(self.side, path);
        self.noting(path, matches!(answer, Err(Denied::NotGranted)));
        answer
    }

    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        let answer = self.change.source.repo_read(self.side, path);
        self.noting(path, matches!(answer, Err(Unreadable::NotGranted)));
        answer
    }

    pub fn text(&self, path: &str) -> Result<String, Unreadable> {
        let answer = self.change.source.repo_text(self.side, path);
        self.noting(path, matches!(answer, Err(Unreadable::NotGranted)));
        answer
    }

    /// Paths of files, links and submodules at any depth that match one of the gitignore-style globs (empty: all), sorted by their
    /// bytes; at most `limit`.
    pub fn find(&self, globs: &[&str], limit: u32) -> Vec<String> {
        self.change.source.find(self.side, &owned(globs), limit)
    }

    /// Lines of text files under the globs that hold a needle as a whole word, in order of path and line; at most `limit`. The host
    /// takes no needle that is empty or longer than 400 bytes: here it is found nowhere, for names come from files of any kind.
    pub fn search(&self, needles: &[&str], globs: &[&str], limit: u32) -> Vec<Hit> {
        let taken: Vec<usize> = (0..needles.len()).filter(|at| (1..=NEEDLE).contains(&needles[*at].len())).collect();
        if taken.is_empty() {
            return Vec::new();
        }
        let words = taken.iter().map(|at| needles[*at].to_owned()).collect::<Vec<_>>();
        let hits = self.change.source.search(self.side, &words, &owned(globs), limit);
        hits.into_iter().map(|hit| Hit { needle: taken[hit.needle as usize] as u32, ..hit }).collect()
    }

    fn noting(&self, path: &str, is_withheld: bool) {
        if is_withheld {
            self.change.withheld.get_or_init(|| path.to_owned());
        }
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}
