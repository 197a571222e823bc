//! Outlines of files, each asked for once.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use guard_sdk::modules::Unknown;
use guard_sdk::{Change, Side};

use crate::outline::Outline;

pub struct Files<'c> {
    change: &'c Change,
    side: Side,
    outlines: RefCell<BTreeMap<String, Option<Rc<Outline>>>>,
    exhausted: Cell<bool>,
}

impl<'c> Files<'c> {
    pub fn new(change: &'c Change, side: Side) -> Self {
        Files { change, side, outlines: RefCell::default(), exhausted: Cell::new(false) }
    }

    /// Whether the host left a question without an answer, because one call may not ask for more.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted.get()
    }

    /// None where the host does not know it.
    pub fn outline(&self, path: &str) -> Option<Rc<Outline>> {
        if let Some(known) = self.outlines.borrow().get(path) {
            return known.clone();
        }
        let modules = self.change.modules(self.side);
        let ask = || Ok::<_, Unknown>(Outline::new(modules.functions(path)?, modules.calls(path)?));
        let outline = Some(()).filter(|()| !is_of_types(path)).and_then(|()| match ask() {
            Ok(outline) => Some(Rc::new(outline)),
            Err(why) => {
                self.exhausted.set(self.exhausted.get() || why == Unknown::BeyondLimit);
                None
            }
        });
        self.outlines.borrow_mut().insert(path.to_owned(), outline.clone());
        outline
    }
}

/// Tests of types make calls that must not compile.
fn is_of_types(path: &str) -> bool {
    [".test-d.", "test-d/", "dtslint", "type-tests", "typetests"].iter().any(|part| path.contains(part))
}
