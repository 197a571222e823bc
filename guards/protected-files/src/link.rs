//! Symbolic links that become files.

use guard_sdk::{File, Finding, Mode};

use crate::Made;

pub fn judge(file: &File, made: &Made) -> Option<Finding> {
    let was_link = file.before().blob().is_some_and(|blob| blob.mode == Mode::Symlink);
    if !was_link || !file.after().is_regular() || made.speaks_of(&["symlink", "symbolic"]) || made.names(file.path()) {
        return None;
    }
    let target =
        file.before().bytes().ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    Some(
        Finding::error(
            "link-replaced",
            format!("{} was a symbolic link to {target}, and is a file of its own now", file.path()),
        )
        .file(file.path())
        .help("Leave the link, and edit what it leads to."),
    )
}
