//! Files that a line of text speaks of.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::names;
use crate::limits;
use guardhost_core::change::{FileMode, RepoPath, Tree};
use guardhost_core::error::{Error, Result};

/// The files that a reply may speak of: those of the tree that it is for. Without a tree only what looks like a path counts.
pub struct Surroundings<'t> {
    tree: Option<&'t Tree>,
    names: OnceCell<Names>,
    /// The file that was read last: the edits of a reply mostly follow one another in a file.
    last: RefCell<Option<LastRead>>,
    /// Bytes of files that were given out so far.
    looked_at: Cell<usize>,
}

/// A file that was read. None as its bytes: there is no such file.
struct LastRead {
    path: RepoPath,
    content: Option<Arc<[u8]>>,
}

/// What the tree's paths end in.
#[derive(Default)]
struct Names {
    by_name: HashMap<Vec<u8>, Vec<RepoPath>>,
    extensions: HashSet<Vec<u8>>,
}

/// Paths of one base name that are kept: `mod.rs` and `index.js` have thousands in a large repository.
const SAME_NAME: usize = 64;

/// Files of a tree that are read to find the one that an edit without a name is for, and their bytes: a second of work at most.
const LOOKED_AT: usize = 4_000;
const BYTES_LOOKED_AT: usize = 64 << 20;

/// Bytes that are searched in the time that one file takes to be found and read.
const ENTRY: usize = 4096;

/// Words of one line that are looked up. A line of prose has a tenth of it.
const WORDS: usize = 200;

impl<'t> Surroundings<'t> {
    pub fn new(tree: &'t Tree) -> Self {
        Surroundings { tree: Some(tree), ..Surroundings::unknown() }
    }

    /// For callers without a tree.
    pub fn unknown() -> Self {
        Surroundings { tree: None, names: OnceCell::new(), last: RefCell::new(None), looked_at: Cell::new(0) }
    }

    /// The bytes of the file, for whoever searches them to tell what an edit means.
    ///
    /// # Errors
    /// The tree cannot be read, or the reply makes more of its files be searched than [`limits::SEARCHED_BYTES`].
    pub fn content(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>> {
        let known = self.last.borrow().as_ref().filter(|last| last.path == *path).map(|last| last.content.clone());
        let content = match known {
            Some(content) => content,
            None => {
                let content = self.read(path)?;
                *self.last.borrow_mut() = Some(LastRead { path: path.clone(), content: content.clone() });
                content
            }
        };
        match self.spend(content.as_ref().map_or(0, |content| content.len())) {
            true => Ok(content),
            false => {
                Err(Error::msg("the reply has more edits of large files than are searched to tell what they mean"))
            }
        }
    }

    /// Whether all files may be searched once more, so that enough of the budget is left for the files of the edits.
    pub fn may_look(&self) -> bool {
        self.looked_at.get() + BYTES_LOOKED_AT <= limits::SEARCHED_BYTES / 2
    }

    /// Counts bytes of files that are searched; whether they are still within the budget of a reply.
    fn spend(&self, bytes: usize) -> bool {
        self.looked_at.set(self.looked_at.get().saturating_add(bytes));
        self.looked_at.get() <= limits::SEARCHED_BYTES
    }

    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>> {
        let Some(Tree { objects, oid }) = self.tree.filter(|_| is_plain(path)) else { return Ok(None) };
        let entry = objects.entry(*oid, path)?.filter(|entry| entry.mode != FileMode::Submodule);
        entry.map(|entry| objects.blob(entry.oid)).transpose()
    }

    /// Whether the word is the path of a file, as files are called that have neither a dot nor a folder: `LICENSE-MIT`. A word of
    /// small letters alone is taken for prose.
    pub fn is_bare_file(&self, word: &[u8]) -> Result<bool> {
        let is_told =
            word.iter().any(|byte| byte.is_ascii_uppercase() || b"-_".contains(byte)) && !word.contains(&b' ');
        let same = if is_told { self.paths_named(word)? } else { &[] };
        Ok(same.iter().any(|path| path.as_bytes() == word))
    }

    pub fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    pub fn exists(&self, path: &RepoPath) -> Result<bool> {
        let Some(Tree { objects, oid }) = self.tree else { return Ok(false) };
        Ok(is_plain(path) && objects.entry(*oid, path)?.is_some())
    }

    /// Whether the tree has the folder.
    pub fn has_folder(&self, path: &[u8]) -> Result<bool> {
        let Some(Tree { objects, oid }) = self.tree else { return Ok(false) };
        let path = RepoPath::new(path.to_vec());
        Ok(is_plain(&path) && objects.is_dir(*oid, &path)?)
    }

    /// Whether the tree has the folder that the path begins with.
    pub fn has_first_folder(&self, path: &RepoPath) -> Result<bool> {
        let Some(Tree { objects, oid }) = self.tree else { return Ok(false) };
        let first = path.parts().next().filter(|_| path.parts().count() > 1 && is_plain(path));
        first.map_or(Ok(false), |first| objects.is_dir(*oid, &RepoPath::new(first.to_vec())))
    }

    /// The only file whose content is such. None where there is none or more than one, or the tree is too large to look at, or the reply
    /// has made as much be searched already as it may.
    pub fn only_file_where(&self, is_such: impl Fn(&[u8]) -> bool) -> Result<Option<RepoPath>> {
        let mut found = Vec::new();
        let is_seen = self.each_file(|path, content| {
            found.extend(is_such(content).then(|| path.clone()));
            found.len() < 2
        })?;
        Ok(found.pop().filter(|_| is_seen && found.is_empty()))
    }

    /// Shows the files of the tree, as long as more are wanted; whether no wanted one is missing: the tree is too large to look at, or the
    /// reply has made as much be searched already as it may.
    pub fn each_file(&self, mut wants_more: impl FnMut(&RepoPath, &[u8]) -> bool) -> Result<bool> {
        let Some(Tree { objects, oid }) = self.tree else { return Ok(false) };
        let mut files = Vec::new();
        objects.walk(*oid, &mut |path, entry| {
            if matches!(entry.mode, FileMode::File | FileMode::Executable) {
                files.push((path.clone(), entry.oid));
            }
            files.len() <= LOOKED_AT
        })?;
        if files.len() > LOOKED_AT || !self.spend(files.len() * ENTRY) {
            return Ok(false);
        }
        let mut bytes = 0;
        for (path, oid) in files {
            let content = objects.blob(oid)?;
            bytes += content.len();
            if bytes > BYTES_LOOKED_AT || !self.spend(content.len()) {
                return Ok(false);
            }
            if !wants_more(&path, &content) {
                break;
            }
        }
        Ok(true)
    }

    /// The files with this base name.
    pub fn paths_named(&self, name: &[u8]) -> Result<&[RepoPath]> {
        Ok(self.names()?.by_name.get(name).map_or(&[], Vec::as_slice))
    }

    fn names(&self) -> Result<&Names> {
        if self.names.get().is_none() {
            let mut names = Names::default();
            if let Some(Tree { objects, oid }) = self.tree {
                objects.walk(*oid, &mut |path, _| {
                    let name = path.file_name();
                    if let Some(dot) = name.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0) {
                        names.extensions.insert(name[dot + 1..].to_vec());
                    }
                    let paths = names.by_name.entry(name.to_vec()).or_default();
                    if paths.len() < SAME_NAME {
                        paths.push(path.clone());
                    }
                    true
                })?;
            }
            return Ok(self.names.get_or_init(|| names));
        }
        Ok(self.names.get_or_init(Names::default))
    }

    /// The files that the words of the line name: with their path or their base name, or with a path that a file of this kind
    /// would have.
    pub fn mentioned(&self, line: &[u8]) -> Result<Vec<RepoPath>> {
        let mut found: Vec<RepoPath> = Vec::new();
        for word in words(line) {
            for path in self.named(word)? {
                if !found.contains(&path) {
                    found.push(path);
                }
            }
        }
        Ok(found)
    }

    /// The files that the word may name.
    fn named(&self, word: &[u8]) -> Result<Vec<RepoPath>> {
        let word = word.strip_prefix(b"./").unwrap_or(word);
        let Some(path) = names::plausible(word, &[]) else {
            return Ok(if self.is_bare_file(word)? { vec![RepoPath::new(word)] } else { Vec::new() });
        };
        let same = self.paths_named(path.file_name())?;
        // Without a file of its name no path needs to be looked up.
        if !same.is_empty() && self.exists(&path)? {
            return Ok(vec![path]);
        }
        let ends_so = |other: &&RepoPath| {
            let pairs = other.parts().rev().zip(path.parts().rev());
            pairs.take_while(|(a, b)| a == b).count() == other.parts().count().min(path.parts().count())
        };
        let ending: Vec<RepoPath> = same.iter().filter(ends_so).cloned().collect();
        if !ending.is_empty() {
            return Ok(ending);
        }
        let name = path.file_name();
        let extension = name.iter().rposition(|byte| *byte == b'.').map(|dot| &name[dot + 1..]).unwrap_or_default();
        let is_of_kind = match self.tree {
            Some(_) => self.names()?.extensions.contains(extension),
            // `e.g`, `3.11` and `self.x` are no files; most extensions of files have letters, and few of them.
            None => (1..=5).contains(&extension.len()) && extension[0].is_ascii_lowercase() && name.len() > 3,
        };
        Ok(if is_of_kind { vec![path] } else { Vec::new() })
    }
}

/// Whether a tree can have such a path: an absolute one is an error to look up.
fn is_plain(path: &RepoPath) -> bool {
    path.parts().all(|part| !matches!(part, b"" | b"." | b".."))
}

/// The words of a line that may be paths. Letters beyond ASCII end a word in one reading and belong to it in another, since a
/// label in Chinese stands right before a name.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_ascii_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/+@".contains(byte);
    let ascii = line.split(move |byte| !is_ascii_part(byte));
    let all = line.split(move |byte| !is_ascii_part(byte) && byte.is_ascii());
    let trim = |word: &'_ [u8]| word.iter().rposition(|byte| !b".-/+".contains(byte)).map_or(0, |at| at + 1);
    let has_sign = |word: &&[u8]| word.len() > 2 && word.iter().any(|byte| !byte.is_ascii_lowercase());
    ascii.chain(all.filter(|word| !word.is_ascii())).map(move |word| &word[..trim(word)]).filter(has_sign).take(WORDS)
}
