//! What is known of the trees: looked up once, however many links ask for it, and not without end.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use guard_sdk::{Blob, Change, Denied, Repo, Side};

use crate::document::Document;

/// Questions about different paths, of all links together. The host allows a guard 100,000 of every kind.
const QUESTIONS: u32 = 60_000;

/// Bytes of documents that are read for a small change: a byte costs some 400 units of fuel, 900 where there is much markup, and this
/// leaves a quarter of what a host gives.
const BYTES: u64 = 1_600_000;

/// Walks through the whole tree for a file of the same name.
const WALKS: u32 = 10;

/// By path, and whether on the candidate's side.
type Known<T> = RefCell<HashMap<(bool, String), T>>;

pub struct Shelf<'c> {
    pub change: &'c Change,
    stats: Known<Result<Option<Blob>, Denied>>,
    folders: Known<Result<bool, Denied>>,
    texts: Known<Option<Rc<str>>>,
    documents: Known<Option<Rc<Document>>>,
    bytes: Cell<u64>,
    most: u64,
    sites: Known<bool>,
    names: RefCell<HashMap<String, Vec<String>>>,
    questions: Cell<u32>,
    /// Links that nobody followed, because too much was asked before.
    left: Cell<u32>,
    walks: Cell<u32>,
}

impl<'c> Shelf<'c> {
    pub fn new(change: &'c Change) -> Self {
        let (stats, folders, texts, documents, sites, names) = Default::default();
        let (bytes, questions, left, walks) = Default::default();
        let most = change.scaled(BYTES);
        Shelf { change, stats, folders, texts, documents, bytes, most, sites, names, questions, left, walks }
    }

    fn repo(&self, side: Side) -> Repo<'c> {
        self.change.repo(side)
    }

    /// Whether so much was asked that absence proves nothing any more.
    pub fn is_exhausted(&self) -> bool {
        self.questions.get() >= QUESTIONS
    }

    /// A link was not followed, because too much was asked before.
    pub fn leave(&self) {
        self.left.set(self.left.get() + 1);
    }

    pub fn left(&self) -> u32 {
        self.left.get()
    }

    /// Each path is asked for once; `absent` is the answer when too much was asked.
    fn ask<T: Clone>(&self, known: &Known<T>, side: Side, path: &str, absent: T, question: impl FnOnce() -> T) -> T {
        let key = (side == Side::After, path.to_string());
        if let Some(known) = known.borrow().get(&key) {
            return known.clone();
        }
        if self.is_exhausted() {
            return absent;
        }
        self.questions.set(self.questions.get() + 1);
        let answer = question();
        known.borrow_mut().insert(key, answer.clone());
        answer
    }

    /// As if nothing stood there when too much was asked.
    pub fn stat(&self, side: Side, path: &str) -> Result<Option<Blob>, Denied> {
        self.ask(&self.stats, side, path, Ok(None), || self.repo(side).stat(path))
    }

    /// As if nothing stood there when too much was asked.
    pub fn is_dir(&self, side: Side, path: &str) -> Result<bool, Denied> {
        self.ask(&self.folders, side, path, Ok(false), || self.repo(side).is_dir(path))
    }

    pub fn text(&self, side: Side, path: &str) -> Option<Rc<str>> {
        self.ask(&self.texts, side, path, None, || self.repo(side).text(path).ok().map(Rc::from))
    }

    /// None when the document cannot be read, or all that was read already is too much.
    pub fn document(&self, side: Side, path: &str) -> Option<Rc<Document>> {
        let key = (side == Side::After, path.to_string());
        if let Some(known) = self.documents.borrow().get(&key) {
            return known.clone();
        }
        let document = self.text(side, path).filter(|text| self.affords(text.len()));
        let document = document.map(|text| Rc::new(Document::parse(&text)));
        self.documents.borrow_mut().insert(key, document.clone());
        document
    }

    fn affords(&self, bytes: usize) -> bool {
        self.bytes.set(self.bytes.get() + bytes as u64);
        self.bytes.get() <= self.most
    }

    /// Whether documents went unread.
    pub fn is_full(&self) -> bool {
        self.bytes.get() > self.most
    }

    /// Whether the pages of a folder belong to a site, as it was found the first time.
    pub fn is_of_site(&self, side: Side, folder: &str, find: impl FnOnce() -> bool) -> bool {
        let key = (side == Side::After, folder.to_string());
        if let Some(known) = self.sites.borrow().get(&key) {
            return *known;
        }
        let found = find();
        self.sites.borrow_mut().insert(key, found);
        found
    }

    /// Files of the candidate that have this name; none when that was asked too often.
    pub fn named(&self, name: &str) -> Vec<String> {
        if let Some(known) = self.names.borrow().get(name) {
            return known.clone();
        }
        if self.walks.get() >= WALKS {
            return Vec::new();
        }
        self.walks.set(self.walks.get() + 1);
        let found = self.repo(Side::After).find(&[name], 3);
        self.names.borrow_mut().insert(name.to_string(), found.clone());
        found
    }

    /// Whether a document of the tree sets that label, which MyST knows in all documents of a project: `(label)=`, `:label: label`. True when
    /// it was asked too often, and the link is one that nobody followed.
    pub fn has_label(&self, side: Side, label: &str) -> bool {
        if self.walks.get() >= WALKS {
            self.leave();
            return true;
        }
        self.walks.set(self.walks.get() + 1);
        let sets = |line: &str| {
            let line = line.trim();
            let named = [":label:", ":name:", "label:"].iter().find_map(|key| line.strip_prefix(key));
            line.strip_prefix('(').and_then(|line| line.strip_suffix(")=")) == Some(label)
                || named.is_some_and(|named| named.trim() == label)
        };
        self.repo(side).search(&[label], &["*.md", "*.rst", "*.ipynb"], 200).iter().any(|hit| sets(&hit.text))
    }
}
