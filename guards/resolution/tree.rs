//! One side of a change, read through once.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use guard_sdk::{Change, Ecosystem, Manifest, Repo, Side};

/// The tree of one side, with what was asked of it before.
pub struct Tree<'c> {
    change: &'c Change,
    side: Side,
    files: RefCell<BTreeMap<String, bool>>,
    folders: RefCell<BTreeMap<String, bool>>,
    texts: RefCell<BTreeMap<String, Option<Rc<str>>>>,
    manifests: OnceCell<Vec<Manifest>>,
}

impl<'c> Tree<'c> {
    pub fn new(change: &'c Change, side: Side) -> Self {
        let (files, folders, texts, manifests) = Default::default();
        Tree { change, side, files, folders, texts, manifests }
    }

    pub fn repo(&self) -> Repo<'c> {
        self.change.repo(self.side)
    }

    /// The other side's tree where that is the base: what people wrote before the change.
    pub fn base(&self) -> Repo<'c> {
        self.change.repo(Side::Before)
    }

    /// Whether a file, a link or a submodule stands there. What the pin does not grant counts as absent; the guard fails when it
    /// asked for that.
    pub fn is_file(&self, path: &str) -> bool {
        let know = |path: &str| matches!(self.repo().stat(path), Ok(Some(_)));
        *self.files.borrow_mut().entry(path.to_owned()).or_insert_with(|| know(path))
    }

    pub fn is_folder(&self, path: &str) -> bool {
        let know = |path: &str| path.is_empty() || self.repo().is_dir(path) == Ok(true);
        *self.folders.borrow_mut().entry(path.to_owned()).or_insert_with(|| know(path))
    }

    /// None when no text stands there.
    pub fn text(&self, path: &str) -> Option<Rc<str>> {
        let read = |path: &str| self.repo().text(path).ok().map(Rc::from);
        self.texts.borrow_mut().entry(path.to_owned()).or_insert_with(|| read(path)).clone()
    }

    /// Manifests of one ecosystem, wherever they stand.
    pub fn manifests(&self, ecosystem: Ecosystem) -> impl Iterator<Item = &Manifest> {
        let all = self.manifests.get_or_init(|| self.change.facts(self.side).manifests());
        all.iter().filter(move |manifest| manifest.ecosystem == ecosystem)
    }

    /// Names of files and folders that stand directly in a folder and have one of the endings, without the ending; at most 500 files
    /// are looked at.
    pub fn children(&self, folder: &str, endings: &[&str]) -> Vec<String> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        if folder.contains(['*', '?', '[', '\\', '!']) {
            return Vec::new();
        }
        let found = self.repo().find(&[&format!("/{prefix}*"), &format!("/{prefix}*/*")], 500);
        let mut names: Vec<String> = Vec::new();
        for path in &found {
            let Some(rest) = path.strip_prefix(&prefix) else { continue };
            let name = match rest.split_once('/') {
                Some((name, inner)) if endings.iter().any(|ending| inner.ends_with(ending)) => Some(name),
                Some(_) => None,
                None => endings.iter().find_map(|ending| rest.strip_suffix(ending)),
            };
            names.extend(name.map(str::to_owned));
        }
        names.sort();
        names.dedup();
        names
    }
}

/// The folder that a path stands in; the root is the empty string.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder, and those that it stands in, up to the root.
pub fn above(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |at| (!at.is_empty()).then(|| self::folder(at)))
}

/// `a/b` and `../c` make `a/c`; None when it leads out of the repository.
pub fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
