//! What waits to be sent: one file a letter, below `.git/guardhost/outbox/`.
//!
//! A letter is written before it is sent and removed once the observer has it. A process that ends in between sends it again: the observer
//! keeps each once, by its id. One process sends at a time.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use guardhost_os::Private;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::client::{Absence, AbsenceReason, Client, Stored};
use crate::wire::{EventBatch, NewObservation, TreeFacts};

/// Letters that wait at most. A machine that never reaches its observer must not fill its disk.
const MOST: usize = 10_000;
const REFUSED: &str = "refused";
const LOCK: &str = ".lock";

/// Something for the observer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "letter", content = "body", rename_all = "snake_case")]
pub enum Letter {
    Observation(Box<NewObservation>),
    Events(EventBatch),
    Fingerprint(Box<TreeFacts>),
}

impl Letter {
    fn send(&self, client: &Client) -> Result<Stored, Absence> {
        match self {
            Letter::Observation(new) => client.observe(new),
            Letter::Events(batch) => client.append(batch),
            Letter::Fingerprint(facts) => client.put_fingerprint(facts),
        }
    }
}

/// What came of sending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drained {
    /// Letters that the observer has now.
    pub sent: u64,
    /// Of these, those that it had before.
    pub known: u64,
    /// Letters that it refuses, with the reason; they lie in `refused/` and are not sent again.
    pub refused: Vec<Absence>,
    /// Letters that still wait.
    pub waiting: u64,
    /// Why sending stopped.
    pub absence: Option<Absence>,
}

/// The folder of letters. It is made when the first is put in.
#[derive(Debug, Clone)]
pub struct Outbox {
    dir: PathBuf,
}

impl Outbox {
    pub fn new(dir: PathBuf) -> Self {
        Outbox { dir }
    }

    /// Keeps a letter until it is sent.
    ///
    /// # Errors
    /// [`AbsenceReason::NotKept`].
    pub fn put(&self, letter: &Letter) -> Result<(), Absence> {
        self.try_put(letter).map_err(|error| Absence {
            question: "the outbox".into(),
            reason: AbsenceReason::NotKept(format!("{}: {error}", self.dir.display())),
        })
    }

    fn try_put(&self, letter: &Letter) -> std::io::Result<()> {
        private(&self.dir)?;
        if self.letters()?.len() >= MOST {
            return Err(std::io::Error::other(format!("{MOST} messages wait already")));
        }
        // Names in the order of time.
        let name = Uuid::now_v7();
        let unfinished = self.dir.join(format!("{name}.part"));
        let mut file = OpenOptions::new().write(true).create_new(true).private().open(&unfinished)?;
        file.write_all(&serde_json::to_vec(letter)?)?;
        fs::rename(&unfinished, self.dir.join(format!("{name}.json")))
    }

    /// How many letters wait.
    pub fn waiting(&self) -> u64 {
        self.letters().map_or(0, |letters| letters.len() as u64)
    }

    /// Sends what waits, oldest first, until something is not answered.
    pub fn drain(&self, client: &Client) -> Drained {
        let mut drained = Drained::default();
        // No folder: nothing was ever put in.
        let lock = OpenOptions::new().write(true).create(true).truncate(false).private().open(self.dir.join(LOCK));
        let Ok(lock) = lock else { return drained };
        // Another process sends, and what waits is sent by it or by the next.
        if lock.try_lock().is_ok() {
            for path in self.letters().unwrap_or_default() {
                match self.send(&path, client) {
                    Ok(Some(kept)) => {
                        drained.sent += 1;
                        drained.known += u64::from(!kept.is_new);
                    }
                    Ok(None) => {}
                    Err(absence) if absence.reason.is_final() => {
                        self.refuse(&path);
                        drained.refused.push(absence);
                    }
                    Err(absence) => {
                        drained.absence = Some(absence);
                        break;
                    }
                }
            }
        }
        drained.waiting = self.waiting();
        drained
    }

    /// None: another process has sent it meanwhile.
    fn send(&self, path: &Path, client: &Client) -> Result<Option<Stored>, Absence> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(path, &error)),
        };
        let Ok(letter) = serde_json::from_slice::<Letter>(&bytes) else {
            // Written by another version, or damaged. It stays readable for people.
            self.refuse(path);
            return Ok(None);
        };
        let kept = letter.send(client)?;
        fs::remove_file(path).map_err(|error| unreadable(path, &error))?;
        Ok(Some(kept))
    }

    fn refuse(&self, path: &Path) {
        let refused = self.dir.join(REFUSED);
        let moved =
            private(&refused).and_then(|()| fs::rename(path, refused.join(path.file_name().unwrap_or_default())));
        if moved.is_err() {
            // It must not stop those behind it for ever.
            let _ = fs::remove_file(path);
        }
    }

    /// Oldest first.
    fn letters(&self) -> std::io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut letters: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .collect();
        letters.sort();
        Ok(letters)
    }
}

fn private(dir: &Path) -> std::io::Result<()> {
    match DirBuilder::new().recursive(true).private().create(dir) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Absence {
    Absence { question: "the outbox".into(), reason: AbsenceReason::NotKept(format!("{}: {error}", path.display())) }
}
