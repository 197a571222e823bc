//! Outlines of files, each read once.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use guard_sdk::{Change, Side};

use crate::outline::Outline;

/// Units of fuel for a byte that is parsed and whose names are resolved, about.
const COST: u64 = 1_200;

pub struct Files<'c> {
    change: &'c Change,
    side: Side,
    outlines: RefCell<BTreeMap<String, Option<Rc<Outline>>>>,
}

/// What one call may cost.
pub struct Fuel(Cell<u64>);

impl Fuel {
    /// Half of what a host gives for this change, since what a text costs is only about known.
    pub fn whole(change: &Change) -> Self {
        Fuel(Cell::new(change.scaled(1_000_000_000)))
    }

    pub fn is_left(&self) -> bool {
        self.0.get() > 0
    }

    fn spend(&self, bytes: usize) -> bool {
        let (left, cost) = (self.0.get(), bytes as u64 * COST);
        self.0.set(left.saturating_sub(cost));
        left >= cost
    }
}

impl<'c> Files<'c> {
    pub fn new(change: &'c Change, side: Side) -> Self {
        Files { change, side, outlines: RefCell::default() }
    }

    /// None when it is not there, cannot be parsed, or would cost more than is left.
    pub fn outline(&self, path: &str, fuel: &Fuel) -> Option<Rc<Outline>> {
        if let Some(known) = self.outlines.borrow().get(path) {
            return known.clone();
        }
        let text = self.change.repo(self.side).text(path).ok().filter(|text| fuel.spend(text.len()));
        let outline = text.and_then(|text| Outline::of(path, &text)).map(Rc::new);
        self.outlines.borrow_mut().insert(path.to_owned(), outline.clone());
        outline
    }
}
