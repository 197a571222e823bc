//! Files that other programs could have replaced by something else. To open a FIFO waits for its other end, and `/dev/zero` has no end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::{Links, open_without_waiting};

/// Opens a regular file, or what links lead to if that is one.
///
/// # Errors
/// [`ErrorKind::InvalidInput`]: something else has this name.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let file = open_without_waiting(path, Links::Follow)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_regular()),
    }
}

/// The content of a regular file that has at most `most` bytes.
///
/// # Errors
/// Those of [`open_regular`]; [`ErrorKind::FileTooLarge`].
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// Before a file is opened for writing, which waits for the other end of a FIFO too. A path at which there is nothing is fine.
///
/// # Errors
/// [`ErrorKind::InvalidInput`]: something else than a regular file has this name.
pub fn check_regular(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(not_regular()),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn not_regular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is no regular file")
}
