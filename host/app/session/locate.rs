//! From a path as a model writes it to a path in the repository.

use std::ffi::OsStr;
use std::path::{Component, Path};

use guardhost_core::change::{Refused, RefusedKind, RepoPath};

/// Normalizes `path`: relative to the work tree, without `.`, `..` and doubled slashes. Links are not followed here; opening the
/// file refuses them.
pub(super) fn locate(workdir: &Path, path: &str) -> Result<RepoPath, Refused> {
    let inside = match path.starts_with('/') {
        true => below_workdir(workdir, path).ok_or_else(|| refuse(path, "it lies outside the repository"))?,
        false => path.as_bytes().to_vec(),
    };
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in inside.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop().ok_or_else(|| refuse(path, "it leads out of the repository"))?),
            part => parts.push(part),
        }
    }
    match parts.is_empty() {
        true => Err(refuse(path, "it names no file")),
        false => Ok(RepoPath::new(parts.join(&b'/'))),
    }
}

/// The part of an absolute path below the work tree. The work tree may have two names: `/tmp` is a link on some systems.
fn below_workdir(workdir: &Path, path: &str) -> Option<Vec<u8>> {
    let path = normalize_lexically(path);
    let rest = |root: &Path| path.strip_prefix(root).ok().map(guardhost_os::slashed);
    if let Some(rest) = rest(workdir) {
        return Some(rest);
    }
    let real = workdir.canonicalize().ok()?;
    path.ancestors().skip(1).find(|above| above.canonicalize().is_ok_and(|above| above == real)).and_then(rest)
}

/// Removes `.` and `..` without looking at the disk.
fn normalize_lexically(path: &str) -> std::path::PathBuf {
    let mut plain = std::path::PathBuf::new();
    for component in Path::new(OsStr::new(path)).components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn refuse(path: &str, why: &str) -> Refused {
    let path = RepoPath::from(path);
    Refused { kind: RefusedKind::UnsafePath, message: format!("{path}: {why}"), path: Some(path) }
}
