//! The entries of an index of version 2 or 3 (gitformat-index), read where they lie.

use std::ops::{Deref, Range};

use gix_index::entry::Mode;

use super::{CachedTree, IndexEntry, oid};
use guardhost_core::error::Result;

/// An index whose entries were found, and not decoded.
pub(in super::super) struct Entries<B> {
    bytes: B,
    count: usize,
    /// Where every [`STEP`]th entry begins. A place for each would be 200 KB at 53,000 entries, all of it fresh memory: the faults for its
    /// pages took a sixth as long as finding the entries.
    starts: Vec<u32>,
    /// Content of the extension `TREE`.
    tree: Option<Range<usize>>,
}

/// Bytes of the header, of the checksum at the end, and of an entry's times, owner, size, id and flags.
const HEADER: usize = 12;
const CHECKSUM: usize = 20;
const FIXED: usize = 62;

/// Entries from one known place to the next.
const STEP: usize = 16;

/// Where an entry has its mode, its object id and its flags.
const MODE: usize = 24;
const ID: Range<usize> = 40..60;
const FLAGS: usize = 60;

/// Bits of the flags.
const EXTENDED: u16 = 0x4000;
const NAME_LENGTH: u16 = 0x0fff;
/// A bit of the flags that follow in version 3.
const INTENT_TO_ADD: u16 = 0x2000;

impl<B: Deref<Target = [u8]>> Entries<B> {
    /// None for an index that has to be decoded: another version, a split one, an unknown extension, a path of 4 KiB, damage.
    pub fn find(bytes: B) -> Option<Self> {
        let version = u32_at(&bytes, 4)?;
        if !bytes.starts_with(b"DIRC") || !matches!(version, 2 | 3) {
            return None;
        }
        let end = bytes.len().checked_sub(CHECKSUM)?;
        let content = u32::try_from(end).ok().and(bytes.get(..end))?;
        let count = u32_at(&bytes, 8)? as usize;
        // A damaged count reserves no memory that the file could not fill.
        let mut starts = Vec::with_capacity(count.min(content.len() / FIXED) / STEP + 1);
        let mut at = HEADER;
        for entry in 0..count {
            let flags = u16_at(content, at + FLAGS)?;
            if flags & NAME_LENGTH == NAME_LENGTH || (flags & EXTENDED != 0 && version < 3) {
                return None;
            }
            if entry % STEP == 0 {
                starts.push(at as u32);
            }
            at += length(flags);
        }
        let tree = extensions(content, at)?;
        Some(Entries { bytes, count, starts, tree })
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn path(&self, at: usize) -> &[u8] {
        let bytes = self.entry_bytes(at);
        let flags = flags(bytes, FLAGS);
        let name = FIXED + usize::from(flags & EXTENDED != 0) * 2;
        &bytes[name..name + usize::from(flags & NAME_LENGTH)]
    }

    pub fn entry(&self, at: usize) -> Result<IndexEntry> {
        let bytes = self.entry_bytes(at);
        let mode = u32::from_be_bytes([bytes[MODE], bytes[MODE + 1], bytes[MODE + 2], bytes[MODE + 3]]);
        let first = flags(bytes, FLAGS);
        let more = if first & EXTENDED != 0 { flags(bytes, FIXED) } else { 0 };
        Ok(IndexEntry {
            // Unknown bits count for neither reader.
            mode: Mode::from_bits_truncate(mode).bits(),
            oid: oid(&bytes[ID])?,
            stage: u32::from(first >> 12 & 3),
            intent_to_add: more & INTENT_TO_ADD != 0,
        })
    }

    /// None also for damage, with which every directory is compared.
    pub fn tree(&self) -> Option<CachedTree<'_>> {
        CachedTree::parse(&self.bytes[self.tree.clone()?])
    }

    /// From an entry's first byte on; `find` saw that the whole entry is there.
    fn entry_bytes(&self, at: usize) -> &[u8] {
        let known = &self.bytes[self.starts[at / STEP] as usize..];
        (0..at % STEP).fold(known, |entry, _| &entry[length(flags(entry, FLAGS))..])
    }
}

/// Bytes of an entry with these flags, up to the next one: the fixed part, the path, and one to eight bytes of padding.
fn length(flags: u16) -> usize {
    let name = FIXED + usize::from(flags & EXTENDED != 0) * 2;
    (name + usize::from(flags & NAME_LENGTH) + 8) & !7
}

/// Where the content of `TREE` is, in an index whose extensions all are known and change nothing about the entries.
fn extensions(content: &[u8], mut at: usize) -> Option<Option<Range<usize>>> {
    let mut tree = None;
    while at < content.len() {
        let (name, length) = (content.get(at..at + 4)?, u32_at(content, at + 4)? as usize);
        let range = at + 8..(at + 8).checked_add(length)?;
        content.get(range.clone())?;
        match name {
            b"TREE" => tree = Some(range.clone()),
            b"REUC" | b"UNTR" | b"FSMN" | b"EOIE" | b"IEOT" | b"sdir" => {}
            _ => return None,
        }
        at = range.end;
    }
    (at == content.len()).then_some(tree)
}

fn flags(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
