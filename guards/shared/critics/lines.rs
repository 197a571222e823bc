//! How long the files of the change are.

use std::collections::BTreeMap;

use guard_sdk::Change;

/// The number of lines of each touched file that is text in the candidate.
pub struct Lines(BTreeMap<String, u32>);

impl Lines {
    pub fn new(change: &Change) -> Self {
        let files = change.files().filter(|file| file.after().is_regular());
        let count = |text: String| u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        Lines(files.filter_map(|file| Some((file.path().to_owned(), count(file.after().text().ok()?)))).collect())
    }

    /// Whether the file is touched and has such a line, from 1.
    pub fn has(&self, path: &str, line: u32) -> bool {
        self.0.get(path).is_some_and(|lines| (1..=*lines).contains(&line))
    }

    /// `path` as models write it: with a `./`, or the `a/` and `b/` of a diff.
    pub fn path<'l>(&'l self, path: &str) -> Option<&'l str> {
        let spellings = [Some(path), path.strip_prefix("./"), path.strip_prefix("b/"), path.strip_prefix("a/")];
        spellings.into_iter().flatten().find_map(|path| self.0.get_key_value(path)).map(|(path, _)| path.as_str())
    }
}
