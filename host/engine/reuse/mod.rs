//! Verdicts between runs: what a guard said of a change is said again without a call, when nothing that it can see has changed.
//!
//! A guard is deterministic, and sees nothing but its settings and the answers of the host. So its verdict is a function of the component,
//! its pin, the touched files and the answers to its further questions (`reads`). A kept verdict counts only when each of these
//! questions has the same answer now. A guard that asked what the host cannot ask again cheaply and exactly (the network, a toolchain, the
//! log of git, earlier runs, a model) is called each time; so is one that failed, and one that found a secret, whose finding is not written
//! to any file.

mod entry;
pub mod reads;

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use blake3::Hasher;

use crate::call::CallOutcome;
use crate::judge::change_view::ChangeView;
use crate::load::authenticated::Authenticated;
use crate::set::{Guard, GuardSet};
use entry::Entry;
use guardhost_core::cache::Folder;
use guardhost_core::change::{Blob, ChangeType};

/// Bytes of all entries together: those of some ten thousand changes.
const MOST: u64 = 64 << 20;

/// Bytes of one entry: more questions than that take as long as a call.
const LARGEST: usize = 256 << 10;

/// Verdicts of one guard on the same files, in different trees.
const VARIANTS: usize = 4;

/// Where the verdicts on changes of one repository are kept.
#[derive(Debug, Clone)]
pub struct KeptVerdicts {
    /// Of the user; holds nothing else.
    pub folder: PathBuf,
    /// The git directory that worktrees share. Git reads objects without hashing them, so that what was judged in one repository says
    /// nothing about another.
    pub repository: PathBuf,
    /// The program that judges: another build may answer a guard's questions otherwise.
    pub program: String,
}

/// The kept verdicts on one change.
pub struct Reuse<'s> {
    kept: Option<&'s KeptVerdicts>,
    fingerprint: &'static str,
    /// Read when the first guard would be called.
    file: OnceLock<Option<File>>,
    new: Mutex<Vec<Entry>>,
}

struct File {
    cache: Authenticated,
    name: String,
    entries: Vec<Entry>,
}

impl<'s> Reuse<'s> {
    pub fn of(set: &'s GuardSet) -> Self {
        let (kept, fingerprint) = (set.machine.verdicts.as_ref(), set.machine.embedded.fingerprint);
        Reuse { kept, fingerprint, file: OnceLock::new(), new: Mutex::default() }
    }

    /// Calls every guard.
    pub fn none() -> Self {
        Reuse { kept: None, fingerprint: "", file: OnceLock::new(), new: Mutex::default() }
    }

    /// No guard was called for such a change.
    pub fn is_empty(&self, change: &ChangeView) -> bool {
        self.file(change).is_none_or(|file| file.entries.is_empty())
    }

    /// The outcome of an earlier call that saw what a call would see now.
    pub fn get(&self, guard: &Guard, change: &ChangeView) -> Option<CallOutcome> {
        let file = self.file(change)?;
        let key = key(guard);
        file.entries.iter().filter(|entry| entry.guard == key).find_map(|entry| entry.outcome(change))
    }

    /// Keeps an outcome, if it can be reused, until [`Reuse::save`].
    pub fn put(&self, guard: &Guard, change: &ChangeView, outcome: &CallOutcome) {
        if self.kept.is_some()
            && let Some(entry) = Entry::new(key(guard), change, outcome)
        {
            self.new.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        }
    }

    /// Writes what is new. That it cannot be written is no error.
    pub fn save(self) {
        let mut entries = self.new.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(Some(file)) = self.file.into_inner() else { return };
        if entries.is_empty() {
            return;
        }
        entries.extend(file.entries);
        let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
        for entry in entries {
            if kept.iter().filter(|other| other.guard == entry.guard).count() < VARIANTS {
                kept.push(entry);
            }
        }
        let _ = file.cache.put(&file.name, &entry::write(&kept));
    }

    fn file(&self, change: &ChangeView) -> Option<&File> {
        let open = || {
            let kept = self.kept?;
            let folder = Folder::open(&kept.folder, MOST).ok()?;
            let cache = Authenticated::of(folder.of_many(), self.fingerprint).ok()?;
            let name = name(kept, change);
            let entries = cache.get(&name).map_or_else(Vec::new, |bytes| entry::read(&bytes));
            Some(File { cache, name, entries })
        };
        self.file.get_or_init(open).as_ref()
    }
}

/// Of the repository, the program and the touched files, with their contents.
fn name(kept: &KeptVerdicts, change: &ChangeView) -> String {
    let mut hasher = Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(kept.repository.as_os_str().as_encoded_bytes());
    part(kept.program.as_bytes());
    for file in &change.candidate.files {
        part(file.path.as_bytes());
        part(file.old_path.as_ref().map_or(&[], |path| path.as_bytes()));
        part(match file.change_type {
            ChangeType::Add => b"add",
            ChangeType::Modify => b"modify",
            ChangeType::Delete => b"delete",
            ChangeType::Rename => b"rename",
            ChangeType::Copy => b"copy",
        });
        for side in [&file.before, &file.after] {
            match side {
                Some(Blob { oid, mode, .. }) => {
                    part(oid.as_bytes());
                    part(&mode.raw().to_le_bytes());
                }
                None => part(b""),
            }
        }
    }
    format!("verdicts {}", hasher.finalize().to_hex())
}

/// Everything about a guard that decides what it says and whether it is called at all, but for the change.
fn key(guard: &Guard) -> String {
    let spec = &guard.spec;
    let (digest, settings, limits) = (guard.digest(), &guard.settings, &spec.limits);
    let (include, exclude, grants) = (&spec.include, &spec.exclude, &spec.grants);
    let (expected, version) = (&spec.expected_digest, &spec.expected_version);
    let id = &spec.id;
    let all =
        format!("{id:?} {digest} {expected:?} {version:?} {grants:?} {include:?} {exclude:?} {limits:?} {settings}");
    blake3::hash(all.as_bytes()).to_hex().to_string()
}
