//! `change`: the touched files that the guard sees, and the task.

use wasmtime::Result;

use crate::bindings::change::{self, File, Host, Hunk, Mode, Status, Task, Unreadable};
use crate::call::store_data::StoreData;
use crate::judge::change_view;
use guardhost_core::change::{ChangeType, FileChange, FileMode, TaskMode};

/// Bytes that a file's record costs beside its paths: two ids of 40 or 64 digits, sizes, modes.
const RECORD: u64 = 256;

impl Host for StoreData {
    fn files(&mut self) -> Result<Vec<File>> {
        let change = self.change()?;
        let files: Vec<File> = self.seen().iter().map(|file| to_wit(&change.candidate.files[*file])).collect();
        let paths: usize = files.iter().map(|file| file.path.len()).sum();
        self.meter.bytes(paths as u64 + RECORD * files.len() as u64)?;
        Ok(files)
    }

    fn read(&mut self, index: u32, side: change::Side) -> Result<Result<Vec<u8>, Unreadable>> {
        let change = self.change()?;
        let bytes = change.bytes(self.file(index)?, side.into());
        Ok(self.hand_out(bytes)?.map(|bytes| bytes.to_vec()))
    }

    fn text(&mut self, index: u32, side: change::Side) -> Result<Result<String, Unreadable>> {
        let change = self.change()?;
        let text = change.text(self.file(index)?, side.into());
        Ok(self.hand_out(text)?.map(|text| text.to_string()))
    }

    fn hunks(&mut self, index: u32) -> Result<Vec<Hunk>> {
        let change = self.change()?;
        let hunks = change.hunks(self.file(index)?)?;
        self.meter.bytes(size_of_val(hunks) as u64)?;
        Ok(hunks.to_vec())
    }

    fn get_task(&mut self) -> Result<Option<Task>> {
        let change = self.change()?;
        let Some(task) = &change.task else { return Ok(None) };
        self.meter.bytes(task.text.len() as u64)?;
        Ok(Some(Task {
            text: task.text.clone(),
            hints: task.hints.iter().map(ToString::to_string).collect(),
            mode: match task.mode {
                TaskMode::Normal => change::TaskMode::Normal,
                TaskMode::CompileFix => change::TaskMode::CompileFix,
            },
        }))
    }
}

fn to_wit(file: &FileChange) -> File {
    File {
        path: file.path.to_string(),
        old_path: file.old_path.as_ref().map(ToString::to_string),
        status: match file.change_type {
            ChangeType::Add => Status::Added,
            ChangeType::Modify => Status::Modified,
            ChangeType::Delete => Status::Deleted,
            ChangeType::Rename => Status::Renamed,
            ChangeType::Copy => Status::Copied,
        },
        before: file.before.map(blob),
        after: file.after.map(blob),
    }
}

fn blob(blob: guardhost_core::change::Blob) -> change::Blob {
    change::Blob { oid: blob.oid.to_string(), mode: blob.mode.into(), size: blob.size }
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

impl From<change::Side> for change_view::Side {
    fn from(side: change::Side) -> Self {
        match side {
            change::Side::Before => change_view::Side::Before,
            change::Side::After => change_view::Side::After,
        }
    }
}
