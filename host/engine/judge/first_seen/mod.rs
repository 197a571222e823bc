//! Files that come into the guards' sight with a change. Guards are shown them as added: most guards judge what is new to a file, and what
//! stood there before was never judged. Otherwise two changes would bring in anything: one under a name, in bytes or in a text that no guard
//! reads, and one with nothing new but the name, or without the byte or the line that broke it. Where an earlier commit has the file as it could be
//! read, what is new is what that content does not have.

mod mended;
mod past;

use std::convert::Infallible;

use guard_files::Kind;
use guardhost_core::change::{Blob, ChangeType, FileChange, FileMode, Oid};

use super::change_view::{ChangeView, NoContent, TreeSide};
use super::parallel;
use super::readable::watchers::Watchers;
use crate::readers::{TextQuestions, TextReaders};
use crate::set::GuardSet;
use mended::Mended;
use past::Past;

/// The change as guards are to see it; None where that is as it stands.
pub struct Shown {
    /// Sorted by path.
    pub files: Vec<FileChange>,
    /// The base's tree, in which what could not be read is what could be read last.
    pub base_tree: Oid,
}

pub fn shown(change: &ChangeView, set: &GuardSet) -> Option<Shown> {
    let files = &change.candidate.files;
    let both: Vec<usize> = (0..files.len()).filter(|file| may_come_into_sight(&files[*file])).collect();
    let mended = Mended::new(change, set);
    let comes_to_be_read =
        |file: usize| becomes_readable(change, file) || mended.as_ref().is_some_and(|mended| mended.brings(file));
    let unread = parallel::map(&both, set.machine.threads, |file| comes_to_be_read(*file));
    let renames = RenameSight::new(change, set);
    let first_seen = |(file, comes_to_be_read): (&usize, bool)| {
        (comes_to_be_read || renames.as_ref().is_some_and(|sight| sight.brings(*file))).then_some(*file)
    };
    let first_seen: Vec<usize> = both.iter().zip(unread).filter_map(first_seen).collect();
    if first_seen.is_empty() {
        return None;
    }
    let log = set.machine.services.commits.as_deref();
    let past = Past { change, log, mended: mended.as_ref() }.of(&first_seen);
    let mut shown = files.clone();
    for file in first_seen {
        if let Some(content) = past.contents.get(&file) {
            shown[file].before = Some(*content);
            continue;
        }
        let FileChange { old_path, change_type, before, .. } = &files[file];
        let added = FileChange { old_path: None, change_type: ChangeType::Add, before: None, ..files[file].clone() };
        shown[file] = added;
        if let (Some(old), ChangeType::Rename) = (old_path, change_type) {
            shown.push(FileChange {
                path: old.clone(),
                old_path: None,
                change_type: ChangeType::Delete,
                before: *before,
                after: None,
            });
        }
    }
    shown.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    Some(Shown { files: shown, base_tree: past.base_tree })
}

/// A link stays the base of what takes its place, for guards that ask why it was one.
fn may_come_into_sight(file: &FileChange) -> bool {
    let mode = |blob: Option<Blob>| blob.map(|blob| blob.mode);
    matches!(mode(file.before), Some(FileMode::File | FileMode::Executable | FileMode::Submodule))
        && matches!(mode(file.after), Some(FileMode::File | FileMode::Executable))
}

/// Whether the candidate has text where the base has none that is read.
fn becomes_readable(change: &ChangeView, file: usize) -> bool {
    let was_unread = matches!(change.text(file, TreeSide::Before), Err(NoContent::NotText(_) | NoContent::TooLarge(_)));
    was_unread && change.text(file, TreeSide::After).is_ok()
}

/// What tells whether a rename brings a file to guards, or to readers of languages, that did not look at it.
struct RenameSight<'a> {
    change: &'a ChangeView,
    set: &'a GuardSet,
    /// None where they cannot be loaded, which is the failure of the guards that ask them.
    readers: Option<&'a TextReaders>,
    watchers: Watchers<'a>,
}

impl<'a> RenameSight<'a> {
    /// None in a change without renames: descriptions of guards that are not embedded have to be loaded.
    fn new(change: &'a ChangeView, set: &'a GuardSet) -> Option<Self> {
        let has_renames = change.candidate.files.iter().any(|file| file.old_path.is_some());
        let readers = || change.readers().ok().flatten();
        has_renames.then(|| RenameSight { change, set, readers: readers(), watchers: Watchers::new(set) })
    }

    fn brings(&self, file: usize) -> bool {
        let FileChange { path, old_path, .. } = &self.change.candidate.files[file];
        let Some(old) = old_path else { return false };
        let (from, to) = (old.to_string(), path.to_string());
        let (was, is) = (self.set.kinds().kind(&from), self.set.kinds().kind(&to));
        let reads_more = |readers: &TextReaders| {
            let questions =
                [TextQuestions::PROBLEMS, TextQuestions::OUTLINE, TextQuestions::NAMES, TextQuestions::SIGNATURES];
            let text = || Ok::<_, Infallible>(self.change.text(file, TreeSide::Before).ok());
            let did_read = |question| matches!(readers.claim_of(old, question, text), Ok(Some(_)));
            questions.iter().any(|question| readers.claim(&to, *question).is_some() && !did_read(*question))
        };
        strictness(is) > strictness(was) || self.readers.is_some_and(reads_more) || self.watchers.gain(old, path)
    }
}

/// How much guards ask of a file of this kind. Of 73,723 commits of 75 repositories, 47 bring code under a name of which more is asked, or read.
fn strictness(kind: Kind) -> u8 {
    match kind {
        // Wrong on purpose, or not written here.
        Kind::TestData | Kind::Template | Kind::Generated | Kind::Vendored => 0,
        Kind::Test | Kind::Example | Kind::Document | Kind::Configuration | Kind::Lock | Kind::Other => 1,
        Kind::Code => 2,
    }
}
