//! By which names a person means a guard that is pinned under an id of its own.

use std::collections::BTreeMap;

use crate::set::Guard;

/// Ids of guards by the ids of their pins, where the two differ.
#[derive(Debug, Clone, Default)]
pub struct PinNames(BTreeMap<String, String>);

impl PinNames {
    pub fn new(guards: &[Guard]) -> Self {
        let named = |guard: &Guard| Some((guard.spec.id.clone(), guard.spec.component.clone()?));
        PinNames(guards.iter().filter_map(named).collect())
    }

    /// Its own id, then that of its guard: what was allowed of a guard stays allowed where a folder gets rules of its own.
    pub fn all<'a>(&'a self, pin: &'a str) -> impl Iterator<Item = &'a str> {
        std::iter::once(pin).chain(self.0.get(pin).map(String::as_str))
    }
}
