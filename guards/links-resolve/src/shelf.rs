//! What is known of the trees: looked up once, however many links ask for it, and not without end.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use guard_sdk::{Blob, Change, Denied, Repo, Side};

use crate::document::Document;

/// Questions about paths, of all links together. The host allows a guard 100,000 of every kind.
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
    documents: Known<Option<Rc<Document>>>,
    bytes: Cell<u64>,
    most: u64,
    sites: Known<bool>,
    questions: Cell<u32>,
    walks: Cell<u32>,
}

impl<'c> Shelf<'c> {
    pub fn new(change: &'c Change) -> Self {
        let (documents, sites) = Default::default();
        let (bytes, most) = (Cell::new(0), change.scaled(BYTES));
        Shelf { change, documents, bytes, most, sites, questions: Cell::new(0), walks: Cell::new(0) }
    }

    fn repo(&self, side: Side) -> Repo<'c> {
        self.change.repo(side)
    }

    /// Whether so much was asked that absence proves nothing any more.
    pub fn is_exhausted(&self) -> bool {
        self.questions.get() >= QUESTIONS
    }

    fn ask<T>(&self, question: impl FnOnce() -> T) -> Option<T> {
        self.questions.set(self.questions.get() + 1);
        (!self.is_exhausted()).then(question)
    }

    /// As if nothing stood there when too much was asked.
    pub fn stat(&self, side: Side, path: &str) -> Result<Option<Blob>, Denied> {
        self.ask(|| self.repo(side).stat(path)).unwrap_or(Ok(None))
    }

    /// As if nothing stood there when too much was asked.
    pub fn is_dir(&self, side: Side, path: &str) -> Result<bool, Denied> {
        self.ask(|| self.repo(side).is_dir(path)).unwrap_or(Ok(false))
    }

    pub fn text(&self, side: Side, path: &str) -> Option<String> {
        self.ask(|| self.repo(side).text(path).ok()).flatten()
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
    pub fn of_name(&self, name: &str) -> Vec<String> {
        self.walks.set(self.walks.get() + 1);
        if self.walks.get() > WALKS {
            return Vec::new();
        }
        self.repo(Side::After).find(&[name], 3)
    }
}
