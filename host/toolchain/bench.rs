//! What jobs are made from.

use std::path::Path;

use super::machine::Machine;
use super::projects::Files;

pub struct Bench<'a> {
    pub machine: &'a Machine,
    pub files: Files<'a>,
    /// The user's work tree, for what git does not keep.
    pub workdir: Option<&'a Path>,
}
