//! Messages of misfits quote the files that a patch does not fit, and go to a model. Files with credentials are not quoted.

use std::collections::HashMap;

use crate::apply::base::ApplyBase;
use guardhost_core::change::{FileMode, FileOp, Misfit, MisfitAt, Patch, RepoPath};
use guardhost_core::error::Result;
use guardhost_core::sensitive::hidden;

/// The misfit without what its messages say of files that are not shown to a model.
pub fn misfit(misfit: Misfit, patch: &Patch, base: &ApplyBase) -> Result<Misfit> {
    let mut at = Vec::with_capacity(misfit.at.len());
    // A file is searched once: a patch may have a misfit for each of thousands of hunks, all in one long file.
    let mut known: HashMap<RepoPath, Option<&'static str>> = HashMap::new();
    for one in misfit.at {
        let why = match known.get(&one.path) {
            Some(why) => *why,
            None => {
                let why = why(&one.path, patch, base)?;
                known.insert(one.path.clone(), why);
                why
            }
        };
        at.push(match why {
            Some(why) => {
                let message = format!("it does not fit, and the file is not quoted: {why}.");
                MisfitAt { message, ..one }
            }
            None => one,
        });
    }
    Ok(Misfit { at })
}

/// Why the file at a path of the patch is not quoted, or one that the patch moves or copies there.
fn why(path: &RepoPath, patch: &Patch, base: &ApplyBase) -> Result<Option<&'static str>> {
    let sources = patch.files.iter().filter(|file| file.path == *path).filter_map(|file| match &file.op {
        FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => Some(from),
        FileOp::Modify(_) | FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) => None,
    });
    for path in std::iter::once(path).chain(sources) {
        let objects = &base.tree.objects;
        let entry = objects.entry(base.tree.oid, path)?.filter(|entry| entry.mode != FileMode::Submodule);
        let Some(entry) = entry else { continue };
        if let Some(why) = hidden(path, &objects.blob(entry.oid)?) {
            return Ok(Some(why));
        }
    }
    Ok(None)
}
