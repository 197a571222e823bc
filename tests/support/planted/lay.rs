//! A change that brings a planted mistake in.

use guardhost_core::change::{Blob, Candidate, ChangeType, FileChange, FileMode, Objects, RepoPath, TreeEntry};

use super::plant::Planted;

/// The commit's tree with the mistake in it, on the same tree without, or on the commit's parent.
pub fn candidate(honest: &Candidate, planted: &Planted, beside: bool) -> Option<Candidate> {
    let objects = &honest.objects;
    let first = RepoPath::from(planted.path.as_str());
    let mut base_tree = if beside { honest.base_tree } else { honest.tree };
    let mut files = if beside { honest.files.clone() } else { Vec::new() };
    let mut tree = honest.tree;
    if let Some(base) = &planted.base {
        let entry = Some(put(objects.as_ref(), base, FileMode::File)?);
        base_tree = objects.edit_tree(base_tree, &[(first.clone(), entry)]).ok()?;
    }
    for (path, text) in planted.edits() {
        let path = RepoPath::from(path);
        let held = objects.entry(honest.tree, &path).ok()?.map(|entry| entry.mode);
        let mode = planted.mode.filter(|_| path == first).or(held).unwrap_or(FileMode::File);
        let entry = Some(put(objects.as_ref(), text, mode)?);
        tree = objects.edit_tree(tree, &[(path.clone(), entry)]).ok()?;
        let known = files.iter().position(|file| file.path == path);
        let (old_path, before) = match known.map(|at| files.remove(at)) {
            Some(file) => (file.old_path, file.before),
            None => (None, blob(objects.as_ref(), objects.entry(base_tree, &path).ok()?)),
        };
        let after = blob(objects.as_ref(), entry);
        let change_type = match (&old_path, before, after) {
            (Some(_), ..) => ChangeType::Rename,
            (None, None, _) => ChangeType::Add,
            _ => ChangeType::Modify,
        };
        files.push(FileChange { path, old_path, change_type, before, after });
    }
    files.retain(|file| file.before != file.after || file.old_path.is_some());
    files.sort_by(|a, b| a.path.cmp(&b.path));
    // What the message of the commit speaks of is not what was planted.
    let commits = if beside { honest.commits.clone() } else { Vec::new() };
    (!files.is_empty()).then(|| Candidate { base_tree, tree, files, commits, ..honest.clone() })
}

fn put(objects: &dyn Objects, text: &str, mode: FileMode) -> Option<TreeEntry> {
    Some(TreeEntry { oid: objects.put_blob(text.as_bytes()).ok()?, mode })
}

fn blob(objects: &dyn Objects, entry: Option<TreeEntry>) -> Option<Blob> {
    let TreeEntry { oid, mode } = entry?;
    Some(Blob { oid, mode, size: objects.blob_size(oid).ok()? })
}
