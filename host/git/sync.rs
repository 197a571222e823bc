//! Makes files and directories survive a loss of power.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A disk writes at once what waits at once, so several threads wait.
const THREADS: usize = 8;

/// Syncs files, and the entries of directories. Returns when all are on disk.
pub(super) fn sync_all(paths: &[PathBuf]) -> io::Result<()> {
    let sync = |path: &Path| File::open(path)?.sync_all();
    if paths.len() <= 2 {
        return paths.iter().try_for_each(|path| sync(path));
    }
    std::thread::scope(|scope| {
        let parts = paths.chunks(paths.len().div_ceil(THREADS));
        let threads: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().try_for_each(|path| sync(path)))).collect();
        let joined =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into())));
        joined.collect::<Vec<_>>().into_iter().collect()
    })
}

/// Syncs the entry of a file in its directory.
pub(super) fn sync_parent(path: &Path) -> io::Result<()> {
    File::open(path.parent().unwrap_or(Path::new("/")))?.sync_all()
}
