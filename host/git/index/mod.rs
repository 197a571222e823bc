//! The index, as the comparison with HEAD's tree reads it: entries by number, and the ids that git keeps for whole directories.
//!
//! A comparison looks at few entries. So the index is mapped, and only the place of each entry is computed: at 53,000 files, decoding
//! all of them took half of all page faults of a check (docs/decisions/git-readers.md).

mod cached_tree;
mod entries;
mod map;
mod read;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::Path;

use git2::Oid as Id;
use gix_index::entry::Flags;

use super::failed;
use guardhost_core::change::Oid;
use guardhost_core::error::Result;

pub(super) use cached_tree::CachedTree;
use entries::Entries;
use map::IndexMap;
pub(super) use read::read_index;

pub(super) enum Index {
    /// Versions 2 and 3 of the format, in one file.
    Mapped(Entries<IndexMap>),
    /// Every other index: version 4, a split one, one that does not exist yet, and whatever has to be refused with a reason.
    Decoded(Box<gix_index::File>),
}

/// What the comparison reads of an entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    pub mode: u32,
    pub oid: Oid,
    /// 0 unless the path is unmerged.
    pub stage: u32,
    pub intent_to_add: bool,
}

impl Index {
    /// The checksum is not verified: git does not verify it either, and it would take four times as long as all the rest.
    ///
    /// # Errors
    /// [`FaultKind::Git`](guardhost_core::error::FaultKind::Git): it cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        match IndexMap::open(path).and_then(Entries::find) {
            Some(entries) => Ok(Index::Mapped(entries)),
            None => Ok(Index::Decoded(Box::new(read_index(path)?))),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Index::Mapped(entries) => entries.len(),
            Index::Decoded(file) => file.entries().len(),
        }
    }

    pub fn path(&self, at: usize) -> &[u8] {
        match self {
            Index::Mapped(entries) => entries.path(at),
            Index::Decoded(file) => file.entries()[at].path(file),
        }
    }

    /// The first entry of `range` whose path `matches` does not hold for, if it holds for those before it alone.
    pub fn partition_point(&self, range: Range<usize>, matches: impl Fn(&[u8]) -> bool) -> usize {
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match matches(self.path(middle)) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    pub fn entry(&self, at: usize) -> Result<IndexEntry> {
        match self {
            Index::Mapped(entries) => entries.entry(at),
            Index::Decoded(file) => {
                let entry = &file.entries()[at];
                Ok(IndexEntry {
                    mode: entry.mode.bits(),
                    oid: oid(entry.id.as_bytes())?,
                    stage: entry.flags.stage_raw(),
                    intent_to_add: entry.flags.contains(Flags::INTENT_TO_ADD),
                })
            }
        }
    }

    /// The ids of the trees that git knew when it wrote the index, from the root on; None when there are none.
    pub fn tree(&self) -> Option<CachedTree<'_>> {
        match self {
            Index::Mapped(entries) => entries.tree(),
            Index::Decoded(file) => CachedTree::decoded(file.tree()?),
        }
    }
}

fn oid(id: &[u8]) -> Result<Oid> {
    Id::from_bytes(id).map_err(|cause| failed("not an object id in the index", cause))
}
