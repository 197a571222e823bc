//! The inputs from which a job is made.

use std::path::Path;

use super::machine::Machine;
use super::projects::ProjectFiles;

pub struct JobContext<'a> {
    pub machine: &'a Machine,
    pub files: ProjectFiles<'a>,
    /// The user's work tree, for what git does not keep.
    pub workdir: Option<&'a Path>,
}
