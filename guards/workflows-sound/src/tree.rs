//! One side of the repository, as far as workflows name its files.

use guard_sdk::{Mode, Repo};

pub struct Tree<'c> {
    pub repo: Repo<'c>,
    /// Beginnings of paths that exist only at run time.
    pub generated: &'c [String],
}

/// Folders that builds make.
const BUILT: [&str; 12] =
    ["dist", "build", "out", "target", "node_modules", ".venv", "venv", "bin", "_build", "coverage", "tmp", "vendor"];

impl Tree<'_> {
    /// Whether a file stands there, or may stand there once the workflow runs. What cannot be asked may.
    pub fn may_have(&self, path: &str) -> bool {
        self.is_generated(path) || !matches!(self.repo.stat(path), Ok(None)) || self.is_in_submodule(path)
    }

    pub fn has_file(&self, path: &str) -> bool {
        !matches!(self.repo.stat(path), Ok(None)) || self.is_in_submodule(path)
    }

    /// Whether a pattern of paths names any file.
    pub fn is_named(&self, pattern: &str) -> bool {
        !self.repo.find(&[&crate::triggers::anchored(pattern)], 1).is_empty()
    }

    /// Whether a folder stands there, or may stand there once the workflow runs.
    pub fn may_have_folder(&self, path: &str) -> bool {
        path.is_empty()
            || self.is_generated(&format!("{path}/"))
            || !matches!(self.repo.is_dir(path), Ok(false))
            || self.is_in_submodule(&format!("{path}/"))
    }

    fn is_generated(&self, path: &str) -> bool {
        let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').any(|folder| BUILT.contains(&folder))
            || self.generated.iter().any(|start| path.starts_with(start.as_str()))
    }

    fn is_in_submodule(&self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        folders.into_iter().any(|folder| {
            matches!(self.repo.stat(folder), Ok(Some(blob)) if matches!(blob.mode, Mode::Submodule | Mode::Symlink))
        })
    }

    /// Names of the scripts of a folder's `package.json`. None: there is none that can be read.
    pub fn scripts(&self, folder: &str) -> Option<Vec<String>> {
        let path = if folder.is_empty() { "package.json".into() } else { format!("{folder}/package.json") };
        let manifest: serde_json::Value = serde_json::from_str(&self.repo.text(&path).ok()?).ok()?;
        Some(
            manifest
                .get("scripts")
                .and_then(|scripts| scripts.as_object())
                .map_or(Vec::new(), |scripts| scripts.keys().cloned().collect()),
        )
    }
}
