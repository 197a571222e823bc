//! Texts about one repository that only this user's host can have written.

use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use guardhost_core::cache::{BoundedFolder, MOST};
use guardhost_core::stop::StopToken;

use crate::load::authenticated::key;

/// In the user's cache folder: what works in a repository finds nothing of it there. An entry that nobody used for some months goes.
const FOLDER: &str = "repositories";

/// One such text.
pub struct SealedText {
    folder: BoundedFolder,
    key: [u8; blake3::KEY_LEN],
    /// What it is, and of which repository: a text about one thing says nothing about another.
    about: String,
    /// The file's.
    name: String,
}

impl SealedText {
    /// `cache` is the user's cache folder; a folder for such texts and a key are made in it if they are missing. `git_dir` is what all work trees
    /// of the repository share.
    ///
    /// # Errors
    /// Other users have access to the folder, or the disk fails.
    pub fn open(cache: &Path, what: &str, git_dir: &Path) -> io::Result<Self> {
        let folder = BoundedFolder::open(&cache.join(FOLDER), MOST)?;
        // A repository that is made where another one was is not that one.
        let made = fs::metadata(git_dir).and_then(|about| about.created()).ok();
        let made = made.and_then(|made| made.duration_since(UNIX_EPOCH).ok()).map_or(0, |made| made.as_nanos());
        let about = format!("{what} {} {made}", git_dir.display());
        let name = blake3::hash(about.as_bytes()).to_hex()[..32].to_owned();
        Ok(SealedText { key: key(folder.path())?, folder, about, name })
    }

    /// None where there is none, or not this user's host wrote it.
    pub fn read(&self) -> Option<String> {
        let entry = String::from_utf8(self.folder.read(&self.name)?).ok()?;
        let (tag, text) = entry.split_once('\n')?;
        // Compared in constant time.
        blake3::Hash::from_hex(tag).is_ok_and(|tag| tag == self.tag(text)).then(|| text.to_owned())
    }

    /// Readers see the old text or the new one.
    ///
    /// # Errors
    /// The disk fails.
    pub fn write(&self, text: &str) -> io::Result<()> {
        self.folder.put(&self.name, &[self.tag(text).to_hex().as_bytes(), b"\n", text.as_bytes()])
    }

    /// Runs `work`, which reads and writes the text, while no other process does.
    pub fn alone<T>(&self, work: impl FnOnce() -> T) -> T {
        self.folder.alone(&self.name, &StopToken::default(), work)
    }

    /// # Errors
    /// The disk fails.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_file(self.folder.path().join(&self.name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn tag(&self, text: &str) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&(self.about.len() as u64).to_le_bytes()).update(self.about.as_bytes()).update(text.as_bytes());
        hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_another_hand_is_none() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("cache");
        let text = SealedText::open(&folder, "note", Path::new("/r/.git")).unwrap();
        text.write("one\ntwo").unwrap();
        assert_eq!(text.read().as_deref(), Some("one\ntwo"));

        let other = SealedText::open(&folder, "note", Path::new("/s/.git")).unwrap();
        let entry = std::fs::read(text.folder.path().join(&text.name)).unwrap();
        other.folder.put(&other.name, &[&entry]).unwrap();
        assert_eq!(other.read(), None, "it is about another repository");

        for at in 0..entry.len() {
            let mut changed = entry.clone();
            changed[at] ^= 1;
            text.folder.put(&text.name, &[&changed]).unwrap();
            assert_eq!(text.read(), None, "byte {at}");
        }
        text.remove().unwrap();
        assert_eq!(text.read(), None);
    }
}
