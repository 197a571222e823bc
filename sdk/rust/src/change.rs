//! The change under judgement.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

pub use crate::bindings::guardhost::guard::change::{Hunk, Status};
pub use crate::bindings::guardhost::guard::types::{Blob, Mode, Side};
use crate::language::Languages;
use crate::modules::Modules;
use crate::{
    Commit, Denied, Edits, Facts, Handle, History, Models, Net, Registries, Repo, Source, Task, Toolchain, Unreadable,
};

/// The change under judgement: the touched files that concern this guard, the task, and the commits.
pub struct Change {
    pub(crate) source: Source,
    touched: Vec<Touched>,
    pub(crate) withheld: OnceCell<String>,
}

/// A file, and what the host said of it: it is asked for each thing once.
struct Touched {
    handle: Handle,
    path: String,
    old_path: OnceCell<Option<String>>,
    status: OnceCell<Status>,
    before: OnceCell<Option<Blob>>,
    after: OnceCell<Option<Blob>>,
}

impl Change {
    pub(crate) fn new(source: Source) -> Self {
        let touched = source.files().into_iter().map(Touched::new).collect();
        Change { source, touched, withheld: OnceCell::new() }
    }

    /// Of a tree alone: nothing is touched.
    #[cfg(feature = "analysis")]
    pub(crate) fn from_tree(source: Source) -> Self {
        Change { source, touched: Vec::new(), withheld: OnceCell::new() }
    }

    /// Touched files, sorted by the bytes of their path.
    pub fn files(&self) -> impl Iterator<Item = File<'_>> {
        self.touched.iter().map(File)
    }

    /// An amount of work that fits the fuel of a call for a change of a few lines, for this change: the host gives a call as much fuel
    /// again for each 512 KiB of touched files, both sides together, and at most 15 times as much.
    pub fn scaled(&self, amount: u64) -> u64 {
        const STEP: u128 = 512 << 10;
        const MOST_TIMES: u64 = 15;
        let sides = self.files().flat_map(|file| [file.before().blob(), file.after().blob()]);
        let bytes: u64 = sides.flatten().map(|blob| blob.size).sum();
        let more = u128::from(amount) * u128::from(bytes) / STEP;
        amount.saturating_add(u64::try_from(more).unwrap_or(u64::MAX)).min(amount.saturating_mul(MOST_TIMES))
    }

    /// Touched files with one of these extensions, given in lower case and without the dot.
    pub fn files_with_extension(&self, extensions: &[&str]) -> impl Iterator<Item = File<'_>> {
        self.files().filter(|file| extensions.contains(&file.extension().as_str()))
    }

    /// What the model was asked to do; None when the change is judged without a task.
    pub fn task(&self) -> Option<Task> {
        self.source.task()
    }

    /// The commits that make the change, oldest first: those of the range, or the one that would be made when its message is known.
    /// Empty when no message is known, as for staged files before the message is written.
    pub fn commits(&self) -> Vec<Commit> {
        self.source.commits()
    }

    /// What people ask of the change: the text of the task, or without a task the messages of the commits. A model is held to its
    /// task whatever its own message says, and a message counts for nothing when its commit names an agent as an author.
    pub fn wishes(&self) -> Vec<String> {
        match self.task() {
            Some(task) => vec![task.text],
            None => {
                let commits = self.commits().into_iter().filter(|commit| !commit.is_by_agent());
                commits.map(|commit| commit.message).collect()
            }
        }
    }

    /// Whether people alone made the change, as far as anybody can know: no task was given to a model, its commits are known, and none
    /// names an agent. What was learnt from the habits of people holds for nobody else.
    pub fn is_by_people(&self) -> bool {
        let commits = self.commits();
        self.task().is_none() && !commits.is_empty() && !commits.iter().any(Commit::is_by_agent)
    }

    /// Whether a model made the change, as far as it is known: it was given a task, or one of the commits names an agent. Where nothing
    /// is known, this and [`Change::is_by_people`] are both false.
    pub fn is_by_model(&self) -> bool {
        self.task().is_some() || self.commits().iter().any(Commit::is_by_agent)
    }

    /// The commits behind the base that changed that path (the empty path: any commit), newest first; at most `limit`, and looked
    /// for among the newest 10,000 at most. Whoever calls this imports `commits`, and needs a grant.
    pub fn log(&self, path: &str, limit: u32) -> Result<Vec<Commit>, Denied> {
        self.source.log(path, limit)
    }

    /// What commits behind the base made of those files (at most 100 paths; of later ones nothing is said), newest first, looked for
    /// among the newest 200 that are at most `days` older than the base. Files that a commit added, deleted or renamed are left out.
    /// Whoever calls this imports `commits`, and needs a grant.
    pub fn recent_edits(&self, paths: &[String], days: u32) -> Result<Vec<Edits>, Denied> {
        self.source.recent_edits(paths, days)
    }

    /// The whole tree of one side. Whoever calls this imports `repo`, and needs a grant.
    pub fn repo(&self, side: Side) -> Repo<'_> {
        Repo::new(self, side)
    }

    /// The first path that the guard asked [`Change::repo`], [`Change::modules`] or [`Change::languages`] for and the pin does not grant. A guard that needs the whole tree fails
    /// when there is one: it has not seen what it would have to rule out.
    pub fn withheld(&self) -> Option<&str> {
        self.withheld.get().map(String::as_str)
    }

    /// What the manifests of one side declare. Whoever calls this imports `facts`, and needs a grant.
    pub fn facts(&self, side: Side) -> Facts<'_> {
        Facts::new(&self.source, side)
    }

    /// What the modules of one side import, offer, define and call. Whoever calls this imports `modules`, and needs a grant.
    pub fn modules(&self, side: Side) -> Modules<'_> {
        Modules::new(self, side)
    }

    /// What the files of one side are written in and say. Whoever calls this imports `language`, which needs no grant; files that the change
    /// does not touch need `repo`.
    pub fn languages(&self, side: Side) -> Languages<'_> {
        Languages::new(self, side)
    }

    /// The web. Whoever asks it imports `net`, and needs a grant.
    pub fn net(&self) -> Net<'_> {
        Net(&self.source)
    }

    /// The package registries. Whoever asks them imports `registry`, and needs a grant.
    pub fn registries(&self) -> Registries<'_> {
        Registries(&self.source)
    }

    /// Builds and tests, run by the host. Whoever calls this imports `toolchain`, and needs a grant.
    pub fn toolchain(&self) -> Toolchain<'_> {
        Toolchain::new(&self.source)
    }

    /// Models, asked by the host. Whoever asks them imports `model`, and needs a grant.
    pub fn models(&self) -> Models<'_> {
        Models(&self.source)
    }

    /// What earlier runs came to. Whoever asks it imports `history`, and needs a grant.
    pub fn history(&self) -> History<'_> {
        History(&self.source)
    }
}

impl Touched {
    fn new(handle: Handle) -> Self {
        let path = handle.path();
        let (old_path, status, before, after) = Default::default();
        Touched { handle, path, old_path, status, before, after }
    }
}

/// A touched file.
#[derive(Clone, Copy)]
pub struct File<'c>(&'c Touched);

impl<'c> File<'c> {
    /// Relative to the repository's root, `/` between parts; see [`crate::path`] for how other bytes than text are spelled.
    pub fn path(&self) -> &'c str {
        &self.0.path
    }

    /// Where a renamed or copied file came from.
    pub fn old_path(&self) -> Option<&'c str> {
        self.0.old_path.get_or_init(|| self.0.handle.old_path()).as_deref()
    }

    pub fn status(&self) -> Status {
        *self.0.status.get_or_init(|| self.0.handle.status())
    }

    /// The last part of the path.
    pub fn name(&self) -> &'c str {
        self.path().rsplit('/').next().unwrap_or_default()
    }

    /// What follows the name's last dot, in lower case; empty when there is none, as in `Makefile` and `.gitignore`.
    pub fn extension(&self) -> String {
        match self.name().rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
            _ => String::new(),
        }
    }

    /// The file in the base.
    pub fn before(&self) -> Version<'c> {
        Version { file: *self, side: Side::Before }
    }

    /// The file in the candidate.
    pub fn after(&self) -> Version<'c> {
        Version { file: *self, side: Side::After }
    }

    /// What differs between the two sides, without context; empty when either side is not text.
    pub fn hunks(&self) -> Vec<Hunk> {
        self.0.handle.hunks()
    }

    /// The runs of lines of the candidate's file that the change brings in, from 1.
    pub fn changed_lines(&self) -> Vec<RangeInclusive<u32>> {
        let hunks = self.hunks().into_iter().filter(|hunk| hunk.new_lines > 0);
        hunks.map(|hunk| hunk.new_start..=hunk.new_start + hunk.new_lines - 1).collect()
    }

    /// The lines that the change brings in.
    pub fn added_lines(&self) -> Result<Vec<Line>, Unreadable> {
        let runs = self.hunks().into_iter().map(|hunk| (hunk.new_start, hunk.new_lines));
        Ok(pick(&self.after().text()?, runs))
    }

    /// The lines that the change takes away, numbered as in the base.
    pub fn removed_lines(&self) -> Result<Vec<Line>, Unreadable> {
        let runs = self.hunks().into_iter().map(|hunk| (hunk.old_start, hunk.old_lines));
        Ok(pick(&self.before().text()?, runs))
    }
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// From 1.
    pub number: u32,
    /// Without its line ending.
    pub text: String,
}

fn pick(text: &str, runs: impl Iterator<Item = (u32, u32)>) -> Vec<Line> {
    let line = |(number, text): (u32, &str)| Line { number, text: text.to_owned() };
    crate::text::lines_in(text, runs).into_iter().map(line).collect()
}

/// One side of a touched file.
#[derive(Clone, Copy)]
pub struct Version<'c> {
    file: File<'c>,
    side: Side,
}

impl<'c> Version<'c> {
    /// None when that side does not exist: the file is added, or deleted.
    pub fn blob(&self) -> Option<&'c Blob> {
        let touched = self.file.0;
        let known = match self.side {
            Side::Before => &touched.before,
            Side::After => &touched.after,
        };
        known.get_or_init(|| touched.handle.blob(self.side)).as_ref()
    }

    pub fn exists(&self) -> bool {
        self.blob().is_some()
    }

    /// A file with content of its own: not a link, not a submodule.
    pub fn is_regular(&self) -> bool {
        self.blob().is_some_and(|blob| matches!(blob.mode, Mode::File | Mode::Executable))
    }

    /// As git holds it.
    pub fn bytes(&self) -> Result<Vec<u8>, Unreadable> {
        self.file.0.handle.read(self.side)
    }

    /// Decoded by the host, without a byte order mark; line endings stay as they are.
    pub fn text(&self) -> Result<String, Unreadable> {
        self.file.0.handle.text(self.side)
    }
}
