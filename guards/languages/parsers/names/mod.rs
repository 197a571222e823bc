//! Which names a file uses that it does not bind.

pub mod javascript;
pub mod python;
pub mod rust;
mod spelling;

use std::collections::HashMap;

use guard_sdk::language::{Names, UnboundName};

/// The name that was probably meant is sought for so many: each search compares thousands of pairs, and a text in which hundreds of names
/// are unbound was not misspelled.
const MOST_SOUGHT: usize = 200;

/// Finds the nearest name once for each name that is unbound.
#[derive(Default)]
struct Misspellings(HashMap<String, Option<String>>);

impl Misspellings {
    fn nearest<'n>(&mut self, name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<String> {
        if let Some(known) = self.0.get(name) {
            return known.clone();
        }
        if self.0.len() >= MOST_SOUGHT {
            return None;
        }
        let nearest = spelling::nearest(name, candidates).map(str::to_owned);
        self.0.insert(name.to_owned(), nearest.clone());
        nearest
    }
}

/// In the orders that the contract promises. Where a name may come from matters only if one is unbound.
fn sorted(mut names: Names) -> Names {
    let at = |one: &UnboundName| (one.line, one.name.clone());
    names.unbound.sort_by_cached_key(at);
    names.bound.sort_by(|a, b| (&a.name, &a.scope, a.line).cmp(&(&b.name, &b.scope, b.line)));
    names.bound.dedup_by(|next, first| next.name == first.name && next.scope == first.scope);
    for list in [&mut names.declared, &mut names.unsettled, &mut names.in_macros] {
        list.sort_unstable();
        list.dedup();
    }
    if names.unbound.is_empty() {
        names.origins.clear();
    }
    names
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
