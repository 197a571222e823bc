//! What is expected, written anew.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process;

use crate::{Case, Error, UPDATE, archive};

/// [`UPDATE`] is set.
pub fn updating() -> bool {
    env::var_os(UPDATE).is_some()
}

impl Case {
    /// Makes `text` the content of the case's file `name`, on disk and not in this value; false when it was that already. The rest of a
    /// `.case` file stays byte for byte, and at no time is there half a file. Errors: the file cannot be written, or a `.case` file
    /// cannot say `text`.
    pub fn write(&self, name: &str, text: &str) -> Result<bool, Error> {
        if self.path.is_dir() {
            return replace(&self.path.join(name), text);
        }
        let old = fs::read_to_string(&self.path).map_err(|cause| Error::io(&self.path, cause))?;
        match archive::with(&old, name, text).map_err(|problem| problem.at(&self.path))? {
            Some(new) => replace(&self.path, &new),
            None => {
                Err(Error::at(&self.path, None, format!("a single file cannot hold this {name}; make it a folder")))
            }
        }
    }

    /// The case's file `name` holds `text`. When the tests are [`updating`], it is made so first.
    pub fn holds(&self, name: &str, text: &str) -> Result<bool, Error> {
        if updating() {
            self.write(name, text)?;
            return Ok(true);
        }
        Ok(self.file(name).is_some_and(|file| file.bytes == text.as_bytes()))
    }
}

/// By a rename. A link is written through.
fn replace(file: &Path, text: &str) -> Result<bool, Error> {
    let write = || -> io::Result<bool> {
        if !file.exists() {
            return fs::write(file, text).map(|()| true);
        }
        let file = file.canonicalize()?;
        if fs::read(&file)? == text.as_bytes() {
            return Ok(false);
        }
        // Not a name that `find` would take for a case.
        let mut beside = OsString::from(".");
        beside.push(file.file_name().unwrap_or_default());
        beside.push(format!(".{}", process::id()));
        let beside = file.with_file_name(beside);
        fs::write(&beside, text)?;
        fs::set_permissions(&beside, fs::metadata(&file)?.permissions())?;
        fs::rename(&beside, &file)?;
        Ok(true)
    };
    write().map_err(|cause| Error::io(file, cause))
}
