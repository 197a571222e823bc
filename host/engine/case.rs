//! What a judgement is about, made once and shared by all guards: the change with its texts, hunks and facts, each computed when
//! the first guard asks.

use std::sync::{Arc, OnceLock};

use git2::DiffOptions;

use super::limits::{BLOB, Stop};
use super::{bindings::change::Hunk, decode};
use crate::facts::{Facts, Known, Language};
use guardhost_core::change::{Blob, Candidate, FileMode, Oid, RepoPath, Task, TreeEntry};

/// One of the two trees. The discriminant is its place in pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before = 0,
    After = 1,
}

/// Why there are no bytes, or no text.
#[derive(Debug, Clone)]
pub enum Unread {
    Absent,
    NotText(String),
    /// Bytes.
    TooLarge(u64),
    Stop(Stop),
}

type Text = Result<Arc<str>, Unread>;

pub struct Case {
    pub candidate: Candidate,
    pub task: Option<Task>,
    files: Vec<Shared>,
    known: Arc<Known>,
    facts: [OnceLock<Result<Arc<Facts>, Stop>>; 2],
    languages: [OnceLock<Result<Arc<Vec<Language>>, Stop>>; 2],
}

/// What guards share of one touched file.
#[derive(Default)]
struct Shared {
    texts: [OnceLock<Text>; 2],
    hunks: OnceLock<Result<Vec<Hunk>, Stop>>,
}

impl Case {
    /// `known` is what was found out of trees before.
    pub fn new(candidate: &Candidate, task: Option<&Task>, known: &Arc<Known>) -> Self {
        Case {
            files: candidate.files.iter().map(|_| Shared::default()).collect(),
            candidate: candidate.clone(),
            task: task.cloned(),
            known: known.clone(),
            facts: Default::default(),
            languages: Default::default(),
        }
    }

    pub fn tree(&self, side: Side) -> Oid {
        match side {
            Side::Before => self.candidate.base_tree,
            Side::After => self.candidate.tree,
        }
    }

    /// The touched file's content. `file` is an index into the candidate's files.
    pub fn bytes(&self, file: usize, side: Side) -> Result<Arc<[u8]>, Unread> {
        let change = &self.candidate.files[file];
        let blob = match side {
            Side::Before => change.before,
            Side::After => change.after,
        };
        let Blob { oid, mode, .. } = blob.ok_or(Unread::Absent)?;
        self.blob(TreeEntry { oid, mode })
    }

    /// The same, decoded.
    pub fn text(&self, file: usize, side: Side) -> Text {
        self.files[file].texts[side as usize].get_or_init(|| decoded(&self.bytes(file, side)?)).clone()
    }

    /// Differing runs of lines, without context; none when a side is not text.
    pub fn hunks(&self, file: usize) -> Result<&[Hunk], Stop> {
        let compute = || {
            let sides = (self.text(file, Side::Before), self.text(file, Side::After));
            match sides {
                (Err(Unread::Stop(stop)), _) | (_, Err(Unread::Stop(stop))) => Err(stop),
                (Ok(before), Ok(after)) => hunks(&before, &after),
                (Err(Unread::Absent), Ok(after)) => hunks("", &after),
                (Ok(before), Err(Unread::Absent)) => hunks(&before, ""),
                (Err(_), _) | (_, Err(_)) => Ok(Vec::new()),
            }
        };
        self.files[file].hunks.get_or_init(compute).as_deref().map_err(Stop::clone)
    }

    pub fn facts(&self, side: Side) -> Result<&Facts, Stop> {
        let compute = || self.known.facts(&*self.candidate.objects, self.tree(side)).map_err(broken);
        self.facts[side as usize].get_or_init(compute).as_deref().map_err(Stop::clone)
    }

    pub fn languages(&self, side: Side) -> Result<&[Language], Stop> {
        let compute = || self.known.languages(&*self.candidate.objects, self.tree(side)).map_err(broken);
        self.languages[side as usize].get_or_init(compute).as_deref().map(Vec::as_slice).map_err(Stop::clone)
    }

    /// The entry at a path as a guard writes it.
    pub fn entry(&self, side: Side, path: &str) -> Result<Option<TreeEntry>, Stop> {
        for path in spellings(path) {
            let entry = self.candidate.objects.entry(self.tree(side), &path).map_err(broken)?;
            if entry.is_some() {
                return Ok(entry);
            }
        }
        Ok(None)
    }

    pub fn is_dir(&self, side: Side, path: &str) -> Result<bool, Stop> {
        for path in spellings(path) {
            if self.candidate.objects.is_dir(self.tree(side), &path).map_err(broken)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub fn blob(&self, entry: TreeEntry) -> Result<Arc<[u8]>, Unread> {
        if entry.mode == FileMode::Submodule {
            return Err(Unread::NotText("a submodule has no content here".to_string()));
        }
        let size = self.candidate.objects.blob_size(entry.oid).map_err(|error| Unread::Stop(broken(error)))?;
        if size > BLOB {
            return Err(Unread::TooLarge(size));
        }
        self.candidate.objects.blob(entry.oid).map_err(|error| Unread::Stop(broken(error)))
    }
}

pub fn decoded(bytes: &[u8]) -> Text {
    decode::text(bytes).map(Arc::from).map_err(Unread::NotText)
}

pub fn broken(error: guardhost_core::error::Error) -> Stop {
    Stop::Repository(format!("{error:#}"))
}

/// What a path in a guard's words may mean: the bytes as they stand, or with `\xNN` undone, as guards see bytes that are not
/// UTF-8.
fn spellings(path: &str) -> impl Iterator<Item = RepoPath> {
    let undone = path.contains("\\x").then(|| {
        let mut bytes = Vec::with_capacity(path.len());
        let mut rest = path.as_bytes();
        while let [first, tail @ ..] = rest {
            let hex = rest.strip_prefix(b"\\x").and_then(|tail| std::str::from_utf8(tail.get(..2)?).ok());
            match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                Some(byte) => (bytes.push(byte), rest = &rest[4..]),
                None => (bytes.push(*first), rest = tail),
            };
        }
        RepoPath::new(bytes)
    });
    [Some(RepoPath::from(path)), undone].into_iter().flatten()
}

/// By git's own diff: its heuristics keep hostile input from taking quadratic time, and a hunk header's numbers are what the contract
/// asks for.
fn hunks(before: &str, after: &str) -> Result<Vec<Hunk>, Stop> {
    let git = |error: git2::Error| Stop::Repository(error.message().to_string());
    let mut options = DiffOptions::new();
    options.context_lines(0).interhunk_lines(0).force_text(true);
    let patch =
        git2::Patch::from_buffers(before.as_bytes(), None, after.as_bytes(), None, Some(&mut options)).map_err(git)?;
    (0..patch.num_hunks())
        .map(|index| {
            let (hunk, _) = patch.hunk(index).map_err(git)?;
            Ok(Hunk {
                old_start: hunk.old_start(),
                old_lines: hunk.old_lines(),
                new_start: hunk.new_start(),
                new_lines: hunk.new_lines(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{hunks, spellings};

    #[test]
    fn hunks_as_the_contract_says() {
        let cases: &[(&str, &str, &[[u32; 4]])] = &[
            ("a\nb\nc\n", "a\nB\nc\n", &[[2, 1, 2, 1]]),
            ("a\nb\n", "a\nx\ny\nb\n", &[[1, 0, 2, 2]]),
            ("a\nb\nc\n", "a\nc\n", &[[2, 1, 1, 0]]),
            ("", "a\nb\n", &[[0, 0, 1, 2]]),
            ("a\nb", "", &[[1, 2, 0, 0]]),
            ("a\nb\nc\n", "x\nb\ny\n", &[[1, 1, 1, 1], [3, 1, 3, 1]]),
            ("a\n", "a", &[[1, 1, 1, 1]]),
            ("a\n", "a\n", &[]),
        ];
        for (before, after, expected) in cases {
            let hunks = hunks(before, after).unwrap();
            let hunks: Vec<_> =
                hunks.iter().map(|hunk| [hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines]).collect();
            assert_eq!(hunks, *expected, "{before:?} to {after:?}");
        }
    }

    #[test]
    fn paths_as_guards_write_them() {
        let spelled = |path| spellings(path).map(|path| path.as_bytes().to_vec()).collect::<Vec<_>>();
        assert_eq!(spelled("a/b"), [b"a/b".to_vec()]);
        assert_eq!(spelled("a\\xff\\x1"), [b"a\\xff\\x1".to_vec(), b"a\xff\\x1".to_vec()]);
    }
}
