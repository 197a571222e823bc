//! Files that leave the repository because a build makes them.

use guard_sdk::{Change, Repo, Side};

use crate::touched::Touched;

/// Folders that programs write to.
const FOLDERS: [&str; 6] = ["generated", "__generated__", "_generated", "gen", "autogen", "dist"];
/// Parts of the names of what they write.
const NAMES: [&str; 5] = ["_version.", "_pb2", "_generated.", ".generated.", ".gen."];

/// Whether a deleted file is one that a program writes, and that git ignores from now on: it goes from the repository, and not from
/// the work tree of those who build.
pub fn by_a_build(change: &Change, file: &Touched) -> bool {
    file.is_deleted() && is_made(file) && is_ignored(&change.repo(Side::After), file.old_path)
}

fn is_made(file: &Touched) -> bool {
    let (folders, name) = file.old_path.rsplit_once('/').unwrap_or(("", file.old_path));
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || NAMES.iter().any(|part| name.contains(part))
        || guard_generated::says_generated(&file.lines.before)
}

/// Whether a line of a `.gitignore` above names the path or a folder that it stands in, without wildcards.
fn is_ignored(repo: &Repo, path: &str) -> bool {
    let ends = path.match_indices('/').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).any(|start| {
        let (above, inside) = path.split_at(start);
        let text = repo.text(&format!("{above}.gitignore")).unwrap_or_default();
        text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '!'])).any(|line| {
            let named = line.trim_start_matches("**/").trim_matches('/');
            let is_anchored = named.contains('/') || line.starts_with('/');
            let below = inside == named || inside.starts_with(&format!("{named}/"));
            !named.is_empty() && (below || (!is_anchored && inside.split('/').any(|part| part == named)))
        })
    })
}
