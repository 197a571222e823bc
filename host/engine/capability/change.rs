//! `guardhost:guard/change`: the touched files that the guard sees, the task, and the commits.

use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::guardhost::guard::change::{
    Blob, Host, HostCommit, HostFile, HostTask, Hunk, Person, Side, Status, Trailer, Unreadable,
};
use crate::bindings::guardhost::guard::types::Mode;
use crate::call::store_data::StoreData;
use crate::handles::{CommitHandle, FileHandle, HANDLE, TaskHandle};
use crate::judge::change_view;
use crate::reuse::reads::RepeatableQuestion;
use guardhost_core::change::{ChangeType, CommitInfo, FileChange, FileMode, RepoPath, TaskMode};

/// Bytes that a blob's record costs: an id of 40 or 64 digits, size, mode.
const BLOB: u64 = 128;

impl Host for StoreData {
    fn files(&mut self) -> Result<Vec<Resource<FileHandle>>> {
        self.change()?;
        self.meter.bytes(HANDLE * self.seen().len() as u64)?;
        Ok(self.seen().iter().map(|index| Resource::new_own(*index)).collect())
    }

    fn get_task(&mut self) -> Result<Option<Resource<TaskHandle>>> {
        let change = self.change()?;
        self.reads.note(RepeatableQuestion::Task, &change);
        Ok(change.task.as_ref().map(|_| Resource::new_own(0)))
    }

    fn commits(&mut self) -> Result<Vec<Resource<CommitHandle>>> {
        let change = self.change()?;
        self.reads.note(RepeatableQuestion::Commits, &change);
        self.hand_out_commits(change.commits())
    }
}

impl StoreData {
    /// Keeps the commits for this call.
    pub fn hand_out_commits(&mut self, commits: Vec<CommitInfo>) -> Result<Vec<Resource<CommitHandle>>> {
        commits.into_iter().map(|commit| self.hand_out_commit(commit)).collect()
    }

    pub fn hand_out_commit(&mut self, commit: CommitInfo) -> Result<Resource<CommitHandle>> {
        self.meter.bytes(HANDLE + commit.message.len() as u64)?;
        StoreData::keep(&mut self.commits, commit)
    }

    fn commit(&mut self, commit: &Resource<CommitHandle>) -> Result<&CommitInfo> {
        self.meter.call()?;
        let commit = StoreData::resource(&self.commits, commit)?;
        self.meter.bytes(commit.message.len() as u64)?;
        Ok(commit)
    }
}

impl HostFile for StoreData {
    fn path(&mut self, file: Resource<FileHandle>) -> Result<String> {
        self.path_of(&file, |file| Some(&file.path)).map(Option::unwrap_or_default)
    }

    fn old_path(&mut self, file: Resource<FileHandle>) -> Result<Option<String>> {
        self.path_of(&file, |file| file.old_path.as_ref())
    }

    fn status(&mut self, file: Resource<FileHandle>) -> Result<Status> {
        let change = self.change()?;
        Ok(status(&change.candidate.files[file.rep() as usize]))
    }

    fn blob(&mut self, file: Resource<FileHandle>, side: Side) -> Result<Option<Blob>> {
        let change = self.change()?;
        self.meter.bytes(BLOB)?;
        let file = &change.candidate.files[file.rep() as usize];
        let blob = match side {
            Side::Before => file.before,
            Side::After => file.after,
        };
        Ok(blob.map(|blob| Blob { oid: blob.oid.to_string(), mode: blob.mode.into(), size: blob.size }))
    }

    fn read(&mut self, file: Resource<FileHandle>, side: Side) -> Result<Result<Vec<u8>, Unreadable>> {
        let change = self.change()?;
        let bytes = change.bytes(file.rep() as usize, side.into());
        Ok(self.hand_out(bytes)?.map(|bytes| bytes.to_vec()))
    }

    fn text(&mut self, file: Resource<FileHandle>, side: Side) -> Result<Result<String, Unreadable>> {
        let change = self.change()?;
        let text = change.text(file.rep() as usize, side.into());
        Ok(self.hand_out(text)?.map(|text| text.to_string()))
    }

    fn hunks(&mut self, file: Resource<FileHandle>) -> Result<Vec<Hunk>> {
        let change = self.change()?;
        let hunks = change.hunks(file.rep() as usize)?;
        self.meter.bytes(size_of_val(hunks) as u64)?;
        Ok(hunks.to_vec())
    }

    fn drop(&mut self, _: Resource<FileHandle>) -> Result<()> {
        Ok(())
    }
}

impl StoreData {
    fn path_of(
        &mut self,
        file: &Resource<FileHandle>,
        which: impl Fn(&FileChange) -> Option<&RepoPath>,
    ) -> Result<Option<String>> {
        let change = self.change()?;
        let path = which(&change.candidate.files[file.rep() as usize]).map(ToString::to_string);
        self.meter.bytes(path.as_ref().map_or(0, String::len) as u64)?;
        Ok(path)
    }
}

impl HostTask for StoreData {
    fn text(&mut self, _: Resource<TaskHandle>) -> Result<String> {
        let change = self.change()?;
        let text = change.task.as_ref().map(|task| task.text.clone()).unwrap_or_default();
        self.meter.bytes(text.len() as u64)?;
        Ok(text)
    }

    fn hints(&mut self, _: Resource<TaskHandle>) -> Result<Vec<String>> {
        let change = self.change()?;
        let hints = change.task.iter().flat_map(|task| &task.hints).map(ToString::to_string).collect::<Vec<_>>();
        self.meter.bytes(hints.iter().map(String::len).sum::<usize>() as u64)?;
        Ok(hints)
    }

    fn is_compile_fix(&mut self, _: Resource<TaskHandle>) -> Result<bool> {
        let change = self.change()?;
        Ok(change.task.as_ref().is_some_and(|task| match task.mode {
            TaskMode::CompileFix => true,
            TaskMode::Normal => false,
        }))
    }

    fn drop(&mut self, _: Resource<TaskHandle>) -> Result<()> {
        Ok(())
    }
}

impl HostCommit for StoreData {
    fn oid(&mut self, commit: Resource<CommitHandle>) -> Result<Option<String>> {
        Ok(self.commit(&commit)?.oid.map(|oid| oid.to_string()))
    }

    fn message(&mut self, commit: Resource<CommitHandle>) -> Result<String> {
        Ok(self.commit(&commit)?.message.clone())
    }

    fn author(&mut self, commit: Resource<CommitHandle>) -> Result<Person> {
        let commit = self.commit(&commit)?;
        Ok(Person { name: commit.author_name.clone(), email: commit.author_email.clone() })
    }

    fn trailers(&mut self, commit: Resource<CommitHandle>) -> Result<Vec<Trailer>> {
        let trailers = self.commit(&commit)?.trailers();
        Ok(trailers.into_iter().map(|(key, value)| Trailer { key, value }).collect())
    }

    fn drop(&mut self, _: Resource<CommitHandle>) -> Result<()> {
        Ok(())
    }
}

fn status(file: &FileChange) -> Status {
    /// Git calls a change between these a change of type.
    fn kind(mode: FileMode) -> u8 {
        match mode {
            FileMode::File | FileMode::Executable => 0,
            FileMode::Symlink => 1,
            FileMode::Submodule => 2,
        }
    }
    match file.change_type {
        ChangeType::Add => Status::Added,
        ChangeType::Delete => Status::Deleted,
        ChangeType::Rename => Status::Renamed,
        ChangeType::Copy => Status::Copied,
        ChangeType::Modify => match (file.before, file.after) {
            (Some(before), Some(after)) if kind(before.mode) != kind(after.mode) => Status::TypeChanged,
            _ => Status::Modified,
        },
    }
}

impl From<FileMode> for Mode {
    fn from(mode: FileMode) -> Self {
        match mode {
            FileMode::File => Mode::File,
            FileMode::Executable => Mode::Executable,
            FileMode::Symlink => Mode::Symlink,
            FileMode::Submodule => Mode::Submodule,
        }
    }
}

impl From<Side> for change_view::TreeSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Before => change_view::TreeSide::Before,
            Side::After => change_view::TreeSide::After,
        }
    }
}
