//! Blobs that were read already. Every guard of a set asks for the same few files, and reading a loose object means to open, inflate and
//! hash it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use guardhost_core::change::Oid;

/// Bytes that are kept in all.
const MOST: usize = 32 << 20;
/// Bytes of a blob that is kept: one large file must not push out the small ones.
const LARGEST: usize = 4 << 20;
/// Sizes that are kept.
const SIZES: usize = 1 << 16;

/// The content and the sizes of blobs, by id. What was kept first goes first.
#[derive(Default)]
pub(super) struct Blobs {
    contents: HashMap<Oid, Arc<[u8]>>,
    order: VecDeque<Oid>,
    bytes: usize,
    sizes: HashMap<Oid, u64>,
}

impl Blobs {
    pub fn content(&self, oid: Oid) -> Option<Arc<[u8]>> {
        self.contents.get(&oid).cloned()
    }

    pub fn size(&self, oid: Oid) -> Option<u64> {
        self.sizes.get(&oid).copied()
    }

    pub fn keep(&mut self, oid: Oid, content: &Arc<[u8]>) {
        self.keep_size(oid, content.len() as u64);
        if content.len() > LARGEST || self.contents.insert(oid, content.clone()).is_some() {
            return;
        }
        self.order.push_back(oid);
        self.bytes += content.len();
        while self.bytes > MOST {
            let Some(oldest) = self.order.pop_front() else { return };
            self.bytes -= self.contents.remove(&oldest).map_or(0, |content| content.len());
        }
    }

    pub fn keep_size(&mut self, oid: Oid, size: u64) {
        if self.sizes.len() >= SIZES {
            self.sizes.clear();
        }
        self.sizes.insert(oid, size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oid(number: usize) -> Oid {
        Oid::from_str(&format!("{number:040x}")).unwrap()
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut blobs = Blobs::default();
        let content: Arc<[u8]> = vec![0; LARGEST].into();
        for number in 0..20 {
            blobs.keep(oid(number), &content);
            blobs.keep(oid(number), &content);
        }
        assert_eq!((blobs.bytes, blobs.contents.len(), blobs.order.len()), (MOST, MOST / LARGEST, MOST / LARGEST));
        assert!(blobs.content(oid(0)).is_none() && blobs.content(oid(19)).is_some());
        assert_eq!(blobs.size(oid(0)), Some(LARGEST as u64));

        let large: Arc<[u8]> = vec![0; LARGEST + 1].into();
        blobs.keep(oid(20), &large);
        assert!(blobs.content(oid(20)).is_none());
        assert_eq!(blobs.size(oid(20)), Some(LARGEST as u64 + 1));
    }
}
