//! Keys that stand twice in one map. What reads the file drops one of them without a word, mostly the first.

use std::borrow::Cow;
use std::collections::HashMap;

use guard_sdk::Finding;

use crate::sides::Sides;

/// A key that its map has already.
#[derive(Clone, Debug, PartialEq)]
pub struct Duplicate {
    /// The map's place and the key, as a number: the same in both sides of a change.
    pub place: u64,
    pub key: String,
    /// The line of the second, from 1.
    pub line: u32,
    /// The line of the one before it.
    pub first: u32,
}

/// Keys of maps that are open while a file is read from its beginning to its end.
#[derive(Default)]
pub struct Keys<'t> {
    maps: Vec<Map<'t>>,
    found: Vec<Found<'t>>,
}

struct Map<'t> {
    place: u64,
    /// What tells most keys apart at once, key, where it stands.
    keys: Vec<(u64, Cow<'t, str>, usize)>,
}

/// A key that stands twice, and where: in whatever the reader counts, bytes or lines.
pub struct Found<'t> {
    pub place: u64,
    pub key: Cow<'t, str>,
    pub at: usize,
    pub first: usize,
}

impl<'t> Keys<'t> {
    /// A map begins, as the value of the key that was read last.
    pub fn enter(&mut self) {
        let inner = |map: &Map| map.keys.last().map_or(map.place, |(_, key, _)| map.place ^ hash(key));
        let place = self.maps.last().map_or(SEED, inner);
        self.maps.push(Map { place: place.rotate_left(5), keys: Vec::new() });
    }

    pub fn key(&mut self, key: impl Into<Cow<'t, str>>, at: usize) {
        let key = key.into();
        if let Some(map) = self.maps.last_mut() {
            map.keys.push((sample(&key), key, at));
        }
    }

    pub fn leave(&mut self) {
        let Some(Map { place, mut keys }) = self.maps.pop() else { return };
        keys.sort_unstable();
        for same in keys.chunk_by(|(_, one, _), (_, two, _)| one == two) {
            if let [(_, key, first), (.., at), ..] = same
                && self.found.len() < MOST
                && !is_remark(key)
            {
                self.found.push(Found { place: place ^ hash(key), key: key.clone(), at: *at, first: *first });
            }
        }
    }

    pub fn found(self) -> Vec<Found<'t>> {
        self.found
    }
}

/// Of one file. With more, two versions of it cannot be compared, and nobody needs to hear of each.
const MOST: usize = 1_000;

/// Keys that people write for want of comments, and YAML's `<<`, of which a map may have several.
fn is_remark(key: &str) -> bool {
    key == "<<"
        || key.is_empty()
        || key.starts_with(['/', '#'])
        || key.trim_start_matches(['_', '$']).starts_with("comment")
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// The length, and the bytes at both ends: nearly as good as a hash, and cheap for each of the keys of a large file.
fn sample(key: &str) -> u64 {
    let end = |bytes: &mut dyn Iterator<Item = u8>| bytes.take(3).fold(0, |all, byte| all << 8 | u64::from(byte));
    let bytes = key.as_bytes();
    (key.len() as u64) << 48 | end(&mut bytes.iter().copied()) << 24 | end(&mut bytes.iter().rev().copied())
}

/// FNV-1a: the same in every run, unlike the standard library's.
fn hash(key: &str) -> u64 {
    key.bytes().fold(SEED, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Those of the candidate that the base did not have.
pub fn findings(sides: &Sides, after: Vec<Duplicate>, before: &dyn Fn() -> Vec<Duplicate>) -> Vec<Finding> {
    let old = sides.before.filter(|_| !after.is_empty()).map(|_| before()).unwrap_or_default();
    if old.len() >= MOST {
        return Vec::new();
    }
    let mut new = after;
    new.sort_by_key(|duplicate| duplicate.line);
    let old = without(old.iter().collect(), &mut new, |duplicate| duplicate.place);
    // Where a map above was renamed or moved, all of its places are others.
    without(old, &mut new, |duplicate| hash(&duplicate.key));
    new.iter().map(|duplicate| finding(sides.path, duplicate)).collect()
}

/// Takes out of `new` what the base had too, one for one; what of `old` met none is left.
fn without<'d>(old: Vec<&'d Duplicate>, new: &mut Vec<Duplicate>, of: fn(&Duplicate) -> u64) -> Vec<&'d Duplicate> {
    let mut known: HashMap<u64, Vec<&Duplicate>> = HashMap::new();
    old.into_iter().for_each(|duplicate| known.entry(of(duplicate)).or_default().push(duplicate));
    new.retain(|duplicate| known.get_mut(&of(duplicate)).and_then(Vec::pop).is_none());
    known.into_values().flatten().collect()
}

fn finding(path: &str, duplicate: &Duplicate) -> Finding {
    let Duplicate { key, line, first, .. } = duplicate;
    let key: String = key.chars().take(60).collect();
    Finding::error(
        "duplicate-key",
        format!("the key `{key}` stands twice in one map: on line {first} and on line {line}"),
    )
    .at(path, *line)
    .help(format!(
        "Keep one `{key}`, with all that belongs to it: of two, what reads the file drops one without a word."
    ))
    .related(path, *first..=*first, "the key stands here already")
}
