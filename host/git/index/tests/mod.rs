//! The mapped index beside the decoder: whatever both can read is the same to both.

use std::path::Path;

use git2::{IndexAddOption, Repository};
use gix_index::decode::Options;
use gix_index::entry::Flags;

use super::cached_tree::CachedTree;
use super::entries::Entries;
use super::{IndexEntry, oid};

/// An index as libgit2 writes it, with the ids of its trees, a conflict and a file that is only announced (version 3).
fn indexes() -> Vec<Vec<u8>> {
    let home = tempfile::tempdir().unwrap();
    let repo = Repository::init(home.path()).unwrap();
    for number in 0..40 {
        let file = home.path().join(format!("d{}/e{}/{}.txt", number % 7, number % 3, "f".repeat(number + 1)));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, number.to_string()).unwrap();
    }
    let mut index = repo.index().unwrap();
    index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
    index.write_tree().unwrap();
    index.write().unwrap();
    let bytes = || std::fs::read(home.path().join(".git/index")).unwrap();
    let mut found = vec![bytes()];
    let mut entry = index.get(3).unwrap();
    entry.flags_extended |= 1 << 13;
    entry.path = b"announced".to_vec();
    index.add(&entry).unwrap();
    index.write().unwrap();
    found.push(bytes());
    let mut entry = index.get(5).unwrap();
    index.remove(Path::new(std::str::from_utf8(&entry.path).unwrap()), 0).unwrap();
    for stage in 1..=3 {
        entry.flags = entry.flags & !(3 << 12) | stage << 12;
        index.add(&entry).unwrap();
    }
    index.write().unwrap();
    found.push(bytes());
    found
}

/// False: one of the two cannot read it.
fn both_read(bytes: &[u8]) -> bool {
    let mapped = Entries::find(bytes);
    let options = Options { thread_limit: Some(1), ..Options::default() };
    let stamp = std::time::SystemTime::now().into();
    let decoded = gix_index::State::from_bytes(bytes, stamp, gix_index::hash::Kind::Sha1, options);
    let (Some(mapped), Ok((state, _))) = (&mapped, &decoded) else {
        return false;
    };
    assert_eq!(mapped.len(), state.entries().len());
    for (at, entry) in state.entries().iter().enumerate() {
        let path: &[u8] = entry.path(state);
        assert_eq!(mapped.path(at), path);
        let wanted = IndexEntry {
            mode: entry.mode.bits(),
            oid: oid(entry.id.as_bytes()).unwrap(),
            stage: entry.flags.stage_raw(),
            intent_to_add: entry.flags.contains(Flags::INTENT_TO_ADD),
        };
        assert_eq!(mapped.entry(at).unwrap(), wanted);
    }
    if let (Some(mapped), Some(decoded)) = (mapped.tree(), state.tree()) {
        assert_eq!(Some(mapped), CachedTree::decoded(decoded));
    }
    true
}

#[test]
fn what_libgit2_writes_is_read_as_the_decoder_reads_it() {
    let indexes = indexes();
    assert!(indexes.iter().all(|bytes| both_read(bytes)));
    assert!(Entries::find(&indexes[0][..]).unwrap().tree().is_some(), "no ids of trees");
    let announced = indexes.iter().any(|bytes| {
        let entries = Entries::find(&bytes[..]).unwrap();
        (0..entries.len()).any(|at| entries.entry(at).unwrap().intent_to_add)
    });
    assert!(announced, "no index of version 3");
}

/// Bytes that were overwritten, cut or put in: no panic, and never another entry than the decoder finds.
#[test]
fn damage_is_left_to_the_decoder() {
    let indexes = indexes();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    let mut read = 0;
    for round in 0..6000 {
        let mut bytes = indexes[random(indexes.len())].clone();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match round % 4 {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, random(256) as u8),
                _ => bytes[at] = random(256) as u8,
            }
            if bytes.is_empty() {
                break;
            }
        }
        read += usize::from(both_read(&bytes));
    }
    assert!(read > 1000, "only {read} were read by both");
}
