//! What a forge computes from a repository.

use std::collections::BTreeSet;
use std::path::Path;

use git2::{Diff, DiffOptions, Oid, Repository};

pub fn create(path: &Path) {
    let repository = Repository::init_bare(path).expect("a bare repository");
    repository.config().and_then(|mut config| config.set_bool("http.receivepack", true)).expect("a setting");
    repository.set_head("refs/heads/main").expect("HEAD");
}

/// The commit of a branch.
pub fn tip(path: &Path, branch: &str) -> Option<String> {
    let repository = Repository::open(path).expect("a repository");
    let tip = repository.find_reference(&format!("refs/heads/{branch}")).ok()?.target();
    tip.map(|oid| oid.to_string())
}

/// Whether the second commit can be merged into the first; None when there is nothing to merge.
pub fn can_merge(path: &Path, base: &str, head: &str) -> Option<bool> {
    let repository = Repository::open(path).expect("a repository");
    let (base, head) = (Oid::from_str(base).ok()?, Oid::from_str(head).ok()?);
    if base == head || repository.graph_descendant_of(base, head).expect("history") {
        return None;
    }
    let commit = |oid| repository.find_commit(oid).expect("a commit");
    Some(!repository.merge_commits(&commit(base), &commit(head), None).expect("a merge").has_conflicts())
}

/// A file of a pull request.
pub struct FileChange {
    pub path: String,
    pub status: &'static str,
    pub additions: u64,
    pub deletions: u64,
    /// Lines that a comment may be on, after and before the change, with their texts.
    pub right: Vec<(u64, String)>,
    pub left: Vec<(u64, String)>,
    /// The hunk of each line of `right`.
    pub hunks: Vec<u64>,
    /// Unchanged lines of the diff, by their numbers after the change and before it.
    pub unchanged: Vec<(u64, u64)>,
}

/// What a branch changes since it left its base.
pub fn changes(path: &Path, base: &str, head: &str) -> Vec<FileChange> {
    let repository = Repository::open(path).expect("a repository");
    let oid = |text: &str| Oid::from_str(text).expect("a commit");
    let origin = repository.merge_base(oid(base), oid(head)).expect("a common commit");
    let tree = |oid| repository.find_commit(oid).and_then(|commit| commit.tree()).expect("a tree");
    let mut options = DiffOptions::new();
    let diff =
        repository.diff_tree_to_tree(Some(&tree(origin)), Some(&tree(oid(head))), Some(&mut options)).expect("a diff");
    (0..diff.deltas().len()).map(|at| change(&diff, at)).collect()
}

fn change(diff: &Diff<'_>, at: usize) -> FileChange {
    let delta = diff.get_delta(at).expect("a file");
    let file = delta.new_file().path().or(delta.old_file().path()).expect("a path");
    let status = match delta.status() {
        git2::Delta::Added => "added",
        git2::Delta::Deleted => "removed",
        _ => "modified",
    };
    let mut found = FileChange {
        path: file.display().to_string(),
        status,
        additions: 0,
        deletions: 0,
        right: Vec::new(),
        left: Vec::new(),
        hunks: Vec::new(),
        unchanged: Vec::new(),
    };
    let Ok(Some(patch)) = git2::Patch::from_diff(diff, at) else { return found };
    for hunk in 0..patch.num_hunks() {
        for line in 0..patch.num_lines_in_hunk(hunk).expect("lines") {
            let line = patch.line_in_hunk(hunk, line).expect("a line");
            let text = String::from_utf8_lossy(line.content()).trim_end_matches('\n').to_owned();
            match (line.origin(), line.old_lineno(), line.new_lineno()) {
                ('+' | ' ', old, Some(number)) => {
                    found.unchanged.extend(old.filter(|_| line.origin() == ' ').map(|old| (number.into(), old.into())));
                    found.additions += u64::from(line.origin() == '+');
                    found.right.push((number.into(), text));
                    found.hunks.push(hunk as u64);
                }
                ('-', Some(number), _) => {
                    found.deletions += 1;
                    found.left.push((number.into(), text));
                }
                _ => {}
            }
        }
    }
    found
}

/// Writes the refs that pull requests are fetched by.
pub fn keep_heads(path: &Path, pulls: &[super::state::Pull]) {
    let repository = Repository::open(path).expect("a repository");
    for pull in pulls {
        let Some(head) = tip(path, &pull.head).and_then(|tip| Oid::from_str(&tip).ok()) else { continue };
        for kind in ["pull", "merge-requests"] {
            let name = format!("refs/{kind}/{}/head", pull.number);
            if repository.refname_to_id(&name).ok() != Some(head) {
                repository.reference(&name, head, true, "a pull request").expect("a ref");
            }
        }
    }
}

/// A line of a file at a commit.
pub fn line(path: &Path, commit: &str, file: &str, line: u64) -> Option<String> {
    let repository = Repository::open(path).expect("a repository");
    let tree = repository.find_commit(Oid::from_str(commit).ok()?).ok()?.tree().ok()?;
    let blob = repository.find_blob(tree.get_path(Path::new(file)).ok()?.id()).ok()?;
    let text = String::from_utf8_lossy(blob.content()).into_owned();
    text.lines().nth(line as usize - 1).map(str::to_owned)
}

/// Commits of a branch that its base does not have.
pub fn commits(path: &Path, base: &str, head: &str) -> BTreeSet<String> {
    let repository = Repository::open(path).expect("a repository");
    let mut walk = repository.revwalk().expect("a walk");
    walk.push(Oid::from_str(head).expect("a commit")).expect("pushed");
    walk.hide(Oid::from_str(base).expect("a commit")).expect("hidden");
    walk.map(|oid| oid.expect("a commit").to_string()).collect()
}
