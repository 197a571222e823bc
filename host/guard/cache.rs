//! Compiled code, kept between runs, one directory a user. Loading it is running it, so that an entry counts only if this user's
//! key says that this user's host wrote it, byte for byte; what is cut, altered or copied from elsewhere is compiled anew.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// A keyed BLAKE3 of name and code stands before the code.
const TAG: usize = blake3::OUT_LEN;

pub struct Cache {
    folder: PathBuf,
    key: [u8; blake3::KEY_LEN],
}

impl Cache {
    /// `folder` is made if it is not there, with its key. Errors: it belongs to somebody else, others may write in it, or the
    /// disk.
    pub fn open(folder: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let meta = fs::symlink_metadata(folder)?;
        if !meta.is_dir() || meta.uid() != rustix::process::geteuid().as_raw() || meta.mode() & 0o077 != 0 {
            let what =
                format!("{} is not a directory of this user alone; remove it, or run: chmod 700 {0}", folder.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
        }
        Ok(Cache { folder: folder.to_path_buf(), key: key(folder)? })
    }

    /// The code that was kept for a component of this digest; None when there is none, or none to be trusted.
    pub fn get(&self, digest: &str) -> Option<Vec<u8>> {
        let name = name(digest);
        let mut tag = [0; TAG];
        let mut file = File::open(self.folder.join(&name)).ok()?;
        file.read_exact(&mut tag).ok()?;
        let mut code = Vec::new();
        file.read_to_end(&mut code).ok()?;
        // Compared in constant time.
        (self.tag(&name, &code) == tag).then_some(code)
    }

    /// Keep the code. Whoever reads meanwhile sees the old entry or the new, never a part.
    pub fn put(&self, digest: &str, code: &[u8]) -> io::Result<()> {
        let name = name(digest);
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(self.tag(&name, code).as_bytes())?;
        file.write_all(code)?;
        file.persist(self.folder.join(name))?;
        Ok(())
    }

    fn tag(&self, name: &str, code: &[u8]) -> blake3::Hash {
        blake3::Hasher::new_keyed(&self.key).update(name.as_bytes()).update(code).finalize()
    }
}

/// What decides the code: the component, the engine that compiled it, the host that uses it.
fn name(digest: &str) -> String {
    let hash = Sha256::new()
        .chain_update(digest)
        .chain_update(guards::ENGINE)
        .chain_update(env!("CARGO_PKG_VERSION"))
        .finalize();
    super::load::hex(&hash)
}

/// Read the key, or make it; of two hosts that make it at once, one wins, and both read it.
fn key(folder: &Path) -> io::Result<[u8; blake3::KEY_LEN]> {
    let path = folder.join("key");
    if !path.try_exists()? {
        let mut fresh = [0; blake3::KEY_LEN];
        File::open("/dev/urandom")?.read_exact(&mut fresh)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&fresh)?;
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
