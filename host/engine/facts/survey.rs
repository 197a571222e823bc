//! The walk over a tree: finds the project's own files, and among them manifests and possible entry points.

use guardhost_core::change::{FileMode, Objects, Oid, RepoPath};
use guardhost_core::error::Result;

use super::entry;
use super::files::dir;
use super::manifest::{self, Format};

#[derive(Default)]
pub struct FactsSurvey {
    pub manifests: Vec<(RepoPath, Format, Oid)>,
    /// Files with an entry point's name.
    pub starts: Vec<RepoPath>,
}

/// Installed packages, virtual environments and build output.
const NOT_OURS: [&[u8]; 8] =
    [b"node_modules", b"bower_components", b"vendor", b".venv", b"venv", b"site-packages", b".tox", b"target"];

pub fn survey(objects: &dyn Objects, tree: Oid) -> Result<FactsSurvey> {
    let mut survey = FactsSurvey::default();
    walk(objects, tree, |path, name, oid| {
        if let Some(format) = manifest::format(path, name) {
            survey.manifests.push((path.clone(), format, oid));
        }
        if entry::may_start(path, name) {
            survey.starts.push(path.clone());
        }
    })?;
    survey.manifests.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    Ok(survey)
}

/// Visits every regular file of the project's own, with its name. (Names that are not UTF-8 belong to no known kind of file.)
pub fn walk(objects: &dyn Objects, tree: Oid, mut visit: impl FnMut(&RepoPath, &str, Oid)) -> Result<()> {
    // Files of one directory come one after another, so the directory is judged once.
    let (mut last, mut ours) = (Vec::new(), true);
    objects.walk(tree, &mut |path, entry| {
        let dir = dir(path);
        if dir != last {
            ours = !dir.split(|byte| *byte == b'/').any(|part| NOT_OURS.contains(&part));
            last = dir.to_vec();
        }
        if ours
            && matches!(entry.mode, FileMode::File | FileMode::Executable)
            && let Ok(name) = std::str::from_utf8(path.file_name())
        {
            visit(path, name, entry.oid);
        }
        true
    })
}
