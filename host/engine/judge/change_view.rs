//! The change under judgement, shared by all guards: its texts, hunks and facts, each computed when the first guard asks.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use git2::ObjectType;
use guard_files::Language;
use serde::{Deserialize, Serialize};

use crate::bindings::guardhost::guard::change::Hunk;
use crate::facts::{Facts, FactsCache, LanguageFiles};
use crate::failure::GuardFailure;
use crate::judge::first_seen::Shown;
use crate::judge::hunks::hunks;
use crate::judge::revived::with_revived;
use crate::limits::{BLOB, GuardStop};
use crate::readers::{LONGEST, TextQuestions, TextReaders, not_loaded};
use crate::text::decode;
use guardhost_core::change::{Blob, Candidate, CommitInfo, FileMode, MissingObject, Oid, RepoPath, Task, TreeEntry};
use guardhost_core::syntax::Syntax;

/// One of the two trees. The discriminant is its index in pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TreeSide {
    Before = 0,
    After = 1,
}

/// Why a file has no bytes, or no text.
#[derive(Debug, Clone)]
pub enum NoContent {
    Absent,
    NotText(String),
    /// Bytes.
    TooLarge(u64),
    Stop(GuardStop),
}

type TextResult = Result<Arc<str>, NoContent>;

pub struct ChangeView {
    pub candidate: Candidate,
    pub task: Option<Task>,
    files: Vec<FileView>,
    known: Arc<FactsCache>,
    /// None where no guard is called.
    readers: Option<Result<Arc<TextReaders>, GuardFailure>>,
    facts: [OnceLock<Result<Arc<Facts>, GuardStop>>; 2],
    languages: [OnceLock<Result<Arc<Vec<LanguageFiles>>, GuardStop>>; 2],
    /// As it was made, where guards are shown other files.
    as_made: Option<Box<ChangeView>>,
}

/// Texts and hunks of one touched file.
#[derive(Default)]
struct FileView {
    texts: [OnceLock<TextResult>; 2],
    hunks: OnceLock<Result<Vec<Hunk>, GuardStop>>,
}

impl ChangeView {
    /// `known` holds the facts of trees that were judged before.
    pub fn new(candidate: Candidate, task: Option<&Task>, known: &Arc<FactsCache>) -> Self {
        ChangeView {
            files: candidate.files.iter().map(|_| FileView::default()).collect(),
            candidate,
            task: task.cloned(),
            known: known.clone(),
            readers: None,
            facts: Default::default(),
            languages: Default::default(),
            as_made: None,
        }
    }

    pub fn tree(&self, side: TreeSide) -> Oid {
        match side {
            TreeSide::Before => self.candidate.base_tree,
            TreeSide::After => self.candidate.tree,
        }
    }

    /// The commits that make the change, or the one that would be made, if its message is known.
    pub fn commits(&self) -> Vec<CommitInfo> {
        let Candidate { commits, message, .. } = &self.candidate;
        let proposed = message.as_ref().filter(|_| commits.is_empty());
        commits.iter().cloned().chain(proposed.map(|message| CommitInfo::proposed(message.as_str()))).collect()
    }

    /// The touched file's content. `file` is an index into the candidate's files.
    pub fn bytes(&self, file: usize, side: TreeSide) -> Result<Arc<[u8]>, NoContent> {
        let change = &self.candidate.files[file];
        let blob = match side {
            TreeSide::Before => change.before,
            TreeSide::After => change.after,
        };
        let Blob { oid, mode, size } = blob.ok_or(NoContent::Absent)?;
        self.blob_of(TreeEntry { oid, mode }, |_| Ok(size))
    }

    /// The touched file's content, decoded.
    pub fn text(&self, file: usize, side: TreeSide) -> TextResult {
        self.files[file].texts[side as usize].get_or_init(|| decoded(&self.bytes(file, side)?)).clone()
    }

    /// Differing runs of lines, without context, and with them those that a comment or a literal of the base held and the candidate's does not.
    /// Where only the candidate has a text of its own, all of it is new; where it has none, there are no hunks.
    pub fn hunks(&self, file: usize) -> Result<&[Hunk], GuardStop> {
        let compute = || {
            let before = match self.candidate.files[file].before.map(|blob| blob.mode) {
                // The target of a link is no line of the file that takes its place.
                Some(FileMode::Symlink) if self.is_file_after(file) => Err(NoContent::Absent),
                Some(_) | None => self.text(file, TreeSide::Before),
            };
            match (before, self.text(file, TreeSide::After)) {
                (Err(NoContent::Stop(stop)), _) | (_, Err(NoContent::Stop(stop))) => Err(stop),
                (Ok(before), Ok(after)) => {
                    let hunks = hunks(&before, &after)?;
                    Ok(match self.syntax(file) {
                        Some(syntax) if before.len().max(after.len()) as u64 <= LONGEST => {
                            with_revived(&before, &after, hunks, &syntax)
                        }
                        Some(_) | None => hunks,
                    })
                }
                (Err(_), Ok(after)) => hunks("", &after),
                (Ok(before), Err(NoContent::Absent)) => hunks(&before, ""),
                (_, Err(_)) => Ok(Vec::new()),
            }
        };
        self.files[file].hunks.get_or_init(compute).as_deref().map_err(GuardStop::clone)
    }

    /// How comments and literals look in the file: as a component claims, or as its name tells.
    fn syntax(&self, file: usize) -> Option<Syntax> {
        let path = &self.candidate.files[file].path;
        let claimed = self.readers().ok().flatten().and_then(|readers| {
            let text = || Ok::<_, Infallible>(self.text(file, TreeSide::After).ok());
            let Ok(claimed) = readers.claim_of(path, TextQuestions::PROBLEMS, text);
            Some(claimed?.1.syntax.clone())
        });
        claimed.or_else(|| Syntax::of(Language::from_path(&path.to_string())?).cloned())
    }

    fn is_file_after(&self, file: usize) -> bool {
        let after = self.candidate.files[file].after;
        after.is_some_and(|after| matches!(after.mode, FileMode::File | FileMode::Executable))
    }

    pub fn facts(&self, side: TreeSide) -> Result<&Facts, GuardStop> {
        let compute = || self.known.facts(&*self.candidate.objects, self.tree(side)).map_err(repository_error);
        self.facts[side as usize].get_or_init(compute).as_deref().map_err(GuardStop::clone)
    }

    pub fn languages(&self, side: TreeSide) -> Result<&[LanguageFiles], GuardStop> {
        let compute = || self.known.languages(&*self.candidate.objects, self.tree(side)).map_err(repository_error);
        self.languages[side as usize].get_or_init(compute).as_deref().map(Vec::as_slice).map_err(GuardStop::clone)
    }

    /// With what was read of texts before.
    pub fn with_readers(self, readers: Result<Arc<TextReaders>, GuardFailure>) -> Self {
        ChangeView { readers: Some(readers), ..self }
    }

    /// The same change as guards are to see it.
    pub fn shown_as(self, Shown { files, base_tree }: Shown) -> Self {
        let candidate = Candidate { files, base_tree, ..self.candidate.clone() };
        let shown = ChangeView::new(candidate, self.task.as_ref(), &self.known);
        ChangeView { readers: self.readers.clone(), as_made: Some(Box::new(self)), ..shown }
    }

    /// The change with the files that it touches, whatever guards are shown.
    pub fn as_made(&self) -> &ChangeView {
        self.as_made.as_deref().unwrap_or(self)
    }

    /// None where no guard is called. Errors: a pinned language cannot be loaded.
    pub fn readers(&self) -> Result<Option<&TextReaders>, GuardStop> {
        self.readers.as_ref().map(|readers| readers.as_deref().map_err(not_loaded)).transpose()
    }

    /// Whether the change touches the file that stands at a path of a side.
    pub fn touches(&self, side: TreeSide, path: &RepoPath) -> bool {
        (0..self.files.len()).any(|file| self.path_of(file, side) == Some(path))
    }

    /// Where a touched file stands on a side; None where it does not.
    pub fn path_of(&self, file: usize, side: TreeSide) -> Option<&RepoPath> {
        let file = &self.candidate.files[file];
        match side {
            TreeSide::Before => file.before.as_ref().map(|_| file.old_path.as_ref().unwrap_or(&file.path)),
            TreeSide::After => file.after.as_ref().map(|_| &file.path),
        }
    }

    /// Whether guards see the file as new: in the base, nothing is said of it.
    pub fn is_new(&self, path: &RepoPath) -> bool {
        self.candidate.files.iter().any(|file| file.before.is_none() && file.path == *path)
    }

    /// The entry at a path.
    pub fn entry(&self, side: TreeSide, path: &RepoPath) -> Result<Option<TreeEntry>, GuardStop> {
        self.candidate.objects.entry(self.tree(side), path).map_err(repository_error)
    }

    pub fn is_dir(&self, side: TreeSide, path: &RepoPath) -> Result<bool, GuardStop> {
        self.candidate.objects.is_dir(self.tree(side), path).map_err(repository_error)
    }

    /// Bytes of the entry's content; 0 of a submodule.
    pub fn size(&self, entry: TreeEntry) -> Result<u64, GuardStop> {
        match entry.mode {
            FileMode::Submodule => Ok(0),
            FileMode::File | FileMode::Executable | FileMode::Symlink => {
                self.candidate.objects.blob_size(entry.oid).map_err(repository_error)
            }
        }
    }

    pub fn blob(&self, entry: TreeEntry) -> Result<Arc<[u8]>, NoContent> {
        self.blob_of(entry, |oid| self.candidate.objects.blob_size(oid))
    }

    /// What readers are given, or why they are given nothing. Git reads objects without hashing them, and what a reader says of one is kept for
    /// every repository of the user.
    pub fn text_of_object(&self, entry: TreeEntry) -> Result<Result<Arc<str>, String>, GuardStop> {
        let hashed = |bytes: Arc<[u8]>| match Oid::hash_object(ObjectType::Blob, &bytes) {
            Ok(oid) if oid == entry.oid => Ok(bytes),
            Ok(_) | Err(_) => {
                let what = format!("the object {} does not match its id", entry.oid);
                Err(NoContent::Stop(GuardStop::Repository(what)))
            }
        };
        match self.blob(entry).and_then(hashed).and_then(|bytes| decoded(&bytes)) {
            Ok(text) => Ok(Ok(text)),
            Err(NoContent::Stop(stop)) => Err(stop),
            Err(NoContent::NotText(why)) => Ok(Err(why)),
            Err(NoContent::Absent | NoContent::TooLarge(_)) => Ok(Err("it cannot be read".to_owned())),
        }
    }

    /// `size` tells how large the blob is before it is read.
    fn blob_of(
        &self,
        entry: TreeEntry,
        size: impl Fn(Oid) -> guardhost_core::error::Result<u64>,
    ) -> Result<Arc<[u8]>, NoContent> {
        if entry.mode == FileMode::Submodule {
            return Err(NoContent::NotText("a submodule has no content here".to_string()));
        }
        let size = size(entry.oid).map_err(|error| NoContent::Stop(repository_error(error)))?;
        if size > BLOB {
            return Err(NoContent::TooLarge(size));
        }
        self.candidate.objects.blob(entry.oid).map_err(|error| NoContent::Stop(repository_error(error)))
    }
}

pub fn decoded(bytes: &[u8]) -> TextResult {
    decode::text(bytes).map(Arc::from).map_err(NoContent::NotText)
}

pub fn repository_error(error: guardhost_core::error::Error) -> GuardStop {
    match error.downcast_ref::<MissingObject>() {
        Some(missing) => GuardStop::PartialClone(*missing),
        None => GuardStop::Repository(format!("{error:#}")),
    }
}
