//! Moves files between the work tree and a staging folder, each in one step where the file system can.

use std::ffi::OsStr;
use std::io;

use cap_std::fs::Dir;
use guardhost_os::{has_no_links, is_same_file, is_unsupported, link, rename};

/// A file: its directory, held open, and its name.
#[derive(Clone, Copy)]
pub(super) struct OpenFile<'a> {
    pub dir: &'a Dir,
    pub name: &'a OsStr,
}

impl<'a> OpenFile<'a> {
    fn parts(self) -> (&'a Dir, &'a OsStr) {
        (self.dir, self.name)
    }
}

/// Where [`exchange`] keeps a file for a moment if the file system cannot exchange two.
pub(super) const ASIDE: &str = ".old";

/// Exchanges the file of the work tree with the one in the slot. At any moment the first has the old content or the new one.
pub(super) fn exchange(file: OpenFile<'_>, slot: OpenFile<'_>) -> io::Result<()> {
    match guardhost_os::exchange(file.parts(), slot.parts()) {
        Err(error) if is_unsupported(&error) => exchange_by_links(file, slot),
        other => other,
    }
}

/// As [`exchange`], for file systems such as NFS. Where there are no hard links either (FAT), the file is missing for a moment.
fn exchange_by_links(file: OpenFile<'_>, slot: OpenFile<'_>) -> io::Result<()> {
    let aside = aside(slot.name);
    let aside = OpenFile { dir: slot.dir, name: &aside };
    match link(file.parts(), aside.parts()) {
        Err(error) if has_no_links(&error) => rename(file.parts(), aside.parts())?,
        other => other?,
    }
    rename(slot.parts(), file.parts())?;
    rename(aside.parts(), slot.parts())
}

/// Brings a slot that [`exchange_by_links`] or [`move_to_free`] left in the middle to the state before or after it.
pub(super) fn settle_slot(file: OpenFile<'_>, slot: OpenFile<'_>) -> io::Result<()> {
    // Two names of one file: a move by links that came half way. Without the slot it stands where it began or where it ends.
    if is_same_file(file.parts(), slot.parts())? {
        slot.dir.remove_file(slot.name)?;
    }
    let aside = aside(slot.name);
    let aside = OpenFile { dir: slot.dir, name: &aside };
    match (exists(aside)?, exists(slot)?) {
        (false, _) => Ok(()),
        (true, false) => rename(aside.parts(), slot.parts()),
        (true, true) if exists(file)? => aside.dir.remove_file(aside.name),
        (true, true) => rename(aside.parts(), file.parts()),
    }
}

/// Moves a file to where there is none. An error if there is one by now: nothing is ever replaced.
pub(super) fn move_to_free(from: OpenFile<'_>, to: OpenFile<'_>) -> io::Result<()> {
    match guardhost_os::move_to_free(from.parts(), to.parts()) {
        Err(error) if is_unsupported(&error) => {}
        other => return other,
    }
    match link(from.parts(), to.parts()) {
        Err(error) if has_no_links(&error) => {}
        other => {
            other?;
            return from.dir.remove_file(from.name);
        }
    }
    match exists(to)? {
        true => Err(io::ErrorKind::AlreadyExists.into()),
        false => rename(from.parts(), to.parts()),
    }
}

pub(super) fn exists(at: OpenFile<'_>) -> io::Result<bool> {
    match at.dir.symlink_metadata(at.name) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn aside(slot: &OsStr) -> std::ffi::OsString {
    let mut name = slot.to_owned();
    name.push(ASIDE);
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;
    use std::fs;

    /// What stands in the file and in the slot after each step of the exchange by links, and what settling makes of it.
    #[test]
    fn an_exchange_by_links_can_end_anywhere() {
        for (file, slot, aside, settled) in [
            (Some("old"), Some("new"), None, ("old", "new")),
            (Some("old"), Some("new"), Some("old"), ("old", "new")),
            (None, Some("new"), Some("old"), ("old", "new")),
            (Some("new"), None, Some("old"), ("new", "old")),
            (Some("new"), Some("old"), None, ("new", "old")),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in [("file", file), ("3", slot), ("3.old", aside)] {
                if let Some(text) = text {
                    fs::write(folder.path().join(name), text).unwrap();
                }
            }
            let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
            let place = |name| OpenFile { dir: &dir, name: OsStr::new(name) };
            settle_slot(place("file"), place("3")).unwrap();
            let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
            assert_eq!((read("file").as_str(), read("3").as_str()), settled);
            exchange_by_links(place("file"), place("3")).unwrap();
            assert_eq!((read("3").as_str(), read("file").as_str()), settled);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
            let taken = move_to_free(place("3"), place("file")).unwrap_err();
            assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
            move_to_free(place("3"), place("free")).unwrap();
        }
    }
}
