//! What a guard is made of, and when that last changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use super::recipe::Recipe;

/// Files with what tells that one was edited. Two of them are alike when nothing was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources(BTreeMap<PathBuf, (SystemTime, u64)>);

/// Folders that tools fill.
const MADE: [&str; 6] = ["target", "node_modules", ".venv", ".git", "__pycache__", "build"];

/// Files that tools write.
const WRITTEN: [&str; 3] = ["core.wasm", "Cargo.lock", "package-lock.json"];

const CASES: &str = "cases";

impl Sources {
    /// Of a guard's folder: its sources and its cases, without what building it makes. While the recipe is being edited there may
    /// be none.
    pub fn of(folder: &Path, recipe: Option<&Recipe>) -> io::Result<Self> {
        let mut found = BTreeMap::new();
        let output = recipe.map(|recipe| Path::new(&recipe.build.output));
        gather(folder, Path::new(""), output, &mut found)?;
        Ok(Sources(found))
    }

    /// A component at `file` was made after every source was edited. Cases are no part of it.
    pub fn made(&self, file: &Path) -> bool {
        let Ok(made) = fs::metadata(file).and_then(|meta| meta.modified()) else { return false };
        self.0.iter().filter(|(path, _)| !path.starts_with(CASES)).all(|(_, (edited, _))| *edited <= made)
    }
}

fn gather(
    folder: &Path,
    below: &Path,
    output: Option<&Path>,
    found: &mut BTreeMap<PathBuf, (SystemTime, u64)>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        // What vanished between the listing and the look was an editor's temporary file.
        let Ok(meta) = fs::symlink_metadata(folder.join(&path)) else { continue };
        let is = |names: &[&str]| names.iter().any(|name| entry.file_name() == *name);
        if meta.is_dir() {
            if below.starts_with(CASES) || !is(&MADE) {
                gather(folder, &path, output, found)?;
            }
        } else if !is(&WRITTEN) && Some(path.as_path()) != output {
            found.insert(path, (meta.modified()?, meta.len()));
        }
    }
    Ok(())
}
