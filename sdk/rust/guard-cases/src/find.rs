//! Which cases there are.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{EXTENSION, Error};

/// Where a case lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// From the folder of all cases, with `/` and without the extension.
    pub name: String,
    /// A folder, or a `.case` file.
    pub path: PathBuf,
}

/// All cases at any depth below `root`: files `NAME.case`, and folders that hold one of `marks`. In the order of their names within a
/// folder, whatever their form. Errors: a folder cannot be listed; a case is there in both forms.
pub fn find(root: &Path, marks: &[&str]) -> Result<Vec<Location>, Error> {
    let mut found = Vec::new();
    below(root, "", marks, &mut found)?;
    Ok(found)
}

fn below(folder: &Path, prefix: &str, marks: &[&str], found: &mut Vec<Location>) -> Result<(), Error> {
    let failed = |cause| Error::io(folder, cause);
    let mut entries: Vec<(OsString, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = if path.is_dir() {
            path.file_name()
        } else if path.extension().is_some_and(|extension| extension == EXTENSION) {
            path.file_stem()
        } else {
            None
        };
        entries.extend(name.map(|name| (name.to_owned(), path.clone())));
    }
    entries.sort();
    for (name, path) in entries {
        let name = format!("{prefix}{}", name.to_string_lossy());
        let is_case = !path.is_dir() || marks.iter().any(|mark| path.join(mark).exists());
        match found.last() {
            _ if !is_case => below(&path, &format!("{name}/"), marks, found)?,
            Some(last) if last.name == name => {
                return Err(Error::at(&path, None, format!("the case `{name}` is a folder and a file at once")));
            }
            _ => found.push(Location { name, path }),
        }
    }
    Ok(())
}
