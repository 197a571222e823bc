//! Searches of a tree: by path, or by words in files. A guard's call makes them, and a kept verdict makes them again, to see whether they
//! still find the same: both charge the same.

use blake3::Hasher;
use guard_files::Globs;
use serde::{Deserialize, Serialize};

use crate::grant::PathScope;
use crate::judge::change_view::{ChangeView, NoContent, TreeSide, decoded, repository_error};
use crate::limits::{BLOB, GuardStop, Meter};
use crate::text::word_search::WordSearch;
use guardhost_core::change::{RepoPath, TreeEntry};

/// Bytes that visiting one entry of a tree costs: its name, its id, its share of the tree object.
pub const VISIT: u64 = 64;

/// Bytes that looking up and opening one object costs beside its size.
pub const OBJECT: u64 = 4 << 10;

/// What a guard searches for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Search {
    pub side: TreeSide,
    /// Whole words in the files; None for a search by path.
    pub needles: Option<Vec<String>>,
    /// Of the paths; none for all.
    pub globs: Vec<String>,
    /// The most that is found.
    pub limit: u32,
}

/// A line that holds one of the words.
pub struct FoundLine {
    pub path: String,
    /// From 1.
    pub line: u32,
    /// The index of the word.
    pub needle: u32,
    pub text: String,
}

/// What a search came to, by digests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    /// Of what was found.
    found: String,
    /// Of the paths, modes and object ids of the files that were looked into.
    files: String,
    /// How many these are.
    count: u64,
    /// It ended before the last file.
    is_cut: bool,
    /// What it charged for the walk, and for the files.
    walk: u64,
    read: u64,
}

/// What pays for a search.
pub trait Payer {
    fn bytes(&mut self, bytes: u64) -> Result<(), GuardStop>;
    /// One place where a word stands.
    fn step(&mut self) -> Result<(), GuardStop>;
    /// One file of the walk over the tree, and the bytes that looking at it costs.
    fn visit(&mut self, bytes: u64) -> Result<(), GuardStop>;
}

impl Payer for Meter {
    fn bytes(&mut self, bytes: u64) -> Result<(), GuardStop> {
        Meter::bytes(self, bytes)
    }

    fn step(&mut self) -> Result<(), GuardStop> {
        Meter::step(self)
    }

    fn visit(&mut self, bytes: u64) -> Result<(), GuardStop> {
        Meter::visit(self, bytes)
    }
}

/// Counts what another payer pays for files.
struct CountedPayer<'p, P> {
    payer: &'p mut P,
    bytes: u64,
}

impl<P: Payer> CountedPayer<'_, P> {
    fn bytes(&mut self, bytes: u64) -> Result<(), GuardStop> {
        self.bytes += bytes;
        self.payer.bytes(bytes)
    }

    fn step(&mut self) -> Result<(), GuardStop> {
        self.bytes += crate::limits::STEP;
        self.payer.step()
    }
}

impl Search {
    /// The paths that match, in the order of git.
    pub fn paths<P: Payer>(
        &self,
        change: &ChangeView,
        scope: &PathScope,
        payer: &mut P,
    ) -> Result<(Vec<String>, Searched), GuardStop> {
        let mut found: Vec<String> = Vec::new();
        let walk = self.walk(change, scope, payer, |_, path, _| {
            if found.len() >= self.limit as usize {
                return Ok(false);
            }
            found.push(path.to_string());
            Ok(true)
        })?;
        let digest = digest(found.iter().map(|path| [path.as_bytes()]));
        Ok((found, Searched { found: digest, files: String::new(), count: 0, is_cut: false, walk, read: 0 }))
    }

    /// The lines that hold a word. What is paid for the words themselves is the caller's.
    pub fn lines<P: Payer>(
        &self,
        change: &ChangeView,
        scope: &PathScope,
        payer: &mut P,
    ) -> Result<(Vec<FoundLine>, Searched), GuardStop> {
        let words = WordSearch::new(self.needles.as_deref().unwrap_or_default()).map_err(GuardStop::Misuse)?;
        let limit = self.limit as usize;
        let (mut lines, mut files, mut read, mut is_cut) = (Vec::new(), FileDigest::default(), 0, false);
        let walk = self.walk(change, scope, payer, |payer, path, entry| {
            files.add(path, entry);
            let mut payer = CountedPayer { payer, bytes: 0 };
            // Charged before it is read: bytes that turn out not to be text were read too.
            payer.bytes(OBJECT + change.size(entry)?.min(BLOB))?;
            let searched = match change.blob(entry).and_then(|bytes| decoded(&bytes)) {
                Ok(text) => {
                    let room = limit - lines.len();
                    let line = |line, needle, text: &str| {
                        lines.push(FoundLine { path: path.to_string(), line, needle, text: text.to_owned() });
                    };
                    words.hits(&text, room, line, || payer.step())
                }
                Err(NoContent::Stop(stop)) => Err(stop),
                // Nothing was searched, however many were found.
                Err(_) => {
                    read += payer.bytes;
                    return Ok(true);
                }
            };
            read += payer.bytes;
            searched?;
            is_cut = lines.len() >= limit;
            Ok(!is_cut)
        })?;
        let parts = lines.iter().map(|line| {
            let FoundLine { path, line, needle, text } = line;
            [path.as_bytes(), &line.to_le_bytes(), &needle.to_le_bytes(), text.as_bytes()].map(<[u8]>::to_vec)
        });
        let found = digest(parts);
        Ok((lines, Searched { found, files: files.digest(), count: files.count, is_cut, walk, read }))
    }

    /// Visits every granted file that matches the globs, in git's order, which is that of the paths' bytes, until `visit` returns false.
    /// What it charged for the walk itself.
    fn walk<P: Payer>(
        &self,
        change: &ChangeView,
        scope: &PathScope,
        payer: &mut P,
        mut visit: impl FnMut(&mut P, &RepoPath, TreeEntry) -> Result<bool, GuardStop>,
    ) -> Result<u64, GuardStop> {
        let globs = Globs::new(&self.globs).map_err(GuardStop::Misuse)?;
        let mut walked_globs = globs.walked();
        let (mut stop, mut charged) = (None, 0);
        let walked = change.candidate.objects.walk(change.tree(self.side), &mut |path, entry| {
            let (matches, compared) = walked_globs.matches(path);
            charged += VISIT + compared;
            let more = payer.visit(VISIT + compared).and_then(|()| {
                let wanted = (globs.is_empty() || matches) && scope.includes(path);
                if wanted { visit(payer, path, entry) } else { Ok(true) }
            });
            more.unwrap_or_else(|why| {
                stop = Some(why);
                false
            })
        });
        walked.map_err(repository_error)?;
        stop.map_or(Ok(charged), Err)
    }

    /// Whether it would find the same now, and what it would charge then. Files are read only where other files match than did.
    pub fn again<P: Payer>(
        &self,
        was: &Searched,
        change: &ChangeView,
        scope: &PathScope,
        payer: &mut P,
    ) -> Result<Option<u64>, GuardStop> {
        let now = match &self.needles {
            None => self.paths(change, scope, payer)?.1,
            Some(_) => match self.walk_of_same_files(was, change, scope, payer)? {
                Some(walk) => Searched { walk, ..was.clone() },
                None => self.lines(change, scope, payer)?.1,
            },
        };
        Ok((now.found == was.found).then_some(now.charge()))
    }

    /// What the walk would charge, if the files that would be looked into are those that were.
    fn walk_of_same_files<P: Payer>(
        &self,
        was: &Searched,
        change: &ChangeView,
        scope: &PathScope,
        payer: &mut P,
    ) -> Result<Option<u64>, GuardStop> {
        let (mut files, mut others) = (FileDigest::default(), false);
        let walk = self.walk(change, scope, payer, |_, path, entry| {
            others = files.count == was.count;
            files.add(path, entry);
            let is_at_the_cut = was.is_cut && files.count == was.count;
            Ok(!others && !is_at_the_cut)
        })?;
        Ok((!others && files.count == was.count && files.digest() == was.files).then_some(walk))
    }
}

impl Searched {
    /// Bytes.
    pub fn charge(&self) -> u64 {
        self.walk + self.read
    }
}

/// A digest over files.
#[derive(Default)]
struct FileDigest {
    hasher: Hasher,
    count: u64,
}

impl FileDigest {
    fn add(&mut self, path: &RepoPath, entry: TreeEntry) {
        self.count += 1;
        part(&mut self.hasher, path.as_bytes());
        part(&mut self.hasher, &entry.mode.raw().to_le_bytes());
        part(&mut self.hasher, entry.oid.as_bytes());
    }

    fn digest(&self) -> String {
        self.hasher.finalize().to_hex().to_string()
    }
}

fn digest<B: AsRef<[u8]>, const PARTS: usize>(all: impl Iterator<Item = [B; PARTS]>) -> String {
    let mut hasher = Hasher::new();
    all.flatten().for_each(|bytes| part(&mut hasher, bytes.as_ref()));
    hasher.finalize().to_hex().to_string()
}

/// With its length, so that no two lists are one text.
fn part(hasher: &mut Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}
