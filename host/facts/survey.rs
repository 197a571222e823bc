//! The walk: which files are manifests, which may start the program, which are source.

use crate::change::{Entry, FileMode, Objects, Oid, RepoPath};
use crate::error::Result;

use super::entry;
use super::languages::Sources;
use super::manifest::{self, Format};

#[derive(Default)]
pub struct Survey {
    pub manifests: Vec<(RepoPath, Format, Oid)>,
    /// Files named as programs' first files are.
    pub starts: Vec<RepoPath>,
    pub sources: Sources,
}

/// Installed packages, virtual environments and build output: not the project's own.
const NOT_OURS: [&[u8]; 8] =
    [b"node_modules", b"bower_components", b"vendor", b".venv", b"venv", b"site-packages", b".tox", b"target"];

pub fn survey(objects: &dyn Objects, tree: Oid) -> Result<Survey> {
    let mut survey = Survey::default();
    objects.walk(tree, &mut |path, entry| {
        survey.visit(path, entry);
        true
    })?;
    survey.manifests.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    Ok(survey)
}

impl Survey {
    fn visit(&mut self, path: &RepoPath, entry: Entry) {
        let file = matches!(entry.mode, FileMode::File | FileMode::Executable);
        if !file || path.parts().rev().skip(1).any(|part| NOT_OURS.contains(&part)) {
            return;
        }
        let Ok(name) = std::str::from_utf8(path.file_name()) else { return };
        if let Some(format) = manifest::format(path, name) {
            self.manifests.push((path.clone(), format, entry.oid));
        }
        if entry::may_start(name) {
            self.starts.push(path.clone());
        }
        self.sources.count(name, entry.oid);
    }
}
