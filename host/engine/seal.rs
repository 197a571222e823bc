//! Tags that only this user's host can make.

use std::io;
use std::path::Path;

use guardhost_core::cache::{BoundedFolder, MOST};

use crate::load::authenticated::key;

/// Seals texts that lie outside of the user's own folders.
pub struct CacheSeal {
    key: [u8; blake3::KEY_LEN],
    /// What is sealed: a tag of one thing does not fit another.
    about: String,
}

impl CacheSeal {
    /// The key in `folder`, a cache folder of this user; it is made if it is missing.
    ///
    /// # Errors
    /// Other users have access to the folder, or the disk fails.
    pub fn open(folder: &Path, about: String) -> io::Result<Self> {
        Ok(CacheSeal { key: key(BoundedFolder::open(folder, MOST)?.path())?, about })
    }

    /// In hexadecimal.
    pub fn tag(&self, text: &[u8]) -> String {
        self.hash(text).to_hex().to_string()
    }

    /// Compared in constant time.
    pub fn is_tag(&self, tag: &str, text: &[u8]) -> bool {
        blake3::Hash::from_hex(tag).is_ok_and(|tag| tag == self.hash(text))
    }

    fn hash(&self, text: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&(self.about.len() as u64).to_le_bytes()).update(self.about.as_bytes()).update(text);
        hasher.finalize()
    }
}
