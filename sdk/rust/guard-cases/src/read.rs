//! A case from either form.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::{self, Problem};
use crate::{Case, Error, File, Mode};

impl Case {
    /// A case's folder, or its `.case` file. Errors name the file that is wrong, and the line where there is one.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let mut files = Vec::new();
        if path.is_dir() {
            gather(path, &OsString::new(), &mut files)?;
        } else {
            let bytes = fs::read(path).map_err(|cause| Error::io(path, cause))?;
            for section in archive::parse(&bytes).map_err(|problem| problem.at(path))? {
                files.push(File {
                    path: PathBuf::from(section.name),
                    mode: Mode::File,
                    bytes: section.text.into(),
                    line: Some(section.line),
                });
            }
        }
        files.sort_by(|one, other| one.path.as_os_str().cmp(other.path.as_os_str()));
        Ok(Case { path: path.to_path_buf(), files })
    }
}

impl Problem {
    pub fn at(self, path: &Path) -> Error {
        Error::at(path, Some(self.line), self.what)
    }
}

fn gather(folder: &Path, prefix: &OsString, files: &mut Vec<File>) -> Result<(), Error> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    for entry in entries.map_err(|cause| Error::io(folder, cause))? {
        let full = entry.path();
        let mut path = prefix.clone();
        path.push(entry.file_name());
        let meta = fs::symlink_metadata(&full).map_err(|cause| Error::io(&full, cause))?;
        if meta.is_dir() {
            path.push("/");
            gather(&full, &path, files)?;
            continue;
        }
        let (mode, bytes) = match meta.is_symlink() {
            true => (Mode::Link, fs::read_link(&full).map(|target| target.into_os_string().into_encoded_bytes())),
            false => (mode(&meta), fs::read(&full)),
        };
        let bytes = bytes.map_err(|cause| Error::io(&full, cause))?;
        files.push(File { path: PathBuf::from(path), mode, bytes, line: None });
    }
    Ok(())
}

#[cfg(unix)]
fn mode(meta: &fs::Metadata) -> Mode {
    use std::os::unix::fs::PermissionsExt;
    if meta.permissions().mode() & 0o100 != 0 { Mode::Executable } else { Mode::File }
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> Mode {
    Mode::File
}
