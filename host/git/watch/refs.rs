//! HEAD, branches, tags and every other ref but those of remotes: editors fetch now and then. Packing refs changes none of them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use guardhost_os::os_str;

use super::WatchedFolders;
use super::look::{Look, LookStamp, or_none, read_regular};

const REMOTES: &str = "refs/remotes";

pub(super) fn look_at(folders: &WatchedFolders, look: &mut Look<'_>) -> io::Result<()> {
    look.text(&folders.git.join("HEAD"), Path::new("HEAD"))?;
    match read_regular(&folders.common.join("packed-refs"))? {
        Some(packed) => look.found.extend(from_packed(&packed)),
        None => look.tree(&folders.common.join("packed-refs"), Path::new(".git/packed-refs"), &|_| false)?,
    }
    loose(&folders.common, Path::new("refs"), look)
}

fn from_packed(packed: &[u8]) -> impl Iterator<Item = (PathBuf, LookStamp)> {
    let lines = packed.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#") && !line.starts_with(b"^"));
    let refs = lines.filter_map(|line| {
        let at = line.iter().position(|byte| *byte == b' ')?;
        let name = PathBuf::from(os_str(&line[at + 1..]));
        Some((name, LookStamp::Text(line[..at].trim_ascii().to_owned())))
    });
    refs.filter(|(name, _)| !name.starts_with(REMOTES))
}

/// The refs in a folder and in those below it. A loose ref stands above a packed one of its name. Folders may nest deeper than a stack
/// allows.
fn loose(common: &Path, name: &Path, look: &mut Look<'_>) -> io::Result<()> {
    let mut folders = vec![name.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in or_none(fs::read_dir(common.join(&folder)))?.into_iter().flatten() {
            let entry = entry?;
            let name = folder.join(entry.file_name());
            let is_lock = name.extension().is_some_and(|ending| ending == "lock");
            if name == Path::new(REMOTES) || is_lock {
                continue;
            }
            match or_none(entry.file_type())?.is_some_and(|kind| kind.is_dir()) {
                true => folders.push(name),
                false => look.text(&entry.path(), &name)?,
            }
        }
    }
    Ok(())
}
