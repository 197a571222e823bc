//! Pull requests that wait for a verdict, as files: what a forge was told to have arrived is judged, whatever happens to this process.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use guardhost_fleet::hex;
use guardhost_forge::watch::PullNews;
use guardhost_os::Private as _;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// More pull requests do not wait: the forge is told that they did not arrive.
const MOST: usize = 10_000;

/// The newest news of one pull request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Of the observation that its verdict becomes, so that one that is written twice is kept once.
    pub id: Uuid,
    /// RFC 3339.
    pub arrived: String,
    pub pull: PullNews,
}

pub struct Inbox(PathBuf);

impl Inbox {
    /// # Errors
    /// The folder cannot be made.
    pub fn open(folder: PathBuf) -> io::Result<Self> {
        DirBuilder::new().recursive(true).private().create(&folder)?;
        Ok(Inbox(folder))
    }

    /// On disk when it returns. A pull request has one entry: what is newer takes its place, and one that was closed has none.
    ///
    /// # Errors
    /// It cannot be written, or too much waits.
    pub fn put(&self, pull: &PullNews) -> io::Result<()> {
        let file = self.file(pull);
        if !pull.is_open {
            return match fs::remove_file(file) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                other => other,
            };
        }
        if !file.exists() && self.files()?.len() >= MOST {
            return Err(io::Error::other(format!("{MOST} pull requests wait already")));
        }
        let entry = Entry { id: Uuid::now_v7(), arrived: Timestamp::now().to_string(), pull: pull.clone() };
        let unfinished = self.0.join(format!("{}.part", entry.id));
        let mut written = OpenOptions::new().write(true).create_new(true).private().open(&unfinished)?;
        written.write_all(&serde_json::to_vec(&entry)?)?;
        written.sync_all()?;
        fs::rename(&unfinished, file)?;
        sync_folder(&self.0)
    }

    /// What waits, oldest first. A file that is none of these is left alone.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let read = |file: PathBuf| serde_json::from_slice::<Entry>(&fs::read(file).ok()?).ok();
        let mut entries: Vec<Entry> = self.files()?.into_iter().filter_map(read).collect();
        entries.sort_by_key(|entry| entry.id);
        Ok(entries)
    }

    /// Whether nothing newer came of the pull request, and it was not closed.
    pub fn holds(&self, entry: &Entry) -> bool {
        let kept = fs::read(self.file(&entry.pull)).ok();
        kept.is_some_and(|kept| serde_json::from_slice::<Entry>(&kept).is_ok_and(|kept| kept.id == entry.id))
    }

    /// After its verdict was written down.
    pub fn remove(&self, entry: &Entry) {
        if self.holds(entry) {
            // What stays is judged once more, which changes nothing.
            let _ = fs::remove_file(self.file(&entry.pull));
        }
    }

    fn file(&self, pull: &PullNews) -> PathBuf {
        let name = format!("{}\n{}\n{}", pull.clone_url, pull.repository.to_lowercase(), pull.number);
        self.0.join(format!("{}.json", hex::sha256(name.as_bytes())))
    }

    fn files(&self) -> io::Result<Vec<PathBuf>> {
        let paths = fs::read_dir(&self.0)?.map(|file| Ok(file?.path())).collect::<io::Result<Vec<_>>>()?;
        Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect())
    }
}

/// So that the name of a new file survives a loss of power.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(number: u64, sha: &str) -> PullNews {
        PullNews {
            repository: "team/tally".into(),
            number,
            sha: sha.repeat(40),
            base: "main".into(),
            clone_url: "https://example.org/team/tally.git".into(),
            is_open: true,
        }
    }

    #[test]
    fn the_newest_of_each_pull_request_waits_until_it_is_judged() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::open(folder.path().join("inbox")).unwrap();
        for pull in [news(1, "a"), news(2, "b"), news(1, "c")] {
            inbox.put(&pull).unwrap();
        }
        let shown = |inbox: &Inbox| -> Vec<String> {
            inbox
                .entries()
                .unwrap()
                .iter()
                .map(|entry| format!("{}{}", entry.pull.number, &entry.pull.sha[..1]))
                .collect()
        };
        assert_eq!(shown(&inbox), ["2b", "1c"]);
        let old = Entry { id: Uuid::now_v7(), arrived: Timestamp::now().to_string(), pull: news(1, "a") };
        inbox.remove(&old);
        assert!(!inbox.holds(&old));
        assert_eq!(shown(&inbox), ["2b", "1c"], "what is newer stays");
        // Another process, and what one that was killed left behind.
        fs::write(folder.path().join("inbox/0.part"), "{").unwrap();
        fs::write(folder.path().join("inbox/0.json"), "{").unwrap();
        let inbox = Inbox::open(folder.path().join("inbox")).unwrap();
        let entries = inbox.entries().unwrap();
        assert!(inbox.holds(&entries[0]));
        inbox.remove(&entries[0]);
        inbox.put(&PullNews { is_open: false, ..news(1, "c") }).unwrap();
        inbox.put(&PullNews { is_open: false, ..news(3, "c") }).unwrap();
        assert!(shown(&inbox).is_empty());
    }
}
