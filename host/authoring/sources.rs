//! The source files of a guard, and when they last changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use super::recipe::Recipe;

/// Modification time and size of each file. Two values are equal when no file was edited in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStamps(BTreeMap<PathBuf, (SystemTime, u64)>);

/// Folders that tools fill.
const TOOL_FOLDERS: [&str; 6] = ["target", "node_modules", ".venv", ".git", "__pycache__", "build"];

/// Files that tools write.
const TOOL_FILES: [&str; 3] = ["core.wasm", "Cargo.lock", "package-lock.json"];

const CASES: &str = "cases";

impl SourceStamps {
    /// The sources and cases in a guard's folder, without build products. `recipe` is None while `guard.toml` cannot be parsed.
    pub fn new(folder: &Path, recipe: Option<&Recipe>) -> io::Result<Self> {
        let mut found = BTreeMap::new();
        let output = recipe.map(|recipe| Path::new(&recipe.build.output));
        gather(folder, Path::new(""), output, &mut found)?;
        Ok(SourceStamps(found))
    }

    /// Whether the component at `file` is newer than every source. Cases do not count.
    pub fn are_older_than(&self, file: &Path) -> bool {
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
        // A file that vanished since the listing was a temporary file of an editor.
        let Ok(meta) = fs::symlink_metadata(folder.join(&path)) else { continue };
        let is = |names: &[&str]| names.iter().any(|name| entry.file_name() == *name);
        if meta.is_dir() {
            if below.starts_with(CASES) || !is(&TOOL_FOLDERS) {
                gather(folder, &path, output, found)?;
            }
        } else if !is(&TOOL_FILES) && Some(path.as_path()) != output {
            found.insert(path, (meta.modified()?, meta.len()));
        }
    }
    Ok(())
}
