//! Who got how many votes.

use std::collections::BTreeMap;

use crate::names::clean;

pub type Votes = BTreeMap<String, u32>;

/// Votes by name.
pub fn tally<'n>(names: impl Iterator<Item = &'n str>) -> Votes {
    let mut votes = Votes::new();
    for name in names {
        let name = clean(name);
        if !name.is_empty() {
            *votes.entry(name).or_default() += 1;
        }
    }
    votes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_every_vote() {
        let votes = tally(["anna", "bert", "anna"].into_iter());
        assert_eq!(votes["anna"], 2);
        assert_eq!(votes["bert"], 1);
    }

    #[test]
    fn leaves_out_empty_names() {
        let votes = tally(["", " "].into_iter());
        assert_eq!(votes.len(), 0);
    }
}
