//! What the newest commits made of some files.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use git2::{ObjectType, Oid, Repository};

use super::commits::info;
use super::{failed, hunks};
use guardhost_core::change::{CommitEdits, EditedFile, RecentCommits, ReplacedLines, RepoPath};
use guardhost_core::error::Result;

/// Bytes of one side. People and models do not edit larger sources, and each is compared with its predecessor.
const LARGEST: usize = 1 << 20;

const DAY: i64 = 24 * 60 * 60;

/// One walk for all paths. A tree is read once, however many commits left it alone. None: no commit before `from` is in this shallow clone.
pub(super) fn recent_edits(
    repo: &Repository,
    from: Oid,
    paths: &[RepoPath],
    looked_at: RecentCommits,
) -> Result<Option<Vec<CommitEdits>>> {
    let failed = |cause| failed(format!("cannot read what came before {from}"), cause);
    let mut found = Vec::new();
    let (wanted, mut read) = (PathTree::new(paths), HashMap::new());
    let mut commit = repo.find_commit(from).map_err(failed)?;
    if commit.parent_count() == 0 && repo.is_shallow() {
        return Ok(None);
    }
    let since = commit.time().seconds();
    let mut after = blobs(repo, commit.tree_id(), &wanted, &mut read)?;
    for _ in 0..looked_at.most {
        let days_before = u32::try_from((since - commit.time().seconds()) / DAY).unwrap_or(0);
        if days_before > looked_at.days {
            break;
        }
        // The oldest commit of a history edits nothing, and of the oldest of a shallow clone nothing is known.
        let Some(parent) = commit.parents().next() else { break };
        let before = blobs(repo, parent.tree_id(), &wanted, &mut read)?;
        let mut files = Vec::new();
        for (path, new) in &after {
            match before.get(path) {
                Some(old) if old != new => files.push(EditedFile {
                    path: paths[*path].to_string(),
                    before: old.to_string(),
                    lines: lines(repo, *old, *new)?,
                }),
                _ => {}
            }
        }
        if !files.is_empty() {
            found.push(CommitEdits { commit: info(&commit), days_before, files });
        }
        (commit, after) = (parent, before);
    }
    Ok(Some(found))
}

/// Paths by their parts, each file with its index.
#[derive(Default)]
struct PathTree {
    parts: BTreeMap<Vec<u8>, PathTree>,
    file: Option<usize>,
}

impl PathTree {
    fn new(paths: &[RepoPath]) -> Self {
        let mut root = PathTree::default();
        for (index, path) in paths.iter().enumerate() {
            let node = path.parts().fold(&mut root, |node, part| node.parts.entry(part.to_vec()).or_default());
            node.file = Some(index);
        }
        root
    }
}

/// Contents by the index of the path; links, submodules and folders are none.
type BlobsByPath = BTreeMap<usize, Oid>;

/// What was read of a tree for one part of the paths. A tree may stand at several places.
type ReadTrees = HashMap<(Oid, *const PathTree), BlobsByPath>;

fn blobs(repo: &Repository, tree: Oid, wanted: &PathTree, read: &mut ReadTrees) -> Result<BlobsByPath> {
    let key = (tree, std::ptr::from_ref(wanted));
    if let Some(known) = read.get(&key) {
        return Ok(known.clone());
    }
    let failed = |cause| failed(format!("cannot read tree {tree}"), cause);
    let mut found = BlobsByPath::new();
    for entry in &repo.find_tree(tree).map_err(failed)? {
        let Some(node) = wanted.parts.get(entry.name_bytes()) else { continue };
        match (entry.kind(), node.file) {
            (Some(ObjectType::Tree), _) => found.extend(blobs(repo, entry.id(), node, read)?),
            (Some(ObjectType::Blob), Some(index)) if entry.filemode() & 0o170000 == 0o100000 => {
                found.insert(index, entry.id());
            }
            _ => {}
        }
    }
    read.insert(key, found.clone());
    Ok(found)
}

/// None where a side is no text, is too large or is not in this clone: what it was is then not known.
fn lines(repo: &Repository, old: Oid, new: Oid) -> Result<Option<Vec<ReplacedLines>>> {
    let (Some(old), Some(new)) = (text(repo, old), text(repo, new)) else { return Ok(None) };
    let of = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let (old_lines, new_lines) = (of(&old), of(&new));
    let found = hunks::hunks(old.as_bytes(), new.as_bytes())?;
    let taken = |lines: &[String], range: Range<usize>| lines.get(range).unwrap_or_default().to_vec();
    let replaced = |hunk: &hunks::Hunk| ReplacedLines {
        old: taken(&old_lines, hunk.old.clone()),
        new: taken(&new_lines, hunk.new.clone()),
    };
    Ok(Some(found.iter().map(replaced).collect()))
}

fn text(repo: &Repository, blob: Oid) -> Option<String> {
    let blob = repo.find_blob(blob).ok()?;
    if blob.size() > LARGEST || blob.is_binary() {
        return None;
    }
    String::from_utf8(blob.content().to_vec()).ok()
}
