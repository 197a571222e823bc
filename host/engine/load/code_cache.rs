//! Compiled code, kept between runs in one directory for each user. Loading code means running it, so an entry counts only if its tag,
//! made with the user's key, proves that this user's host wrote it byte for byte. An entry that was cut, altered or copied from
//! elsewhere is ignored, and the guard is compiled again.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use sha2::{Digest, Sha256};

use guardhost_core::cache::{Folder, MOST};

/// Bytes of the tag before the code: a keyed BLAKE3 of name and code.
const TAG: usize = blake3::OUT_LEN;

/// Files that begin with a dot are never pruned.
const KEY: &str = ".key";

pub struct Cache {
    folder: Folder,
    key: [u8; blake3::KEY_LEN],
    /// Of the compiler and its settings.
    fingerprint: &'static str,
}

impl Cache {
    /// Makes `folder` and its key if they are missing. Errors: another user owns it, other users may write to it, or the disk fails.
    pub fn open(folder: &Path, fingerprint: &'static str) -> io::Result<Self> {
        let folder = Folder::open(folder, MOST)?;
        let key = key(folder.path())?;
        Ok(Cache { folder, key, fingerprint })
    }

    /// The code of the component with this digest; None when there is none, or its tag is wrong.
    pub fn get(&self, digest: &str) -> Option<Vec<u8>> {
        let name = self.name(digest);
        let mut tag = [0; TAG];
        let mut file = self.folder.get(&name)?;
        file.read_exact(&mut tag).ok()?;
        let mut code = Vec::new();
        file.read_to_end(&mut code).ok()?;
        // Compared in constant time.
        (self.tag(&name, &code) == tag).then_some(code)
    }

    /// Readers see the old entry or the new one, never a part.
    pub fn put(&self, digest: &str, code: &[u8]) -> io::Result<()> {
        let name = self.name(digest);
        let tag = self.tag(&name, code);
        self.folder.put(&name, &[tag.as_bytes(), code])
    }

    /// Runs `work` while no other process compiles the same component.
    pub fn exclusively<T>(&self, digest: &str, work: impl FnOnce() -> T) -> T {
        self.folder.alone(&self.name(digest), work)
    }

    /// Contains everything that decides the code: the component, the compiler and its settings, and the host's version.
    fn name(&self, digest: &str) -> String {
        let hash = Sha256::new()
            .chain_update(digest)
            .chain_update(self.fingerprint)
            .chain_update(env!("CARGO_PKG_VERSION"))
            .finalize();
        crate::text::escape::hex(&hash)
    }

    fn tag(&self, name: &str, code: &[u8]) -> blake3::Hash {
        blake3::Hasher::new_keyed(&self.key).update(name.as_bytes()).update(code).finalize()
    }
}

/// Reads the key, and makes it first if it is missing. Of two processes that make it at once, one wins and both read its key.
fn key(folder: &Path) -> io::Result<[u8; blake3::KEY_LEN]> {
    let path = folder.join(KEY);
    if !path.try_exists()? {
        let mut fresh = [0; blake3::KEY_LEN];
        File::open("/dev/urandom")?.read_exact(&mut fresh)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        io::Write::write_all(&mut file, &fresh)?;
        match file.persist_noclobber(&path) {
            Ok(_) => {}
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.error),
        }
    }
    let mut file = File::open(&path)?;
    let mode = file.metadata()?.permissions().mode();
    if mode & 0o077 != 0 {
        let what = format!("{} can be read by others; remove it", path.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    }
    let mut key = [0; blake3::KEY_LEN];
    file.read_exact(&mut key)?;
    Ok(key)
}
