//! Rules and guards that were read once, for all keys that are typed until they may be others.
//!
//! To read them is half of the work of a judgement: each component is loaded and linked anew.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use guardhost_core::error::Result;
use guardhost_gate::{Gate, RulesAt};

/// One gate for each work tree, by the rules of its HEAD.
pub struct CachedGates<G = Gate>(Vec<CachedGate<G>>);

struct CachedGate<G> {
    root: PathBuf,
    rules: RulesAt,
    gate: Rc<G>,
}

impl<G> CachedGates<G> {
    pub fn new() -> Self {
        CachedGates(Vec::new())
    }

    /// The gate of this work tree, opened where none by these rules is kept.
    ///
    /// # Errors
    /// Those of `open`, which are not kept.
    pub fn of(&mut self, root: &Path, rules: RulesAt, open: impl FnOnce() -> Result<G>) -> Result<Rc<G>> {
        if let Some(kept) = self.0.iter().find(|kept| kept.root == root && kept.rules == rules) {
            return Ok(Rc::clone(&kept.gate));
        }
        self.0.retain(|kept| kept.root != root);
        let gate = Rc::new(open()?);
        self.0.push(CachedGate { root: root.to_owned(), rules, gate: Rc::clone(&gate) });
        Ok(gate)
    }

    /// What else says how is judged, on the disk, may be another.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guardhost_core::change::Oid;
    use guardhost_core::error::{Fault, FaultKind};

    fn rules(digit: &str) -> RulesAt {
        RulesAt { commit: None, tree: Oid::from_str(&digit.repeat(40)).unwrap() }
    }

    #[test]
    fn rules_are_read_once_until_they_may_be_others() {
        let (mut gates, mut opened) = (CachedGates::new(), 0);
        let mut of = |gates: &mut CachedGates<u32>, root: &str, rules: RulesAt| {
            let gate = gates.of(Path::new(root), rules, || {
                opened += 1;
                Ok(opened)
            });
            *gate.unwrap()
        };
        for _ in 0..3 {
            assert_eq!(of(&mut gates, "/a", rules("1")), 1);
            assert_eq!(of(&mut gates, "/b", rules("1")), 2);
        }
        assert_eq!(of(&mut gates, "/a", rules("2")), 3, "another commit");
        assert_eq!(of(&mut gates, "/a", rules("1")), 4, "only the newest is kept");
        gates.forget();
        assert_eq!(of(&mut gates, "/b", rules("1")), 5);
    }

    #[test]
    fn rules_that_cannot_be_read_are_read_again() {
        let mut gates = CachedGates::new();
        let broken = || Err(Fault::new(FaultKind::Config, "broken").into());
        assert!(gates.of(Path::new("/a"), rules("1"), broken).is_err());
        assert_eq!(*gates.of(Path::new("/a"), rules("1"), || Ok(1)).unwrap(), 1);
    }
}
