//! Verdicts between runs: what a guard said of a change is said again without a call, when nothing that it can see has changed.
//!
//! A guard is deterministic, and sees nothing but its settings and the answers of the host. So its verdict is a function of the component,
//! its pin, the touched files and the answers to its further questions (`reads`). A kept verdict counts only when each of these
//! questions has the same answer now. A guard that asked what the host cannot ask again cheaply and exactly (the network, a toolchain, the
//! log of git, earlier runs, a model) is called each time; so is one that failed, and one that found a secret, whose finding is not written
//! to any file.

pub mod cache;
mod entry;
pub mod reads;
mod shared;
mod store;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use blake3::Hasher;
use guard_files::Kinds;

use crate::call::CallOutcome;
use crate::judge::change_view::ChangeView;
use crate::set::{Guard, GuardSet};
use entry::VerdictEntry;
use guardhost_core::change::{Blob, ChangeType};
use store::VerdictFile;

pub use cache::{CachedVerdicts, VerdictCache};
pub use shared::{SharedEntry, SharedVerdicts};

/// Bytes of all entries together: those of some ten thousand changes.
const MOST: u64 = 64 << 20;

/// Bytes of one entry: more questions than that take as long as a call.
const LARGEST: usize = 256 << 10;

/// Verdicts of one guard on the same files, in different trees.
const VARIANTS: usize = 4;

/// The kept verdicts on one change.
pub struct Reuse<'s> {
    kept: Option<&'s VerdictCache>,
    fingerprint: &'static str,
    /// What paths are to the guards.
    kinds: Arc<Kinds>,
    /// Digests of what reads texts for them.
    languages: String,
    /// Read when the first guard would be called.
    file: OnceLock<Option<VerdictFile>>,
    new: Mutex<Vec<VerdictEntry>>,
    /// Verdicts of other machines that are found anew, to compare them.
    doubted: Mutex<Vec<VerdictEntry>>,
}

impl<'s> Reuse<'s> {
    pub fn new(set: &'s GuardSet) -> Self {
        let kinds = Arc::clone(&set.machine.services.kinds);
        let fingerprint = set.machine.embedded.fingerprint;
        let languages = set.digest_of_languages();
        Reuse { kept: set.machine.verdicts.as_ref(), fingerprint, kinds, languages, ..Self::none() }
    }

    /// Calls every guard.
    pub fn none() -> Self {
        let (file, new, doubted) = Default::default();
        Reuse { kept: None, fingerprint: "", kinds: Arc::default(), languages: String::new(), file, new, doubted }
    }

    /// No guard was called for such a change.
    pub fn is_empty(&self, change: &ChangeView) -> bool {
        self.file(change).is_none_or(|file| file.entries.is_empty())
    }

    /// The outcome of an earlier call that saw what a call would see now.
    pub fn get(&self, guard: &Guard, change: &ChangeView) -> Option<CallOutcome> {
        let file = self.file(change)?;
        let key = key(guard, &self.kinds, &self.languages);
        let of_guard = file.entries.iter().filter(|entry| entry.guard == key);
        let (entry, outcome) =
            of_guard.filter_map(|entry| Some((entry, entry.outcome(change, guard.grants.repo())?))).next()?;
        if let (Some(author), Some(VerdictCache::OfFleet(shared))) = (entry.author(), self.kept) {
            if shared.doubts() {
                locked(&self.doubted).push(entry.clone());
                return None;
            }
            shared.took(&change.candidate.tree.to_string(), author);
        }
        Some(outcome)
    }

    /// Keeps an outcome, if it can be reused, until [`Reuse::save`].
    pub fn put(&self, guard: &Guard, change: &ChangeView, outcome: &CallOutcome) {
        if self.kept.is_some()
            && let Some(entry) = VerdictEntry::new(key(guard, &self.kinds, &self.languages), change, outcome)
        {
            self.compare(guard, change, &entry);
            locked(&self.new).push(entry);
        }
    }

    /// What another machine said of the same, and what the guard says now.
    fn compare(&self, guard: &Guard, change: &ChangeView, entry: &VerdictEntry) {
        let Some(VerdictCache::OfFleet(shared)) = self.kept else { return };
        let doubted = locked(&self.doubted);
        for other in doubted.iter().filter(|other| other.guard == entry.guard && !other.says_the_same(entry)) {
            let author = other.author().unwrap_or_default();
            shared.differs(author, &guard.spec.id, &change.candidate.tree.to_string());
        }
    }

    /// Writes what is new. That it cannot be written is no error.
    pub fn save(self) {
        let new = self.new.into_inner().unwrap_or_else(PoisonError::into_inner);
        let doubted = self.doubted.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(Some(mut file)) = self.file.into_inner() else { return };
        if new.is_empty() {
            return;
        }
        file.entries.retain(|entry| !doubted.iter().any(|other| other.is(entry)));
        let old = std::mem::take(&mut file.entries);
        let mut kept: Vec<VerdictEntry> = Vec::with_capacity(new.len() + old.len());
        for entry in new.into_iter().chain(old) {
            if kept.iter().filter(|other| other.guard == entry.guard).count() < VARIANTS {
                kept.push(entry);
            }
        }
        file.write(&kept);
    }

    fn file(&self, change: &ChangeView) -> Option<&VerdictFile> {
        let open = || match self.kept? {
            VerdictCache::OfUser(kept) => {
                let name = name(kept.repository.as_os_str().as_encoded_bytes(), &kept.program, change);
                VerdictFile::for_user(&kept.folder, name, self.fingerprint)
            }
            // Of no repository: see `shared`.
            VerdictCache::OfFleet(shared) => Some(VerdictFile::for_fleet(shared, name(b"", shared.program(), change))),
        };
        self.file.get_or_init(open).as_ref()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GuardSet {
    /// 64 hex digits over all guards with everything that decides what they say, but for the change: components, settings, grants, limits,
    /// paths and modes; and what reads languages for them.
    pub fn digest_of_all(&self) -> String {
        let mut hasher = Hasher::new();
        let languages = self.digest_of_languages();
        for guard in &self.guards {
            hasher.update(key(guard, &self.machine.services.kinds, &languages).as_bytes());
            hasher.update(format!("{:?}", guard.spec.mode).as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// 64 hex digits over what reads texts for the guards, in the order in which it is asked. Of two builds of one version, one may read
    /// more languages.
    fn digest_of_languages(&self) -> String {
        let mut hasher = Hasher::new();
        for language in self.languages() {
            hasher.update(format!("{:?} {}", language.id, language.digest()).as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// Of the repository, the program and the touched files, with their contents.
fn name(repository: &[u8], program: &str, change: &ChangeView) -> String {
    let mut hasher = Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(repository);
    part(program.as_bytes());
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
fn key(guard: &Guard, kinds: &Kinds, languages: &str) -> String {
    let spec = &guard.spec;
    let (digest, settings, limits) = (guard.digest(), &guard.settings, &spec.limits);
    let (include, exclude, grants) = (&spec.include, &spec.exclude, &spec.grants);
    let (expected, version) = (&spec.expected_digest, &spec.expected_version);
    let id = &spec.id;
    let all = format!(
        "{id:?} {digest} {expected:?} {version:?} {grants:?} {include:?} {exclude:?} {limits:?} {settings} {languages}"
    );
    let all = if spec.folders.is_everything() { all } else { format!("{all} {:?}", spec.folders) };
    // Every guard may ask what a path is.
    let all = kinds.written().map_or(all.clone(), |paths| format!("{all} {paths:?}"));
    blake3::hash(all.as_bytes()).to_hex().to_string()
}
