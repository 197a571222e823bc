//! Makes files and directories survive a loss of power.

use std::io;
use std::path::{Path, PathBuf};
use std::thread::{self, Builder};

/// A disk writes at once what waits at once, so several threads wait.
const THREADS: usize = 8;

/// Syncs files, and the entries of directories. Returns when all are on disk.
pub(super) fn sync_all(paths: &[PathBuf]) -> io::Result<()> {
    if paths.len() <= 2 {
        return sync(paths);
    }
    thread::scope(|scope| {
        let start = |part| Builder::new().spawn_scoped(scope, move || sync(part)).map_err(|_| part);
        let threads: Vec<_> = paths.chunks(paths.len().div_ceil(THREADS)).map(start).collect();
        let synced = threads.into_iter().map(|started| match started {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into())),
            // There are no more threads.
            Err(part) => sync(part),
        });
        synced.collect::<Vec<_>>().into_iter().collect()
    })
}

fn sync(paths: &[PathBuf]) -> io::Result<()> {
    paths.iter().try_for_each(|path| guardhost_os::sync(path))
}

/// Syncs the entry of a file in its directory.
pub(super) fn sync_parent(path: &Path) -> io::Result<()> {
    guardhost_os::sync(path.parent().unwrap_or(Path::new("/")))
}
