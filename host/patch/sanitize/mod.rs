//! Refuse what no set of guards may allow: paths out of the repository, git's own configuration, the files that hold the rules,
//! credentials, links out of the repository, and sizes above the limits.
//!
//! A patch passes or is refused as a whole, before anything is placed. Names are compared as the least strict file system reads
//! them (letter case ignored, NTFS and HFS+ rules), because the repository may be checked out on any.

mod clean_patch;
mod collision;
mod conflict;
mod content;
mod git_names;
mod links;
mod names;
mod path;
mod protected;
mod rules;

use crate::limits;
use guardhost_core::change::{FileOp, FilePatch, Patch, Refused, RepoPath, Tree};
use guardhost_core::stop::{StopToken, Stopped, Watch};

pub use clean_patch::CleanPatch;
pub use path::{BASELINE_FILE, check_paths, check_rule_files};
pub use rules::Rules;

/// The same patch, after every check.
///
/// # Errors
/// When it was ended. [`Refused`] for the first section, in the patch's order, that breaks a rule. A tree that cannot be read is refused too: an
/// unchecked patch must not pass.
pub fn sanitize(
    patch: Patch,
    rules: &Rules,
    tree: &Tree,
    stop: &StopToken,
) -> Result<Result<CleanPatch, Refused>, Stopped> {
    stop.within(limits::STAGE, |watch| sanitized(patch, rules, tree, watch))
}

fn sanitized(mut patch: Patch, rules: &Rules, tree: &Tree, watch: &Watch) -> Result<CleanPatch, Refused> {
    content::check_sizes(&patch, rules)?;
    path::check_parts(&patch.files)?;
    for path in patch.files.iter().flat_map(paths) {
        watch.visit();
        check_paths(std::slice::from_ref(path), rules)?;
    }
    links::check_parents(&patch.files, tree, watch)?;
    content::check_copies(&patch, rules, tree)?;
    for file in &patch.files {
        watch.visit();
        patch.notes.extend(content::check_mode(file, tree)?);
    }
    conflict::check(&patch.files)?;
    collision::check(&patch.files, tree)?;
    patch.notes.extend(collision::option_like(&patch.files));
    Ok(CleanPatch::new(patch))
}

/// Every path that a section reads or writes.
fn paths(file: &FilePatch) -> impl Iterator<Item = &RepoPath> {
    let from = match &file.op {
        FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => Some(from),
        FileOp::Modify(_) | FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) => None,
    };
    from.into_iter().chain([&file.path])
}

/// Every folder above `path`, the root left out.
fn parents(path: &RepoPath) -> impl Iterator<Item = RepoPath> {
    let bytes = path.as_bytes();
    (0..bytes.len()).filter(|&at| bytes[at] == b'/').map(|at| RepoPath::new(&bytes[..at]))
}
