//! Which opinions several members of a panel share.

use std::collections::BTreeSet;

use crate::opinion::Opinion;

/// Lines between two opinions on one thing.
const NEAR: u32 = 5;
/// The share of words that two titles on one thing have in common, of all their words, in hundredths.
const ALIKE: usize = 40;
/// Shorter words say nothing of the thing.
const SHORT: usize = 3;

/// The opinions that at least `least` of the members have, each with the number of those who do. Of those that are shared, the worst
/// importance and the longest detail are kept. The worst come first, then by place.
pub fn agreed(members: &[Vec<Opinion>], least: usize) -> Vec<(Opinion, usize)> {
    struct Shared {
        opinion: Opinion,
        members: BTreeSet<usize>,
    }
    let mut shared: Vec<Shared> = Vec::new();
    for (member, opinions) in members.iter().enumerate() {
        for opinion in opinions {
            match shared.iter_mut().find(|known| is_same(&known.opinion, opinion)) {
                Some(known) => {
                    known.members.insert(member);
                    known.opinion.severity = known.opinion.severity.min(opinion.severity);
                    if opinion.detail.len() > known.opinion.detail.len() {
                        known.opinion.detail.clone_from(&opinion.detail);
                    }
                }
                None => shared.push(Shared { opinion: opinion.clone(), members: BTreeSet::from([member]) }),
            }
        }
    }
    let enough = shared.into_iter().filter(|shared| shared.members.len() >= least);
    let mut agreed: Vec<(Opinion, usize)> = enough.map(|shared| (shared.opinion, shared.members.len())).collect();
    agreed.sort_by(|(a, _), (b, _)| (a.severity, &a.path, a.line).cmp(&(b.severity, &b.path, b.line)));
    agreed
}

fn is_same(a: &Opinion, b: &Opinion) -> bool {
    let (words_of_a, words_of_b) = (words(&a.title), words(&b.title));
    let both = words_of_a.intersection(&words_of_b).count();
    let all = words_of_a.union(&words_of_b).count();
    a.path == b.path && a.line.abs_diff(b.line) <= NEAR && both * 100 >= ALIKE * all.max(1)
}

fn words(title: &str) -> BTreeSet<String> {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > SHORT);
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opinion::Importance;

    fn opinion(severity: Importance, line: u32, title: &str) -> Opinion {
        let (path, detail, axiom) = ("a.py".to_owned(), title.to_owned(), String::new());
        Opinion { severity, path, line, title: title.to_owned(), detail, axiom }
    }

    #[test]
    fn near_lines_and_like_titles_are_one_thing() {
        let first = vec![
            opinion(Importance::Minor, 10, "The file handle is never closed"),
            opinion(Importance::Major, 40, "Integer overflow in the sum"),
        ];
        let second = vec![
            opinion(Importance::Major, 13, "File handle never closed after reading"),
            opinion(Importance::Major, 90, "Integer overflow in the sum"),
        ];
        let both = agreed(&[first.clone(), second], 2);
        assert_eq!(both.len(), 1);
        assert_eq!((both[0].0.severity, both[0].0.line, both[0].1), (Importance::Major, 10, 2));
        // One member that says a thing twice is one member.
        assert!(agreed(&[[first.clone(), first].concat()], 2).is_empty());
    }
}
