//! Files that only this user's host wrote: compiled code, and what was read of modules. Loading code means running it, so an entry counts
//! only if its tag, made with the user's key, proves that it is what this user's host wrote, byte for byte. An entry that was cut, altered
//! or copied from elsewhere is ignored, and made again.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use guardhost_os::{may_be_read_by_others, random_bytes};
use sha2::{Digest, Sha256};

use guardhost_core::cache::{BoundedFolder, MOST};

/// Bytes of a tag: a keyed BLAKE3 of name and content.
pub(super) const TAG: usize = blake3::OUT_LEN;

/// Files that begin with a dot are never pruned.
const KEY: &str = ".key";

#[derive(Debug)]
pub struct Authenticated {
    pub(super) folder: BoundedFolder,
    key: [u8; blake3::KEY_LEN],
    /// Of what makes the entries: the compiler and its settings.
    fingerprint: Cow<'static, str>,
}

impl Authenticated {
    /// Makes `folder` and its key if they are missing. Errors: another user owns it, other users may write to it, or the disk fails.
    pub fn open(folder: &Path, fingerprint: &'static str) -> io::Result<Self> {
        Authenticated::new(BoundedFolder::open(folder, MOST)?, fingerprint)
    }

    /// The same for a folder of other entries.
    pub fn new(folder: BoundedFolder, fingerprint: impl Into<Cow<'static, str>>) -> io::Result<Self> {
        let key = key(folder.path())?;
        Ok(Authenticated { folder, key, fingerprint: fingerprint.into() })
    }

    /// What was put under this name; None when there is nothing, or its tag is wrong.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let name = self.name(name);
        let mut content = self.folder.read(&name)?;
        let (tag, bytes) = content.split_first_chunk::<TAG>()?;
        // Compared in constant time.
        if self.tag(&name, &[bytes]) != *tag {
            return None;
        }
        content.drain(..TAG);
        Some(content)
    }

    /// Readers see the old entry or the new one, never a part.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let name = self.name(name);
        let tag = self.tag(&name, &[bytes]);
        self.folder.put(&name, &[tag.as_bytes(), bytes])
    }

    /// The file's name: contains everything that decides the entry, the host's version too.
    pub(super) fn name(&self, name: &str) -> String {
        let hash = Sha256::new()
            .chain_update(name)
            .chain_update(&*self.fingerprint)
            .chain_update(env!("CARGO_PKG_VERSION"))
            .finalize();
        crate::text::escape::hex(&hash)
    }

    /// `name` is the file's.
    pub(super) fn tag(&self, name: &str, parts: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(name.as_bytes());
        for part in parts {
            hasher.update(part);
        }
        hasher.finalize()
    }
}

/// Reads the key, and makes it first if it is missing or was cut. Of two processes that make it at once, one wins and both read
/// its key. Entries of a lost key are ignored.
pub(crate) fn key(folder: &Path) -> io::Result<[u8; blake3::KEY_LEN]> {
    let path = folder.join(KEY);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => make_key(folder, &path)?,
        Err(error) => return Err(in_file(&path, &error)),
        Ok(meta) if may_be_read_by_others(&meta) => {
            let what = format!("{} can be read by others; remove it", path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
        }
        // A key is written whole, so that no other process is at work here: a full disk or a crash has cut the file.
        Ok(meta) if meta.is_file() && meta.len() != blake3::KEY_LEN as u64 => {
            fs::remove_file(&path).map_err(|error| in_file(&path, &error))?;
            make_key(folder, &path)?;
        }
        Ok(_) => {}
    }
    let mut key = [0; blake3::KEY_LEN];
    File::open(&path).and_then(|mut file| file.read_exact(&mut key)).map_err(|error| in_file(&path, &error))?;
    Ok(key)
}

fn make_key(folder: &Path, path: &Path) -> io::Result<()> {
    let mut fresh = [0; blake3::KEY_LEN];
    random_bytes(&mut fresh)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, &fresh)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error),
    }
}

/// The system's message does not name the file.
fn in_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}; remove it, and the host makes it again", path.display()))
}
