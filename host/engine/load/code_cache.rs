//! Compiled code, kept between runs in one directory for each user, and in another what was read of modules. Loading code means running
//! it, so an entry counts only if its tag, made with the user's key, proves that this user's host wrote it byte for byte. An entry that
//! was cut, altered or copied from elsewhere is ignored, and made again.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use sha2::{Digest, Sha256};

use guardhost_core::cache::{Folder, MOST};
use guardhost_core::stop::StopToken;

/// Bytes of the tag before the code: a keyed BLAKE3 of name and code.
const TAG: usize = blake3::OUT_LEN;

/// Files that begin with a dot are never pruned.
const KEY: &str = ".key";

/// Whether compiled code can be kept in `folder`: opens it as [`Cache::open`] does. Errors: why it cannot.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    Cache::open(folder, "").map(drop)
}

pub struct Cache {
    folder: Folder,
    key: [u8; blake3::KEY_LEN],
    /// Of what makes the entries: the compiler and its settings.
    fingerprint: &'static str,
}

impl Cache {
    /// Makes `folder` and its key if they are missing. Errors: another user owns it, other users may write to it, or the disk fails.
    pub fn open(folder: &Path, fingerprint: &'static str) -> io::Result<Self> {
        Cache::of(Folder::open(folder, MOST)?, fingerprint)
    }

    /// The same for a folder of other entries.
    pub fn of(folder: Folder, fingerprint: &'static str) -> io::Result<Self> {
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
    pub fn exclusively<T>(&self, digest: &str, stop: &StopToken, work: impl FnOnce() -> T) -> T {
        self.folder.alone(&self.name(digest), stop, work)
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

/// Reads the key, and makes it first if it is missing or was cut. Of two processes that make it at once, one wins and both read
/// its key. Entries of a lost key are ignored.
fn key(folder: &Path) -> io::Result<[u8; blake3::KEY_LEN]> {
    let path = folder.join(KEY);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => make_key(folder, &path)?,
        Err(error) => return Err(in_file(&path, &error)),
        Ok(meta) if meta.permissions().mode() & 0o077 != 0 => {
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
    File::open("/dev/urandom")?.read_exact(&mut fresh)?;
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
    io::Error::new(error.kind(), format!("{}: {error}; remove it, and the host makes it anew", path.display()))
}
