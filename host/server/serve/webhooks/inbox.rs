//! Pull requests that wait for a verdict, as files: what a forge was told to have arrived is judged, whatever happens to this process.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use guardhost_fleet::hex;
use guardhost_forge::watch::PullNews;
use guardhost_os::Private as _;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// More pull requests do not wait: the forge is told that they did not arrive.
const MOST: usize = 10_000;
/// Of more open pull requests it is not known that they are.
const OPEN: usize = 100_000;

/// The newest news of one pull request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InboxEntry {
    /// Of the observation that its verdict becomes, so that one that is written twice is kept once.
    pub id: Uuid,
    /// RFC 3339.
    pub arrived: String,
    pub pull: PullNews,
}

/// A branch that has another commit than its open pull requests were judged for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct MovedBranch {
    /// Of version 7: an entry with a later one waits because of this move, or came after it.
    id: Uuid,
    repository: String,
    branch: String,
}

/// Three folders of one process, and what is in them. `inbox/` has what waits; `open/` the pull requests that are open, to be judged again when
/// their base moves; `moved/` the branches that moved, until all of those wait: a forge gives an answer ten seconds, and a branch may have
/// thousands.
pub struct Inbox {
    waiting: PathBuf,
    open: PathBuf,
    moved: PathBuf,
    known: Mutex<InboxState>,
    /// Held while a file is written: of two deliveries the later one counts, on disk as in `known`.
    writing: Mutex<()>,
}

/// By the names of their files.
#[derive(Default)]
struct InboxState {
    waiting: BTreeMap<String, InboxEntry>,
    open: BTreeMap<String, PullNews>,
    moved: BTreeMap<String, MovedBranch>,
}

impl Inbox {
    /// Reads what another process left. A file that is none of these is left alone.
    ///
    /// # Errors
    /// The folders cannot be made, or they or a file in them cannot be read: what waits there would be forgotten.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let [waiting, open, moved] = ["inbox", "open", "moved"].map(|name| folder.join(name));
        let known = InboxState { waiting: read(&waiting)?, open: read(&open)?, moved: read(&moved)? };
        Ok(Inbox { waiting, open, moved, known: Mutex::new(known), writing: Mutex::default() })
    }

    /// On disk when it returns. A pull request has one entry: what is newer takes its place, and one that was closed has none.
    ///
    /// # Errors
    /// It cannot be written, or too much waits.
    pub fn put(&self, pull: &PullNews) -> io::Result<()> {
        let _writing = locked(&self.writing);
        let name = name(pull);
        if !pull.is_open {
            remove(&self.open.join(&name))?;
            remove(&self.waiting.join(&name))?;
            let mut known = locked(&self.known);
            known.open.remove(&name);
            known.waiting.remove(&name);
            return Ok(());
        }
        self.wait(&name, pull)?;
        // What is not remembered is judged, and not again.
        if locked(&self.known).open.len() < OPEN && write(&self.open, &name, &serde_json::to_vec(pull)?).is_ok() {
            locked(&self.known).open.insert(name, pull.clone());
        }
        Ok(())
    }

    /// A branch has another commit: from the next [`Inbox::begin`] on, the open pull requests that go to it wait again, since what their
    /// merge comes to is another. On disk when it returns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn base_moved(&self, repository: &str, branch: &str) -> io::Result<()> {
        let _writing = locked(&self.writing);
        let moved =
            MovedBranch { id: Uuid::now_v7(), repository: repository.to_lowercase(), branch: branch.to_owned() };
        if locked(&self.known).open.values().any(|pull| moved.is_base_of(pull)) {
            let name = file_name(&format!("{}\n{}", moved.repository, moved.branch));
            write(&self.moved, &name, &serde_json::to_vec(&moved)?)?;
            locked(&self.known).moved.insert(name, moved);
        }
        Ok(())
    }

    /// Lets the pull requests of branches that moved wait, as soon as there is room for all of a branch. A delivery need not wait until
    /// all are written.
    fn spread(&self) {
        let moved = locked(&self.known).moved.clone();
        for (file, moved) in moved {
            let (names, room) = {
                let known = locked(&self.known);
                let left = known.open.keys().filter(|name| known.waits_for(name, &moved).is_some());
                let names: Vec<String> = left.take(MOST).cloned().collect();
                let room = known.waiting.is_empty() || known.waiting.len() + names.len() <= MOST;
                (names, room)
            };
            if !room || names.iter().try_for_each(|name| self.wait_again(name, &moved)).is_err() {
                // Tried again: nothing else can be done where the disk is full.
                continue;
            }
            let _writing = locked(&self.writing);
            // The branch may have moved again.
            if locked(&self.known).moved.get(&file) == Some(&moved) {
                // What stays on disk is judged once more by the next process, which changes nothing.
                let _ = remove(&self.moved.join(&file));
                locked(&self.known).moved.remove(&file);
            }
        }
    }

    fn wait_again(&self, name: &str, moved: &MovedBranch) -> io::Result<()> {
        let _writing = locked(&self.writing);
        let pull = locked(&self.known).waits_for(name, moved).cloned();
        pull.map_or(Ok(()), |pull| self.wait(name, &pull))
    }

    fn wait(&self, name: &str, pull: &PullNews) -> io::Result<()> {
        let is_full = {
            let known = locked(&self.known);
            !known.waiting.contains_key(name) && known.waiting.len() >= MOST
        };
        if is_full {
            return Err(io::Error::other(format!("{MOST} pull requests wait already")));
        }
        let entry = InboxEntry { id: Uuid::now_v7(), arrived: Timestamp::now().to_string(), pull: pull.clone() };
        write(&self.waiting, name, &serde_json::to_vec(&entry)?)?;
        locked(&self.known).waiting.insert(name.to_owned(), entry);
        Ok(())
    }

    /// What waits and is not in `begun`, oldest first. Of `begun` remains what waits: what is not there any more never comes back under its id.
    pub fn begin(&self, begun: &mut BTreeSet<Uuid>) -> Vec<InboxEntry> {
        self.spread();
        let known = locked(&self.known);
        let waiting: BTreeSet<Uuid> = known.waiting.values().map(|entry| entry.id).collect();
        begun.retain(|id| waiting.contains(id));
        let mut new: Vec<InboxEntry> =
            known.waiting.values().filter(|entry| !begun.contains(&entry.id)).cloned().collect();
        drop(known);
        new.sort_by_key(|entry| entry.id);
        begun.extend(new.iter().map(|entry| entry.id));
        new
    }

    /// Whether nothing newer came of the pull request, and it was not closed.
    pub fn holds(&self, entry: &InboxEntry) -> bool {
        locked(&self.known).waiting.get(&name(&entry.pull)).is_some_and(|kept| kept.id == entry.id)
    }

    /// After its verdict was written down.
    pub fn remove(&self, entry: &InboxEntry) {
        let _writing = locked(&self.writing);
        if self.holds(entry) {
            let name = name(&entry.pull);
            // What stays on disk is judged once more by the next process, which changes nothing.
            let _ = remove(&self.waiting.join(&name));
            locked(&self.known).waiting.remove(&name);
        }
    }
}

impl InboxState {
    /// The pull request of that name, if it is open, goes to the branch, and does not wait since that moved.
    fn waits_for(&self, name: &str, moved: &MovedBranch) -> Option<&PullNews> {
        let pull = self.open.get(name).filter(|pull| moved.is_base_of(pull))?;
        self.waiting.get(name).is_none_or(|entry| entry.id < moved.id).then_some(pull)
    }
}

impl MovedBranch {
    fn is_base_of(&self, pull: &PullNews) -> bool {
        pull.repository.eq_ignore_ascii_case(&self.repository) && pull.base == self.branch
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn name(pull: &PullNews) -> String {
    file_name(&format!("{}\n{}\n{}", pull.clone_url, pull.repository.to_lowercase(), pull.number))
}

fn file_name(of: &str) -> String {
    format!("{}.json", hex::sha256(of.as_bytes()))
}

fn read<T: DeserializeOwned>(folder: &Path) -> io::Result<BTreeMap<String, T>> {
    DirBuilder::new().recursive(true).private().create(folder)?;
    let mut found = BTreeMap::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".json"));
        let Some(name) = name else { continue };
        if let Ok(value) = serde_json::from_slice(&fs::read(&path)?) {
            found.insert(name.to_owned(), value);
        }
    }
    Ok(found)
}

/// Whole or not at all, also after a loss of power.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let unfinished = folder.join(format!("{}.part", Uuid::now_v7()));
    let mut written = OpenOptions::new().write(true).create_new(true).private().open(&unfinished)?;
    written.write_all(bytes)?;
    written.sync_all()?;
    fs::rename(&unfinished, folder.join(name))?;
    sync_folder(folder)
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
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
        let inbox = Inbox::open(folder.path()).unwrap();
        for pull in [news(1, "a"), news(2, "b"), news(1, "c")] {
            inbox.put(&pull).unwrap();
        }
        let shown = |entries: Vec<InboxEntry>| -> Vec<String> {
            entries.iter().map(|entry| format!("{}{}", entry.pull.number, &entry.pull.sha[..1])).collect()
        };
        let all = |inbox: &Inbox| shown(inbox.begin(&mut BTreeSet::new()));
        assert_eq!(all(&inbox), ["2b", "1c"]);
        let old = InboxEntry { id: Uuid::now_v7(), arrived: Timestamp::now().to_string(), pull: news(1, "a") };
        inbox.remove(&old);
        assert!(!inbox.holds(&old));
        assert_eq!(all(&inbox), ["2b", "1c"], "what is newer stays");
        // Each is begun once, and what takes its place too.
        let mut begun = BTreeSet::new();
        assert_eq!(shown(inbox.begin(&mut begun)), ["2b", "1c"]);
        assert!(inbox.begin(&mut begun).is_empty());
        inbox.put(&news(2, "d")).unwrap();
        assert_eq!(shown(inbox.begin(&mut begun)), ["2d"]);
        assert_eq!(begun.len(), 2);
        // Another process, and what one that was killed left behind.
        fs::write(folder.path().join("inbox/0.part"), "{").unwrap();
        fs::write(folder.path().join("inbox/0.json"), "{").unwrap();
        let inbox = Inbox::open(folder.path()).unwrap();
        let entries = inbox.begin(&mut BTreeSet::new());
        assert_eq!(shown(entries.clone()), ["1c", "2d"]);
        inbox.remove(&entries[0]);
        inbox.put(&PullNews { is_open: false, ..news(2, "d") }).unwrap();
        inbox.put(&PullNews { is_open: false, ..news(3, "c") }).unwrap();
        assert!(all(&inbox).is_empty() && all(&Inbox::open(folder.path()).unwrap()).is_empty());
    }

    #[test]
    fn open_pull_requests_wait_again_when_their_base_moves() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = Inbox::open(folder.path()).unwrap();
        let elsewhere = PullNews { base: "release".into(), ..news(3, "c") };
        for pull in [&news(1, "a"), &news(2, "b"), &elsewhere] {
            inbox.put(pull).unwrap();
        }
        let mut begun = BTreeSet::new();
        let first = inbox.begin(&mut begun);
        first.iter().for_each(|entry| inbox.remove(entry));
        inbox.put(&PullNews { is_open: false, ..news(2, "b") }).unwrap();
        // Another process knows which are open, and the next one what moved.
        let inbox = Inbox::open(folder.path()).unwrap();
        inbox.base_moved("Team/Tally", "main").unwrap();
        let inbox = Inbox::open(folder.path()).unwrap();
        inbox.base_moved("team/other", "release").unwrap();
        let again = inbox.begin(&mut begun);
        assert_eq!(again.iter().map(|entry| entry.pull.number).collect::<Vec<_>>(), [1]);
        assert!(first.iter().all(|entry| entry.id != again[0].id), "another verdict");
        assert!(inbox.begin(&mut begun).is_empty(), "once");
        // A move that came while those of the one before were let in is not lost, and what waits since then is left alone.
        let older = MovedBranch { id: first[0].id, repository: "team/tally".into(), branch: "main".into() };
        inbox.wait_again(&name(&again[0].pull), &older).unwrap();
        assert!(inbox.begin(&mut begun).is_empty());
        inbox.base_moved("team/tally", "main").unwrap();
        assert_eq!(inbox.begin(&mut begun).len(), 1);
    }
}
