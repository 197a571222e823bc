//! The inputs from which a job is made.

use std::path::{Path, PathBuf};

use super::machine::Machine;
use super::projects::ProjectFiles;
use super::real_folder::real_folder;
use super::tracked::{below, in_index, in_tree};
use guardhost_core::change::Oid;

pub struct JobContext<'a> {
    pub machine: &'a Machine,
    pub files: ProjectFiles<'a>,
    /// The trees of both sides of the change.
    pub sides: Vec<Oid>,
    /// The user's work tree, for what git does not keep.
    pub workdir: Option<&'a Path>,
}

impl JobContext<'_> {
    /// A folder of installed packages in the user's work tree. None for one that is, or lies below, a link, and for one that git keeps
    /// anything of: it is the change's, whose code and whose judge it would be on both sides.
    pub fn installed(&self, folder: &str) -> Option<PathBuf> {
        let workdir = self.workdir?;
        let found = real_folder(workdir, folder)?;
        let is_kept = in_index(workdir, Path::new(folder))
            || self.sides.iter().any(|side| in_tree(self.files.objects, *side, folder));
        (!is_kept).then_some(found)
    }

    /// The virtual environment that the caller has activated, on the same terms if it lies in the work tree.
    pub fn active_environment(&self) -> Option<PathBuf> {
        let active = self.machine.folder("VIRTUAL_ENV")?;
        match self.workdir.and_then(|workdir| below(workdir, &active)) {
            Some(inside) => self.installed(inside.to_str()?),
            None => Some(active),
        }
    }
}
