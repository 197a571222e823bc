//! Symbolic links: no file is written through one, and no new one leads out of the repository.

use std::collections::HashSet;

use super::names::folded;
use super::{git_names, parents, paths};
use guardhost_core::change::{FileMode, FileOp, FilePatch, Hunk, Refused, RefusedKind, RepoPath, Tree, TreeEntry};
use guardhost_core::stop::Watch;

/// Checks that no folder above any path of the patch is a link or a submodule, in the tree or by another section.
pub(super) fn check_parents(files: &[FilePatch], tree: &Tree, watch: &Watch) -> Result<(), Refused> {
    let links = files.iter().filter(|file| file.mode == Some(FileMode::Symlink));
    let made: HashSet<String> = links.map(|file| folded(file.path.as_bytes())).collect();
    let mut plain: HashSet<RepoPath> = HashSet::new();
    for path in files.iter().flat_map(paths) {
        for parent in parents(path).filter(|parent| plain.insert(parent.clone())) {
            watch.visit();
            let (kind, what) = match entry(tree, &parent)?.map(|entry| entry.mode) {
                Some(FileMode::Symlink) => (RefusedKind::Symlink, "is a symbolic link"),
                Some(FileMode::Submodule) => (RefusedKind::Submodule, "is another repository"),
                _ if made.contains(&folded(parent.as_bytes())) => {
                    (RefusedKind::Symlink, "becomes a symbolic link by this patch")
                }
                Some(FileMode::File | FileMode::Executable) | None => continue,
            };
            return Err(Refused::at(kind, path, format_args!("{parent} {what}")));
        }
    }
    Ok(())
}

/// The file at `path`. A tree that cannot be read is refused.
pub(super) fn entry(tree: &Tree, path: &RepoPath) -> Result<Option<TreeEntry>, Refused> {
    let entry = tree.objects.entry(tree.oid, path);
    entry
        .map_err(|error| Refused::at(RefusedKind::Symlink, path, format_args!("the tree could not be read: {error:#}")))
}

/// Checks that every target that this section gives to a link at `file.path` is inside the repository.
pub(super) fn check_targets(file: &FilePatch, old: Option<TreeEntry>, tree: &Tree) -> Result<(), Refused> {
    let added = |hunks: &[Hunk]| -> Vec<Vec<u8>> {
        hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(|line| line.is_new())
            .map(|line| line.bytes().to_vec())
            .collect()
    };
    let mut targets = match &file.op {
        FileOp::Create(content) | FileOp::Write(content) => vec![content.clone()],
        FileOp::Modify(hunks) => added(hunks),
        FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => added(hunks),
        FileOp::Delete(_) => Vec::new(),
    };
    // A relative target leads to another place from the link's new folder.
    if let (FileOp::Rename { .. } | FileOp::Copy { .. }, Some(old)) = (&file.op, old) {
        let target = tree.objects.blob(old.oid);
        let target = target.map_err(|error| {
            Refused::at(RefusedKind::Symlink, &file.path, format_args!("its target could not be read: {error:#}"))
        })?;
        targets.push(target.to_vec());
    }
    let out = targets.iter().find(|target| !leads_inside(&file.path, target));
    out.map_or(Ok(()), |target| {
        let why =
            format_args!("a link to `{}` leads out of the repository or into .git", RepoPath::new(target.clone()));
        Err(Refused::at(RefusedKind::Symlink, &file.path, why))
    })
}

/// `..` may only come first: after another part it would mean the parent of what that part links to.
fn leads_inside(link: &RepoPath, target: &[u8]) -> bool {
    let target = target.strip_suffix(b"\n").unwrap_or(target);
    let mut depth = link.parts().count() - 1;
    let mut below = false;
    for part in target.split(|byte| *byte == b'/') {
        match part {
            b".." if below || depth == 0 => return false,
            b".." => depth -= 1,
            b"." => {}
            // An empty first part makes the path absolute; elsewhere it has no meaning.
            b"" => return false,
            _ if git_names::is_reserved(part) || part.iter().any(|byte| matches!(byte, b'\\' | b':' | 0..=0x1f)) => {
                return false;
            }
            _ => below = true,
        }
    }
    true
}
